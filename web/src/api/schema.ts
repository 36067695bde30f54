// Made by `npm run api` from the server's OpenAPI. Do not edit.

export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /**
         * Access
         * @description The gate's answer for one person and one tool, before it knows the arguments.
         */
        Access: {
            /** Allowed */
            allowed: boolean;
            /** Approver Role */
            approver_role: string | null;
            /** Asks */
            asks: boolean;
            /** Code */
            code: string | null;
            /** Conditions */
            conditions: {
                [key: string]: unknown;
            }[];
            /** Levels */
            levels: {
                [key: string]: unknown;
            }[];
            /**
             * Permission Level
             * @enum {string}
             */
            permission_level: "operador" | "responsavel" | "admin";
            /** Reason */
            reason: string;
            /**
             * Role
             * @enum {string}
             */
            role: "operador" | "responsavel" | "admin";
        };
        /**
         * AdminAgent
         * @description An agent as an administrator sees it.
         */
        AdminAgent: {
            /**
             * Code
             * @default direct
             * @enum {string}
             */
            code: "direct" | "local" | "anthropic";
            /**
             * Description
             * @default
             */
            description: string;
            /** Effort */
            effort?: ("low" | "medium" | "high" | "xhigh" | "max") | null;
            /** Id */
            id: number;
            /**
             * Last Answer
             * @default true
             */
            last_answer: boolean;
            /**
             * Max History
             * @default 20
             */
            max_history: number;
            /**
             * Max Iterations
             * @default 8
             */
            max_iterations: number;
            /**
             * Max Tokens
             * @default 4096
             */
            max_tokens: number;
            /**
             * Mode
             * @default model
             * @enum {string}
             */
            mode: "model" | "keyword";
            /** Model */
            model?: string | null;
            /** Name */
            name: string;
            /**
             * Starters
             * @default []
             */
            starters: string[];
            /**
             * System Prompt
             * @default
             */
            system_prompt: string;
            /**
             * Tools
             * @default []
             */
            tools: string[];
        };
        /**
         * AdminTool
         * @description A tool with the rules in force for the whole organisation.
         */
        AdminTool: {
            /** Allowed Callers */
            allowed_callers: string[];
            /** Budget */
            budget: {
                [key: string]: unknown;
            } | null;
            /** Cache Seconds */
            cache_seconds: number;
            /** Category */
            category: string;
            /** Confirmation */
            confirmation: unknown;
            /** Custom */
            custom: boolean;
            /** Definition */
            definition?: {
                [key: string]: unknown;
            } | null;
            /** Description */
            description: string;
            /**
             * Effect
             * @enum {string}
             */
            effect: "read" | "write";
            /** Group */
            group: string | null;
            /** Input Schema */
            input_schema: {
                [key: string]: unknown;
            };
            /** Is Enabled */
            is_enabled: boolean;
            /** Kind */
            kind?: string | null;
            /** Lost Fields */
            lost_fields?: string[];
            /** Name */
            name: string;
            /** Output Description */
            output_description: string | null;
            /** Owner Id */
            owner_id?: number | null;
            /** Pack */
            pack: string | null;
            /** Parameters */
            parameters?: {
                [key: string]: unknown;
            }[] | null;
            /**
             * Permission Level
             * @enum {string}
             */
            permission_level: "operador" | "responsavel" | "admin";
            /** Requires Confirmation */
            requires_confirmation: boolean;
            /** Switched Off */
            switched_off: string | null;
            /** Timeout */
            timeout: number;
            /** Version */
            version: string;
        };
        /**
         * Again
         * @description The reply starts over: forget the text and thinking shown since the last `usage`.
         */
        Again: {
            /** Reason */
            reason: string;
            /**
             * Type
             * @default again
             * @constant
             */
            type: "again";
        };
        /**
         * AgentChange
         * @description What is absent stays; null takes `model` and `effort` back to the default.
         * @example {
         *       "description": "Compares shifts",
         *       "name": "Turnos",
         *       "system_prompt": "És um assistente de qualidade.",
         *       "tools": [
         *         "contar_defeitos"
         *       ]
         *     }
         */
        AgentChange: {
            /** Code */
            code?: ("direct" | "local" | "anthropic") | null;
            /** Description */
            description?: string | null;
            /** Effort */
            effort?: ("low" | "medium" | "high" | "xhigh" | "max") | null;
            /** Last Answer */
            last_answer?: boolean | null;
            /** Max History */
            max_history?: number | null;
            /** Max Iterations */
            max_iterations?: number | null;
            /** Max Tokens */
            max_tokens?: number | null;
            /** Mode */
            mode?: ("model" | "keyword") | null;
            /** Model */
            model?: string | null;
            /** Name */
            name?: string | null;
            /** Starters */
            starters?: string[] | null;
            /** System Prompt */
            system_prompt?: string | null;
            /** Tools */
            tools?: string[] | null;
        };
        /** Agente */
        Agente: {
            /** Descricao */
            descricao: string;
            /** Id */
            id: number;
            /** Nome */
            nome: string;
        };
        /**
         * AgentOut
         * @description An agent as a person who may use it sees it.
         */
        AgentOut: {
            /** Description */
            description: string;
            /** Id */
            id: number;
            /** Name */
            name: string;
            /** Starters */
            starters: string[];
            /** Tools */
            tools: string[];
        };
        /** AgentRef */
        AgentRef: {
            /** Id */
            id: number;
            /** Name */
            name: string;
        };
        /**
         * AllOf
         * @description Every one of these holds.
         */
        AllOf: {
            /** All */
            all: (components["schemas"]["FieldCondition"] | components["schemas"]["AllOf"] | components["schemas"]["AnyOf"])[];
        };
        /**
         * AnswersInstead
         * @description A provider did not answer, or may not be asked; another does from here on.
         */
        AnswersInstead: {
            /** Content */
            content: string;
            /** Instead Of */
            instead_of: string;
            /** Model */
            model: string;
            /** Provider */
            provider: string;
            /**
             * Type
             * @default provider
             * @constant
             */
            type: "provider";
        };
        /**
         * AnyOf
         * @description One of these holds.
         */
        AnyOf: {
            /** Any */
            any: (components["schemas"]["FieldCondition"] | components["schemas"]["AllOf"] | components["schemas"]["AnyOf"])[];
        };
        /**
         * AskQuestion
         * @description Ask an agent, in a conversation of yours or in a new one each time.
         */
        AskQuestion: {
            /** Agent */
            agent?: number | string | null;
            /** Content */
            content: string;
            /** Conversation Id */
            conversation_id?: string | null;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "question";
        };
        /** AuditPage */
        AuditPage: {
            /** Entries */
            entries: {
                [key: string]: unknown;
            }[];
            /** Next */
            next: number | null;
        };
        /**
         * BoardChange
         * @description What changes of a dashboard; what is not named stays.
         */
        BoardChange: {
            filter?: components["schemas"]["FilterShape"] | null;
            /** Items */
            items?: components["schemas"]["TileIn"][];
            /** Refresh Minutes */
            refresh_minutes?: number | null;
            /** Removed */
            removed?: string[];
            /** Titulo */
            titulo?: string | null;
        };
        /**
         * BoardColumn
         * @description A column that queries of the board read.
         */
        BoardColumn: {
            /** Is Dates */
            is_dates: boolean;
            /** Name */
            name: string;
            /** Tables */
            tables: string[];
        };
        /** Body_upload_admin_graph_upload_post */
        Body_upload_admin_graph_upload_post: {
            /**
             * Containment
             * @description TYPE[:up|:down], …
             * @default
             */
            containment: string;
            /**
             * Edges
             * @description CSV or Parquet: source, target, type, …
             */
            edges: string;
            /**
             * Name
             * @default
             */
            name: string;
            /**
             * Nodes
             * @description CSV or Parquet: id, label, name, …
             */
            nodes: string;
            /**
             * Words
             * @description What people call labels.
             */
            words?: string | null;
        };
        /** Body_upload_conversas__id__upload_post */
        Body_upload_conversas__id__upload_post: {
            /** File */
            file: string;
        };
        /** Body_upload_conversations__id__upload_post */
        Body_upload_conversations__id__upload_post: {
            /**
             * File
             * @description A .csv or .xlsx file.
             */
            file: string;
            /**
             * Replace
             * @description Put it in the place of the data set of the same file name, under the same tables' names: studies, dashboards and schedules over them read the new rows.
             * @default false
             */
            replace: boolean;
            /**
             * Sheet
             * @description The one sheet of a workbook to read, by its name; a hidden one too. Left out, every visible sheet becomes a table.
             */
            sheet?: string | null;
        };
        /**
         * Branch
         * @example {
         *       "turn_id": "t0123456789abcdef"
         *     }
         */
        Branch: {
            /** Turn Id */
            turn_id: string;
        };
        /**
         * BreakGlass
         * @description The account that keeps its password whatever happens to the providers.
         */
        BreakGlass: {
            /** Email */
            email: string;
            /** Says */
            says: string;
            /**
             * Status
             * @enum {string}
             */
            status: "ok" | "missing";
        };
        /**
         * Budget
         * @description How often a tool may be called.
         */
        Budget: {
            /**
             * By
             * @default person
             * @enum {string}
             */
            by: "person" | "organisation";
            /** Calls */
            calls: number;
            /**
             * Per
             * @enum {string}
             */
            per: "minute" | "hour" | "day" | "month";
        };
        /** CallMade */
        CallMade: {
            /** Input */
            input: unknown;
            /** Is Error */
            is_error: boolean;
            /** Name */
            name: string;
            /** Result */
            result: unknown;
        };
        /** CameBack */
        CameBack: {
            /** Code */
            code?: string | null;
            /** Error */
            error?: string | null;
            /** Iss */
            iss?: string | null;
            /** State */
            state: string;
        };
        /** Carregado */
        Carregado: {
            /** Mensagem Id */
            mensagem_id: string;
            /** Resumo */
            resumo: string;
        };
        /**
         * Chain
         * @description Calls of other tools, one after the other, and what is answered in the end.
         */
        Chain: {
            /** Result */
            result?: unknown;
            /** Steps */
            steps: components["schemas"]["StepShape"][];
        };
        /**
         * Changes
         * @description What a variant has in place of the agent's own; what is not named stays.
         */
        Changes: {
            /** Code */
            code?: ("direct" | "local" | "anthropic") | null;
            /** Effort */
            effort?: string | null;
            /** Mode */
            mode?: ("model" | "keyword") | null;
            /** Model */
            model?: string | null;
            /** System Prompt */
            system_prompt?: string | null;
            /** Tools */
            tools?: string[] | null;
            /**
             * Tools Off
             * @default false
             */
            tools_off: boolean;
        };
        /** Chart */
        Chart: {
            /** Data */
            data: {
                [key: string]: unknown;
            };
            /**
             * Type
             * @default chart
             * @constant
             */
            type: "chart";
        };
        /** ChatResponse */
        ChatResponse: {
            /** Conversation Id */
            conversation_id?: string | null;
            /** Response */
            response: string;
            /** Tool Calls */
            tool_calls: components["schemas"]["CallMade"][];
            /**
             * Waiting
             * @default []
             */
            waiting: components["schemas"]["Waits"][];
        };
        /**
         * Checked
         * @description A definition that could be kept.
         */
        Checked: {
            /** Input Schema */
            input_schema: {
                [key: string]: unknown;
            };
        };
        /**
         * Code
         * @description Code ended; its inner calls came as `tool_start`/`tool_use` with its id in `caller.tool_id`.
         */
        Code: {
            /** Container */
            container: string;
            /** Files */
            files?: {
                [key: string]: unknown;
            }[];
            /** Id */
            id: string;
            /** Return Code */
            return_code: number;
            /** Stderr */
            stderr: string;
            /** Stdout */
            stdout: string;
            /**
             * Type
             * @default code
             * @constant
             */
            type: "code";
        };
        /**
         * ColumnValues
         * @description What stands in a column, the commonest first; `more` where not all are here.
         */
        ColumnValues: {
            /** More */
            more: boolean;
            /** Values */
            values: (string | null)[];
        };
        /**
         * Comparison
         * @description One measure of one variant against the first: how they differ, and what may be said.
         */
        Comparison: {
            /** Against */
            against: string;
            /** Difference */
            difference: number | null;
            /** High */
            high: number | null;
            /** Low */
            low: number | null;
            /**
             * Measure
             * @enum {string}
             */
            measure: "thumbs_up" | "turns" | "cost_usd" | "latency_s" | "errors";
            /** Needed */
            needed: number;
            /** Variant */
            variant: string;
            /**
             * Verdict
             * @enum {string}
             */
            verdict: "not_enough_data" | "no_difference" | "better" | "worse" | "different";
        };
        /**
         * ComposedTool
         * @description A tool made of calls of others.
         */
        ComposedTool: {
            /** Allowed Callers */
            allowed_callers?: ("direct" | "code_execution_20250825" | "code_execution_20260120" | "code_execution_20260521")[] | null;
            /** Category */
            category?: ("data" | "render" | "dashboard" | "code" | "graph" | "action") | null;
            definition: components["schemas"]["Chain"];
            /** Description */
            description: string;
            /** Effect */
            effect?: ("read" | "write") | null;
            /**
             * Kind
             * @constant
             */
            kind: "composed";
            /** Name */
            name: string;
            /** Parameters */
            parameters?: components["schemas"]["ParameterShape"][];
            /** Permission Level */
            permission_level?: ("operador" | "responsavel" | "admin") | null;
            /** Requires Confirmation */
            requires_confirmation?: boolean | null;
        };
        /**
         * ConfirmationAsked
         * @description A call waits for a person.
         */
        ConfirmationAsked: {
            /** Caller */
            caller: {
                [key: string]: unknown;
            };
            /** Expires At */
            expires_at: string;
            /** Id */
            id: string;
            /** Input */
            input: unknown;
            /** Name */
            name: string;
            /**
             * Question
             * @default null
             */
            question: {
                [key: string]: unknown;
            } | null;
            /** Reason */
            reason: string;
            /**
             * Title
             * @default
             */
            title: string;
            /** Tool Use Id */
            tool_use_id: string;
            /**
             * Type
             * @default confirmation
             * @constant
             */
            type: "confirmation";
        };
        /** ConfirmationOut */
        ConfirmationOut: {
            /** Approver */
            approver: string | null;
            /** Approver Role */
            approver_role: string | null;
            /** Caller */
            caller: {
                [key: string]: unknown;
            };
            /** Conversation Id */
            conversation_id: string | null;
            /** Created At */
            created_at: string;
            /** Decided At */
            decided_at: string | null;
            decided_by: components["schemas"]["PersonRef"] | null;
            decided_for: components["schemas"]["PersonRef"] | null;
            /** Decision Reason */
            decision_reason: string | null;
            /** Edited Input */
            edited_input: unknown;
            /** Expires At */
            expires_at: string;
            /** Id */
            id: string;
            /** Input */
            input: unknown;
            /** Input Schema */
            input_schema: {
                [key: string]: unknown;
            } | null;
            /** Name */
            name: string;
            person: components["schemas"]["PersonRef"];
            /** Question */
            question: {
                [key: string]: unknown;
            } | null;
            /** Reason */
            reason: string;
            /** Reminded At */
            reminded_at: string | null;
            /** Result */
            result: unknown;
            /**
             * Status
             * @enum {string}
             */
            status: "pending" | "approved" | "rejected" | "expired";
            /** Steps */
            steps: {
                [key: string]: unknown;
            }[];
            /** Title */
            title: string;
            /** Tool Name */
            tool_name: string;
            /** Tool Use Id */
            tool_use_id: string;
            /** Turn Id */
            turn_id: string | null;
        };
        /**
         * ConfirmWhen
         * @description Ask a person first: when a condition holds, somebody of a role, each time or once.
         */
        ConfirmWhen: {
            /** Approver */
            approver?: "other" | null;
            /** Approver Role */
            approver_role?: ("operador" | "responsavel" | "admin") | null;
            /**
             * Remember
             * @default true
             */
            remember: boolean;
            /** Tell */
            tell?: string[] | null;
            /** When */
            when?: (components["schemas"]["FieldCondition"] | components["schemas"]["AllOf"] | components["schemas"]["AnyOf"]) | null;
        };
        /** ConnectedToolOut */
        ConnectedToolOut: {
            /** Approved */
            approved: {
                [key: string]: unknown;
            } | null;
            /**
             * Confirm
             * @enum {string}
             */
            confirm: "never" | "always";
            /**
             * Effect
             * @enum {string}
             */
            effect: "read" | "write";
            /** From Code */
            from_code: boolean;
            /** Name */
            name: string;
            /** Offered */
            offered: {
                [key: string]: unknown;
            };
            /**
             * Permission Level
             * @enum {string}
             */
            permission_level: "operador" | "responsavel" | "admin";
            /** Problem */
            problem: string;
            /** Remote Name */
            remote_name: string;
            /** Seen */
            seen: string;
            /**
             * State
             * @enum {string}
             */
            state: "new" | "enabled" | "off" | "changed" | "gone";
        };
        /** ConnectionChange */
        ConnectionChange: {
            /** Is Enabled */
            is_enabled: boolean;
        };
        /** ConnectionOut */
        ConnectionOut: {
            /**
             * Credentials
             * @enum {string}
             */
            credentials: "none" | "shared" | "person";
            /** Detail */
            detail: string;
            /** Failures */
            failures: number;
            /** Has Headers */
            has_headers: boolean;
            /** Id */
            id: string;
            /** Is Enabled */
            is_enabled: boolean;
            /** Looked At */
            looked_at: string | null;
            /** Name */
            name: string;
            /** Ok At */
            ok_at: string | null;
            /**
             * Origin
             * @enum {string}
             */
            origin: "operator" | "panel";
            /** Retry At */
            retry_at: string | null;
            /** Server */
            server: {
                [key: string]: unknown;
            };
            /** Signed In */
            signed_in: boolean;
            /** Status */
            status: string;
            /** Tools */
            tools: components["schemas"]["ConnectedToolOut"][];
            /** Url */
            url: string | null;
            /** Walled */
            walled: boolean | null;
        };
        /** ContainerOut */
        ContainerOut: {
            /** Busy */
            busy: boolean;
            /** Created At */
            created_at: string;
            /** Expires At */
            expires_at: string;
            /** Id */
            id: string;
            /** Pid */
            pid: number;
        };
        /** ContainmentIn */
        ContainmentIn: {
            /** Containment */
            containment: string[];
        };
        /** Conversa */
        Conversa: {
            /** Agente Id */
            agente_id: number;
            /** Id */
            id: string;
            /** Titulo */
            titulo: string;
        };
        /** ConversationChange */
        ConversationChange: {
            /** Archived */
            archived?: boolean | null;
            /** Mode */
            mode?: ("model" | "keyword") | null;
            /** Pinned */
            pinned?: boolean | null;
            /** Title */
            title?: string | null;
        };
        /** ConversationOut */
        ConversationOut: {
            agent: components["schemas"]["AgentRef"];
            /** Archived */
            archived: boolean;
            /** Created At */
            created_at: string;
            /** Id */
            id: string;
            /**
             * Mode
             * @enum {string}
             */
            mode: "model" | "keyword";
            /** Pinned */
            pinned: boolean;
            /** Status */
            status: string | null;
            /** Title */
            title: string;
            /** Updated At */
            updated_at: string;
        };
        /**
         * ConversationShareOut
         * @description A link by which colleagues read a conversation, as it was at `at`.
         */
        ConversationShareOut: {
            /** At */
            at: string;
            /** Turn Id */
            turn_id: string;
            /** Url */
            url: string;
        };
        /** ConversationUsage */
        ConversationUsage: {
            /** Cache Read Tokens */
            cache_read_tokens: number;
            /** Cache Write Tokens */
            cache_write_tokens: number;
            /** Context Tokens */
            context_tokens: number;
            /** Cost Usd */
            cost_usd: number;
            /** Input Tokens */
            input_tokens: number;
            /** Output Tokens */
            output_tokens: number;
            /** Replies */
            replies: number;
        };
        /**
         * Credentials
         * @example {
         *       "email": "rui@demo.com",
         *       "password": "rui123"
         *     }
         */
        Credentials: {
            /**
             * Cookie
             * @default false
             */
            cookie: boolean;
            /** Email */
            email: string;
            /** Password */
            password: string;
        };
        /**
         * CustomToolOut
         * @description One version of a custom tool.
         */
        CustomToolOut: {
            /** Allowed Callers */
            allowed_callers: string[];
            /** Category */
            category: string;
            /** Created At */
            created_at: string;
            /** Created By */
            created_by: number;
            /** Definition */
            definition: {
                [key: string]: unknown;
            };
            /** Description */
            description: string;
            /** Effect */
            effect: string;
            /** Is Current */
            is_current: boolean;
            /**
             * Kind
             * @enum {string}
             */
            kind: "http" | "sql" | "python" | "composed";
            /** Name */
            name: string;
            /** Owner Id */
            owner_id: number | null;
            /** Parameters */
            parameters: {
                [key: string]: unknown;
            }[];
            /**
             * Permission Level
             * @enum {string}
             */
            permission_level: "operador" | "responsavel" | "admin";
            /** Requires Confirmation */
            requires_confirmation: boolean;
            /** Version */
            version: number;
        };
        /**
         * DashboardCall
         * @description The call behind an item, and the conversation whose data sets it reads.
         */
        DashboardCall: {
            /** Conversation Id */
            conversation_id?: string | null;
            /** Input */
            input: {
                [key: string]: unknown;
            };
            /** Name */
            name: string;
        };
        /**
         * DashboardItem
         * @description What is shown; `error` says why a refresh left the last picture in place.
         */
        DashboardItem: {
            call: components["schemas"]["DashboardCall"] | null;
            /** Data */
            data: {
                [key: string]: unknown;
            };
            /** Error */
            error: string | null;
            /** Filter Note */
            filter_note?: string | null;
            /** Id */
            id: string;
            /** Is Live */
            is_live: boolean;
            place?: components["schemas"]["TilePlace"] | null;
            /** Refreshed At */
            refreshed_at?: string | null;
            /**
             * Stale
             * @default false
             */
            stale: boolean;
            /** Type */
            type: string;
        };
        /**
         * DashboardKept
         * @description A dashboard was kept and can be opened at `url`.
         */
        DashboardKept: {
            /** Id */
            id: string;
            /** Titulo */
            titulo: string;
            /**
             * Type
             * @default dashboard
             * @constant
             */
            type: "dashboard";
            /** Url */
            url: string;
        };
        /** DashboardOut */
        DashboardOut: {
            /** Created At */
            created_at: string;
            filter: components["schemas"]["FilterShape"] | null;
            /** Html */
            html: string | null;
            /** Id */
            id: string;
            /** Items */
            items: components["schemas"]["DashboardItem"][];
            /** Outside */
            outside: boolean;
            /** Refresh Minutes */
            refresh_minutes: number | null;
            /** Shared */
            shared: boolean;
            /** Titulo */
            titulo: string;
            /** Updated At */
            updated_at: string;
            /** Url */
            url: string;
        };
        /** DatasetOut */
        DatasetOut: {
            /** Id */
            id: string;
            /** Name */
            name: string;
            /** Rows */
            rows: number;
            /** Summary */
            summary: {
                [key: string]: unknown;
            };
            /** Table */
            table: string;
        };
        /**
         * Decided
         * @description A waiting call was decided.
         */
        Decided: {
            /** By */
            by: string;
            /**
             * Decision
             * @enum {string}
             */
            decision: "approve" | "reject" | "expired";
            /** Id */
            id: string;
            /**
             * Input
             * @default null
             */
            input: unknown;
            /**
             * Reason
             * @default null
             */
            reason: string | null;
            /** Tool Use Id */
            tool_use_id: string;
            /**
             * Type
             * @default decision
             * @constant
             */
            type: "decision";
        };
        /** Decision */
        Decision: {
            /**
             * Decision
             * @enum {string}
             */
            decision: "approve" | "reject";
            /** Input */
            input?: {
                [key: string]: unknown;
            } | null;
            /** Reason */
            reason?: string | null;
            /** Remember */
            remember?: "conversation" | null;
        };
        /** DetectedIntent */
        DetectedIntent: {
            /** Confidence */
            confidence: number;
            /** Intent */
            intent: string | null;
            /** Parameters */
            parameters: {
                [key: string]: unknown;
            };
        };
        /**
         * Done
         * @description Last of every turn. `waiting` is sent but not stored.
         */
        Done: {
            /** Iterations */
            iterations: number;
            /**
             * Status
             * @enum {string}
             */
            status: "done" | "waiting" | "stopped" | "failed";
            /** Turn Id */
            turn_id: string;
            /**
             * Type
             * @default done
             * @constant
             */
            type: "done";
        };
        /**
         * ErasedOut
         * @description What went, or would go.
         */
        ErasedOut: {
            /** Audit Entries */
            audit_entries: number;
            /** Compacted */
            compacted: boolean;
            /** Files */
            files: number;
            /** Rows */
            rows: {
                [key: string]: number;
            };
        };
        /**
         * Erasure
         * @description Whose data is erased, said once more: it does not come back.
         */
        Erasure: {
            /**
             * Dry Run
             * @default false
             */
            dry_run: boolean;
            /** Email */
            email: string;
        };
        /**
         * Error
         * @description Something went wrong, in words a person can act on.
         */
        Error: {
            /**
             * Code
             * @enum {string}
             */
            code: "invalid_api_key" | "rate_limited" | "overloaded" | "budget_exceeded" | "context_exceeded" | "refused" | "internal";
            /** Content */
            content: string;
            /** Retryable */
            retryable: boolean;
            /**
             * Type
             * @default error
             * @constant
             */
            type: "error";
        };
        /**
         * Estimate
         * @description A mean and the interval it lies in, nineteen times of twenty.
         */
        Estimate: {
            /** High */
            high: number | null;
            /** Low */
            low: number | null;
            /** Mean */
            mean: number | null;
            /** N */
            n: number;
        };
        /** ExperimentChange */
        ExperimentChange: {
            /** Is Running */
            is_running?: boolean | null;
            /** Name */
            name?: string | null;
        };
        /** ExperimentOut */
        ExperimentOut: {
            agent: components["schemas"]["AgentRef"];
            /** Created At */
            created_at: string;
            /** Ended At */
            ended_at: string | null;
            /** Id */
            id: number;
            /** Is Running */
            is_running: boolean;
            /** Name */
            name: string;
            /** Variants */
            variants: components["schemas"]["Variant"][];
        };
        /** ExperimentResult */
        ExperimentResult: {
            agent: components["schemas"]["AgentRef"];
            /** Comparisons */
            comparisons: components["schemas"]["Comparison"][];
            /** Created At */
            created_at: string;
            /** Ended At */
            ended_at: string | null;
            /** Id */
            id: number;
            /** Is Running */
            is_running: boolean;
            /** Name */
            name: string;
            /** Results */
            results: components["schemas"]["VariantResult"][];
            /** Variants */
            variants: components["schemas"]["Variant"][];
        };
        /** FeedbackIn */
        FeedbackIn: {
            /** Comment */
            comment?: string | null;
            /** Reasons */
            reasons?: ("wrong" | "incomplete" | "misunderstood" | "unclear" | "slow")[];
            /**
             * Value
             * @enum {integer}
             */
            value: -1 | 0 | 1;
        };
        /**
         * FieldCondition
         * @description One field of the arguments, compared with a value; `a.b` goes into an object.
         */
        FieldCondition: {
            /** Field */
            field: string;
            /**
             * Op
             * @enum {string}
             */
            op: "==" | "!=" | ">" | ">=" | "<" | "<=" | "in" | "contains" | "matches" | "present";
            /** Value */
            value?: unknown;
        };
        /**
         * FilterShape
         * @description What a board is filtered by: some days, both ends included, and some values of one column.
         */
        FilterShape: {
            /** Column */
            column?: string | null;
            /** Dates */
            dates?: string | null;
            /** Since */
            since?: string | null;
            /** Until */
            until?: string | null;
            /** Values */
            values?: (string | null)[];
        };
        /** FindingOut */
        FindingOut: {
            /** Name */
            name: string;
            /** Says */
            says: string;
            /**
             * Status
             * @enum {string}
             */
            status: "ok" | "note" | "missing";
        };
        /**
         * FoundConversation
         * @description A conversation of the list; `passage` when words were looked for and a message has them.
         */
        FoundConversation: {
            agent: components["schemas"]["AgentRef"];
            /** Archived */
            archived: boolean;
            /** Created At */
            created_at: string;
            /** Id */
            id: string;
            /**
             * Mode
             * @enum {string}
             */
            mode: "model" | "keyword";
            passage?: components["schemas"]["PassageOut"] | null;
            /** Pinned */
            pinned: boolean;
            /** Status */
            status: string | null;
            /** Title */
            title: string;
            /** Updated At */
            updated_at: string;
        };
        /** FoundOut */
        FoundOut: {
            /** New */
            new: boolean;
            /** Says */
            says: string;
        };
        /**
         * Frame
         * @description One SSE frame. `done` with status `waiting` has no id.
         */
        Frame: {
            data?: string;
            id?: string;
        };
        /** Graph */
        Graph: {
            /** Data */
            data: {
                [key: string]: unknown;
            };
            /**
             * Type
             * @default graph
             * @constant
             */
            type: "graph";
        };
        /**
         * GraphOut
         * @description An organisation's graph.
         */
        GraphOut: {
            /** Demo */
            demo: boolean;
            /** Edges */
            edges: number;
            /** Imported At */
            imported_at: string;
            /** Labels */
            labels: components["schemas"]["LabelOut"][];
            /** Name */
            name: string;
            /** Nodes */
            nodes: number;
            /** Relations */
            relations: components["schemas"]["RelationOut"][];
        };
        /** GraphState */
        GraphState: {
            graph: components["schemas"]["GraphOut"] | null;
            /** Missing */
            missing: boolean;
        };
        /** Health */
        Health: {
            /** Status */
            status: string;
            /** Version */
            version: string;
        };
        /** HonouredOut */
        HonouredOut: {
            /**
             * Feature
             * @enum {string}
             */
            feature: "answers" | "streaming" | "tools" | "results" | "tool_choice_none" | "cache" | "effort" | "thinking" | "images" | "count_tokens";
            /**
             * Finds
             * @enum {string}
             */
            finds: "yes" | "no" | "ignored" | "text";
            /** Says */
            says: string;
        };
        /**
         * HttpRequest
         * @description One request; `{name}` stands for a parameter, `{secret:NAME}` for one of the secrets.
         */
        HttpRequest: {
            /** Body */
            body?: unknown;
            /** Form */
            form?: {
                [key: string]: string;
            };
            /** Headers */
            headers?: {
                [key: string]: string;
            };
            /**
             * Method
             * @default GET
             * @enum {string}
             */
            method: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";
            /** Query */
            query?: {
                [key: string]: string;
            };
            /**
             * Result
             * @default
             */
            result: string;
            /**
             * Timeout
             * @default 20
             */
            timeout: number;
            /** Url */
            url: string;
        };
        /**
         * HttpTool
         * @description A tool that makes one HTTP request.
         */
        HttpTool: {
            /** Allowed Callers */
            allowed_callers?: ("direct" | "code_execution_20250825" | "code_execution_20260120" | "code_execution_20260521")[] | null;
            /** Category */
            category?: ("data" | "render" | "dashboard" | "code" | "graph" | "action") | null;
            definition: components["schemas"]["HttpRequest"];
            /** Description */
            description: string;
            /** Effect */
            effect?: ("read" | "write") | null;
            /**
             * Kind
             * @constant
             */
            kind: "http";
            /** Name */
            name: string;
            /** Parameters */
            parameters?: components["schemas"]["ParameterShape"][];
            /** Permission Level */
            permission_level?: ("operador" | "responsavel" | "admin") | null;
            /** Requires Confirmation */
            requires_confirmation?: boolean | null;
        };
        /** HTTPValidationError */
        HTTPValidationError: {
            /** Detail */
            detail?: components["schemas"]["ValidationError"][];
        };
        /**
         * IntentTrace
         * @description What the offline planner makes of the question.
         */
        IntentTrace: {
            /** Confidence */
            confidence: number;
            /** Intent */
            intent: string;
            /** Parameters */
            parameters: {
                [key: string]: unknown;
            };
            /** Steps */
            steps: {
                [key: string]: unknown;
            }[];
        };
        /** KeyChange */
        KeyChange: {
            /** Name */
            name: string;
        };
        /** KeyMade */
        KeyMade: {
            /** Agent */
            agent: string | null;
            /** Created At */
            created_at: string;
            /** Expires At */
            expires_at: string | null;
            /** Id */
            id: number;
            /** Key */
            key: string;
            /** Last Used At */
            last_used_at: string | null;
            /** Month Cost Usd */
            month_cost_usd: number;
            /** Month Replies */
            month_replies: number;
            /** Monthly Budget Usd */
            monthly_budget_usd: number | null;
            /** Name */
            name: string;
            /** Prefix */
            prefix: string;
            /** Requests Per Minute */
            requests_per_minute: number | null;
            /** Revoked At */
            revoked_at: string | null;
            /** Scopes */
            scopes: ("chat" | "tools" | "gateway" | "mcp" | "admin:read" | "scim")[];
            /** Tokens Per Minute */
            tokens_per_minute: number | null;
            user: components["schemas"]["KeyOwner"];
        };
        /**
         * KeyOut
         * @description A key without the key: only its first characters are known.
         */
        KeyOut: {
            /** Agent */
            agent: string | null;
            /** Created At */
            created_at: string;
            /** Expires At */
            expires_at: string | null;
            /** Id */
            id: number;
            /** Last Used At */
            last_used_at: string | null;
            /** Month Cost Usd */
            month_cost_usd: number;
            /** Month Replies */
            month_replies: number;
            /** Monthly Budget Usd */
            monthly_budget_usd: number | null;
            /** Name */
            name: string;
            /** Prefix */
            prefix: string;
            /** Requests Per Minute */
            requests_per_minute: number | null;
            /** Revoked At */
            revoked_at: string | null;
            /** Scopes */
            scopes: ("chat" | "tools" | "gateway" | "mcp" | "admin:read" | "scim")[];
            /** Tokens Per Minute */
            tokens_per_minute: number | null;
            user: components["schemas"]["KeyOwner"];
        };
        /** KeyOwner */
        KeyOwner: {
            /** Email */
            email: string;
            /** Id */
            id: number;
            /** Name */
            name: string;
        };
        /** KeyRotation */
        KeyRotation: {
            /**
             * Hours
             * @default 24
             */
            hours: number;
        };
        /** Kpi */
        Kpi: {
            /** Data */
            data: {
                [key: string]: unknown;
            };
            /**
             * Type
             * @default kpi
             * @constant
             */
            type: "kpi";
        };
        /** LabelOut */
        LabelOut: {
            /** Count */
            count: number;
            /** Kinds */
            kinds: {
                [key: string]: number;
            };
            /** Label */
            label: string;
        };
        /** LinkMade */
        LinkMade: {
            /** Link */
            link: string;
        };
        /**
         * LinkOut
         * @description What a one-time link does: create the administrator, or set a password.
         */
        LinkOut: {
            /** Email */
            email: string | null;
            /** Purpose */
            purpose: string;
        };
        /**
         * MakeStudy
         * @description Make a saved study again: one of yours, or one that is shared with you.
         */
        MakeStudy: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "study";
            /** Study Id */
            study_id: string;
        };
        /**
         * Me
         * @description The person who is signed in, and what answers them.
         */
        Me: {
            /** Email */
            email: string;
            /** Id */
            id: number;
            /**
             * Language
             * @enum {string}
             */
            language: "pt" | "en";
            /** Language Chosen */
            language_chosen: boolean;
            /** May Define Tools */
            may_define_tools: boolean;
            /** Model */
            model: string;
            /** Name */
            name: string;
            /** Nome */
            nome: string;
            /** Offline */
            offline: boolean;
            organisation: components["schemas"]["OrganisationRef"];
            /**
             * Role
             * @enum {string}
             */
            role: "operador" | "responsavel" | "admin";
            /** Version */
            version: string;
        };
        /** MeChange */
        MeChange: {
            /** Language */
            language?: ("pt" | "en") | null;
            /** Name */
            name?: string | null;
        };
        /** Mensagem */
        Mensagem: {
            /** Content */
            content: string;
        };
        /** MessageIn */
        MessageIn: {
            /** Content */
            content?: unknown;
            /** Id */
            id: string;
            /** Role */
            role: string;
        } & {
            [key: string]: unknown;
        };
        /** MessageOut */
        MessageOut: {
            /** Content */
            content: {
                [key: string]: unknown;
            }[];
            /** Created At */
            created_at: string;
            /** Id */
            id: string;
            /** Metadata */
            metadata: {
                [key: string]: unknown;
            };
            /**
             * Role
             * @enum {string}
             */
            role: "user" | "assistant";
        };
        /**
         * ModelsOut
         * @description The providers, the one that answers by default first.
         */
        ModelsOut: {
            /** Fallback */
            fallback: string[];
            /**
             * Mode
             * @enum {string}
             */
            mode: "offline" | "providers";
            /** Providers */
            providers: components["schemas"]["ProviderOut"][];
        };
        /**
         * MyNewKey
         * @example {
         *       "name": "nightly report",
         *       "scopes": [
         *         "chat"
         *       ]
         *     }
         */
        MyNewKey: {
            /** Agent */
            agent?: number | string | null;
            /** Days */
            days?: number | null;
            /** Monthly Budget Usd */
            monthly_budget_usd?: number | null;
            /**
             * Name
             * @default
             */
            name: string;
            /** Requests Per Minute */
            requests_per_minute?: number | null;
            /**
             * Scopes
             * @default []
             */
            scopes: ("chat" | "tools" | "gateway" | "mcp" | "admin:read" | "scim")[];
            /** Tokens Per Minute */
            tokens_per_minute?: number | null;
        };
        /**
         * MyTool
         * @description A tool this person may use, and whether they have switched it off for themselves.
         */
        MyTool: {
            /** Category */
            category: string;
            /** Description */
            description: string;
            /** Hides Own */
            hides_own: boolean;
            /** Is Enabled */
            is_enabled: boolean;
            /** Name */
            name: string;
            /** Own */
            own: boolean;
            /** Shown */
            shown: string;
        };
        /** MyToolChange */
        MyToolChange: {
            /** Is Enabled */
            is_enabled: boolean;
            /** Name */
            name: string;
        };
        /**
         * NewAgent
         * @example {
         *       "description": "Compares shifts",
         *       "name": "Turnos",
         *       "system_prompt": "És um assistente de qualidade.",
         *       "tools": [
         *         "contar_defeitos"
         *       ]
         *     }
         */
        NewAgent: {
            /**
             * Code
             * @default direct
             * @enum {string}
             */
            code: "direct" | "local" | "anthropic";
            /**
             * Description
             * @default
             */
            description: string;
            /** Effort */
            effort?: ("low" | "medium" | "high" | "xhigh" | "max") | null;
            /**
             * Last Answer
             * @default true
             */
            last_answer: boolean;
            /**
             * Max History
             * @default 20
             */
            max_history: number;
            /**
             * Max Iterations
             * @default 8
             */
            max_iterations: number;
            /**
             * Max Tokens
             * @default 4096
             */
            max_tokens: number;
            /**
             * Mode
             * @default model
             * @enum {string}
             */
            mode: "model" | "keyword";
            /** Model */
            model?: string | null;
            /** Name */
            name: string;
            /**
             * Starters
             * @default []
             */
            starters: string[];
            /**
             * System Prompt
             * @default
             */
            system_prompt: string;
            /**
             * Tools
             * @default []
             */
            tools: string[];
        };
        /**
         * NewConnection
         * @description What an administrator says of a server: over HTTP only.
         */
        NewConnection: {
            /**
             * Credentials
             * @default none
             * @enum {string}
             */
            credentials: "none" | "shared" | "person";
            /** Headers */
            headers?: {
                [key: string]: string;
            } | null;
            /** Name */
            name: string;
            /** Url */
            url: string;
        };
        /**
         * NewConversation
         * @example {
         *       "agent": "Qualidade"
         *     }
         */
        NewConversation: {
            /** Agent */
            agent: number | string;
        };
        /**
         * NewExperiment
         * @example {
         *       "agent": "Qualidade",
         *       "name": "With or without code",
         *       "variants": [
         *         {
         *           "changes": {},
         *           "name": "as it is"
         *         },
         *         {
         *           "changes": {
         *             "code": "local"
         *           },
         *           "name": "code"
         *         }
         *       ]
         *     }
         */
        NewExperiment: {
            /** Agent */
            agent: number | string;
            /** Name */
            name: string;
            /** Variants */
            variants: components["schemas"]["Variant"][];
        };
        /**
         * NewKey
         * @example {
         *       "name": "nightly report",
         *       "user": "rui@demo.com"
         *     }
         */
        NewKey: {
            /** Agent */
            agent?: number | string | null;
            /** Days */
            days?: number | null;
            /** Monthly Budget Usd */
            monthly_budget_usd?: number | null;
            /**
             * Name
             * @default
             */
            name: string;
            /** Requests Per Minute */
            requests_per_minute?: number | null;
            /**
             * Scopes
             * @default []
             */
            scopes: ("chat" | "tools" | "gateway" | "mcp" | "admin:read" | "scim")[];
            /** Tokens Per Minute */
            tokens_per_minute?: number | null;
            /** User */
            user?: number | string | null;
        };
        /**
         * NewNoticeAddress
         * @description Where to tell you: an e-mail address, or a chat room's.
         * @example {
         *       "address": "slack://T1/A1/secret",
         *       "channel": "chat",
         *       "kinds": [
         *         "approval"
         *       ]
         *     }
         */
        NewNoticeAddress: {
            /** Address */
            address: string;
            /**
             * Channel
             * @enum {string}
             */
            channel: "email" | "chat";
            /** Kinds */
            kinds?: ("approval" | "decision" | "turn" | "alarm")[];
        };
        /**
         * NewOrganisation
         * @example {
         *       "name": "Fábrica Norte"
         *     }
         */
        NewOrganisation: {
            /** Monthly Budget Usd */
            monthly_budget_usd?: number | null;
            /** Name */
            name: string;
            settings?: components["schemas"]["OrganisationSettings"];
        };
        /**
         * NewSchedule
         * @description What to do, and when.
         * @example {
         *       "cron": "30 7 * * mon-fri",
         *       "does": {
         *         "agent": "Qualidade",
         *         "content": "How many defects yesterday?",
         *         "kind": "question"
         *       },
         *       "time_zone": "Europe/Lisbon",
         *       "title": "Every morning"
         *     }
         */
        NewSchedule: {
            /** Alarms */
            alarms?: (components["schemas"]["RuleAlarm"] | components["schemas"]["ThresholdAlarm"])[];
            /**
             * Catch Up
             * @default true
             */
            catch_up: boolean;
            /** Cron */
            cron: string;
            /** Does */
            does: components["schemas"]["RefreshDashboard"] | components["schemas"]["AskQuestion"] | components["schemas"]["MakeStudy"];
            /**
             * Paused
             * @default false
             */
            paused: boolean;
            proposal?: components["schemas"]["ProposedCall"] | null;
            /** Time Zone */
            time_zone: string;
            /** Title */
            title: string;
        };
        /**
         * NewUser
         * @example {
         *       "email": "eva@example.com",
         *       "name": "Eva",
         *       "role": "responsavel"
         *     }
         */
        NewUser: {
            /** Agents */
            agents?: (number | string)[] | null;
            /** Email */
            email: string;
            /**
             * Language
             * @default pt
             * @enum {string}
             */
            language: "pt" | "en";
            /** Monthly Budget Usd */
            monthly_budget_usd?: number | null;
            /** Name */
            name?: string | null;
            /** Organisation Id */
            organisation_id?: number | null;
            /** Password */
            password?: string | null;
            /**
             * Role
             * @default operador
             * @enum {string}
             */
            role: "operador" | "responsavel" | "admin";
        };
        /**
         * NoticeAddressOut
         * @description An address of yours; what is secret in it is not shown again.
         */
        NoticeAddressOut: {
            /**
             * Channel
             * @enum {string}
             */
            channel: "email" | "chat";
            /** Created At */
            created_at: string;
            /** Dead */
            dead: boolean;
            /** Id */
            id: string;
            /** Kinds */
            kinds: ("approval" | "decision" | "turn" | "alarm")[];
            /** Ok At */
            ok_at: string | null;
            /** Problem */
            problem: string | null;
            /** Shown */
            shown: string;
        };
        /** NoticeChoice */
        NoticeChoice: {
            /** Kinds */
            kinds: ("approval" | "decision" | "turn" | "alarm")[];
        };
        /**
         * Notices
         * @description Your addresses, and what this installation can reach.
         */
        Notices: {
            /** Addresses */
            addresses: components["schemas"]["NoticeAddressOut"][];
            /** Email */
            email: boolean;
            /** Schemes */
            schemes: string[];
        };
        /**
         * NovaConversa
         * @description O agente, pelo nome ou pelo id.
         * @example {
         *       "agente": "Qualidade"
         *     }
         */
        NovaConversa: {
            /** Agente */
            agente?: string | null;
            /** Agente Id */
            agente_id?: number | null;
        } | unknown | unknown;
        /** OpinionOut */
        OpinionOut: {
            agent: components["schemas"]["AgentRef"];
            /** At */
            at: string;
            /** Comment */
            comment: string | null;
            /** Message Id */
            message_id: string;
            /** Model */
            model: string;
            /** Person */
            person: string;
            /** Question */
            question: string;
            /** Reasons */
            reasons: ("wrong" | "incomplete" | "misunderstood" | "unclear" | "slow")[];
            /** Turn Id */
            turn_id: string;
            /**
             * Value
             * @enum {integer}
             */
            value: -1 | 1;
        };
        /** OpinionPage */
        OpinionPage: {
            /** Entries */
            entries: components["schemas"]["OpinionOut"][];
            /** Next */
            next: number | null;
        };
        /**
         * OrganisationChange
         * @description What is absent stays. Settings are changed one by one; null removes one.
         */
        OrganisationChange: {
            /** Monthly Budget Usd */
            monthly_budget_usd?: number | null;
            /** Name */
            name?: string | null;
            settings?: components["schemas"]["OrganisationSettings"] | null;
        };
        /** OrganisationOut */
        OrganisationOut: {
            /** Created At */
            created_at: string;
            /** Databases */
            databases: string[];
            /** Id */
            id: number;
            /** Monthly Budget Usd */
            monthly_budget_usd: number | null;
            /** Name */
            name: string;
            /** Pack Tables */
            pack_tables: string[];
            /** People */
            people: number;
            /** Settings */
            settings: {
                [key: string]: unknown;
            };
        };
        /** OrganisationRef */
        OrganisationRef: {
            /** Id */
            id: number;
            /** Name */
            name: string;
        };
        /**
         * OrganisationSettings
         * @description An organisation's settings: these are known; others are kept as they are.
         */
        OrganisationSettings: {
            /** Custom Tools */
            custom_tools?: ("off" | "admins" | "users") | null;
            /** Egress */
            egress?: string[] | null;
            /** Outside Content Writes */
            outside_content_writes?: ("ask" | "allow") | null;
            /** Secrets */
            secrets?: {
                [key: string]: string | null;
            } | null;
            /** Tables */
            tables?: {
                [key: string]: components["schemas"]["TableSource"] | null;
            } | null;
        } & {
            [key: string]: unknown;
        };
        /**
         * Outside
         * @description Text from outside is in what the model reads; what it writes from here on may repeat it.
         */
        Outside: {
            /**
             * Type
             * @default outside
             * @constant
             */
            type: "outside";
        };
        /**
         * OwnCall
         * @example {
         *       "input": {}
         *     }
         */
        OwnCall: {
            /** Agent */
            agent?: string | null;
            /** Input */
            input?: unknown;
            /** Session Id */
            session_id?: string | null;
        };
        /** OwnConnection */
        OwnConnection: {
            /**
             * Credentials
             * @enum {string}
             */
            credentials: "none" | "shared" | "person";
            /** Id */
            id: string;
            /** Name */
            name: string;
            /** Signed In */
            signed_in: boolean;
            /** Status */
            status: string;
        };
        /** OwnOrganisationChange */
        OwnOrganisationChange: {
            settings: components["schemas"]["OrganisationSettings"];
        };
        /**
         * PanelCall
         * @example {
         *       "input": {},
         *       "user": "rui@demo.com"
         *     }
         */
        PanelCall: {
            /** Input */
            input?: unknown;
            /** User */
            user?: number | string | null;
        };
        /**
         * ParameterShape
         * @description One parameter; its words may also be those of JSON Schema (`required`, `default`, …).
         */
        ParameterShape: {
            /** Constraints */
            constraints?: {
                [key: string]: unknown;
            };
            /** Default Value */
            default_value?: unknown;
            /**
             * Description
             * @default
             */
            description: string;
            /**
             * Is Required
             * @default true
             */
            is_required: boolean;
            /** Name */
            name: string;
            /**
             * Type
             * @default string
             * @enum {string}
             */
            type: "string" | "integer" | "number" | "boolean" | "array" | "object";
        };
        /**
         * PassageOut
         * @description Where in a conversation the words were found.
         */
        PassageOut: {
            /** Message Id */
            message_id: string;
            /** Pieces */
            pieces: components["schemas"]["PieceOut"][];
            /** Role */
            role: string;
            /** Turn Id */
            turn_id: string | null;
        };
        /** PasswordChange */
        PasswordChange: {
            /** Current */
            current: string;
            /** New */
            new: string;
        };
        /** PersonRef */
        PersonRef: {
            /** Id */
            id: number;
            /** Name */
            name: string;
        };
        /**
         * PieceOut
         * @description A stretch of text, and whether it is what was looked for.
         */
        PieceOut: {
            /** Hit */
            hit: boolean;
            /** Text */
            text: string;
        };
        /** Pin */
        Pin: {
            /** Dashboard Id */
            dashboard_id?: string | null;
            /** Items */
            items: (components["schemas"]["PinnedEvent"] | components["schemas"]["PinnedItem"])[];
            /**
             * Titulo
             * @default
             */
            titulo: string;
        };
        /**
         * PinnedEvent
         * @description What an event of one of your conversations showed, with the call that made it.
         */
        PinnedEvent: {
            /** Event */
            event: string;
        };
        /**
         * PinnedItem
         * @description A widget you bring: it is checked as the tool that draws such a widget would.
         */
        PinnedItem: {
            /** Data */
            data: {
                [key: string]: unknown;
            };
            /** Input */
            input?: {
                [key: string]: unknown;
            } | null;
            /** Tool */
            tool?: string | null;
            /**
             * Type
             * @enum {string}
             */
            type: "chart" | "table" | "kpi" | "graph" | "text";
        };
        /**
         * PolicyTrial
         * @description What the rule would have done to the recorded calls of your organisation.
         */
        PolicyTrial: {
            /** Allowed */
            allowed: number;
            /** Asked */
            asked: number;
            /** Calls */
            calls: number;
            /** Changed */
            changed: number;
            /** Examples */
            examples: {
                [key: string]: unknown;
            }[];
            /** Is Cut */
            is_cut: boolean;
            /** Stopped */
            stopped: number;
            /** Tool */
            tool: string;
        };
        /**
         * PolicyTry
         * @description A rule to try: a tool, a level, and what that level would say.
         * @example {
         *       "confirmation": {
         *         "approver_role": "responsavel",
         *         "when": {
         *           "field": "priority",
         *           "op": "==",
         *           "value": "high"
         *         }
         *       },
         *       "since": "30d",
         *       "tool": "createTask"
         *     }
         */
        PolicyTry: {
            /** Allowed Callers */
            allowed_callers?: ("direct" | "code_execution_20250825" | "code_execution_20260120" | "code_execution_20260521")[] | null;
            budget?: components["schemas"]["Budget"] | null;
            /** Cache Seconds */
            cache_seconds?: number | null;
            /** Confirmation */
            confirmation?: ((("never" | "always") | boolean) | components["schemas"]["ConfirmWhen"]) | null;
            /** Is Enabled */
            is_enabled?: boolean | null;
            /** Permission Level */
            permission_level?: ("operador" | "responsavel" | "admin") | null;
            /** Requires Confirmation */
            requires_confirmation?: boolean | null;
            /** Scope */
            scope?: "global" | ("organisation" | "role" | "agent" | "user") | null;
            /**
             * Since
             * @default 30d
             */
            since: string;
            /**
             * Subject
             * @default
             */
            subject: string;
            /** Tool */
            tool: string;
        };
        /** ProbeOut */
        ProbeOut: {
            /** Asked At */
            asked_at: string;
            /** Honours */
            honours: components["schemas"]["HonouredOut"][];
            /** Model */
            model: string;
        };
        /**
         * ProblemDetail
         * @description What went wrong, for a person.
         * @example {
         *       "detail": "There is no such conversation.",
         *       "status": 404,
         *       "title": "Not found",
         *       "type": "about:blank"
         *     }
         */
        ProblemDetail: {
            /** Detail */
            detail: string;
            /** Status */
            status: number;
            /** Title */
            title: string;
            /**
             * Type
             * @default about:blank
             */
            type: string;
        };
        /**
         * Program
         * @description Python that finds its arguments in `input` and leaves its answer in `result`.
         */
        Program: {
            /** Code */
            code: string;
            /**
             * Timeout
             * @default 30
             */
            timeout: number;
        };
        /**
         * ProposedCall
         * @description A call that is put to a person when an alarm goes off; it never runs by itself.
         */
        ProposedCall: {
            /** Input */
            input?: {
                [key: string]: unknown;
            };
            /** Tool */
            tool: string;
        };
        /** ProviderFinding */
        ProviderFinding: {
            /** Says */
            says: string;
            /**
             * Status
             * @enum {string}
             */
            status: "ok" | "note" | "missing";
        };
        /** ProviderOut */
        ProviderOut: {
            /** Address */
            address: string;
            /** Agents */
            agents: string[] | null;
            /** Concurrency */
            concurrency: number | null;
            /** Default */
            default: string;
            /** Kind */
            kind: string;
            /** Max Context */
            max_context: number | null;
            /** Models */
            models: string[];
            /** Name */
            name: string;
            /** Organisations */
            organisations: string[] | null;
            /** Outside Data */
            outside_data: boolean;
            /** Probes */
            probes: components["schemas"]["ProbeOut"][];
            /** Rpm */
            rpm: number | null;
            /** Tpm */
            tpm: number | null;
        };
        /**
         * ProviderTest
         * @description What was found; nothing is missing where people can be sent there.
         */
        ProviderTest: {
            /** Findings */
            findings: components["schemas"]["ProviderFinding"][];
        };
        /** ProxyReply */
        ProxyReply: {
            /** Content */
            content: {
                [key: string]: unknown;
            }[];
            /** Stop Reason */
            stop_reason: string;
            /** Usage */
            usage: {
                [key: string]: number;
            };
        };
        /**
         * ProxyRequest
         * @example {
         *       "message": "Find all financial documents from Q4",
         *       "mode": "tool_enabled_chat"
         *     }
         */
        ProxyRequest: {
            /** Message */
            message?: string | null;
            /** Messages */
            messages?: {
                [key: string]: unknown;
            }[] | null;
            /**
             * Mode
             * @enum {string}
             */
            mode: "tool_enabled_chat" | "tool_continuation" | "intent_detection" | "generate_response" | "analytics";
            /** Session Id */
            session_id?: string | null;
            /** Tool Results */
            tool_results?: {
                [key: string]: unknown;
            }[] | null;
            /** Tools */
            tools?: {
                [key: string]: unknown;
            }[] | null;
        };
        /**
         * PythonTool
         * @description A tool that is a program.
         * @example {
         *       "definition": {
         *         "code": "result = input['a'] + input['b']"
         *       },
         *       "description": "Adds two numbers.",
         *       "kind": "python",
         *       "name": "soma",
         *       "parameters": [
         *         {
         *           "name": "a",
         *           "type": "number"
         *         },
         *         {
         *           "name": "b",
         *           "type": "number"
         *         }
         *       ]
         *     }
         */
        PythonTool: {
            /** Allowed Callers */
            allowed_callers?: ("direct" | "code_execution_20250825" | "code_execution_20260120" | "code_execution_20260521")[] | null;
            /** Category */
            category?: ("data" | "render" | "dashboard" | "code" | "graph" | "action") | null;
            definition: components["schemas"]["Program"];
            /** Description */
            description: string;
            /** Effect */
            effect?: ("read" | "write") | null;
            /**
             * Kind
             * @constant
             */
            kind: "python";
            /** Name */
            name: string;
            /** Parameters */
            parameters?: components["schemas"]["ParameterShape"][];
            /** Permission Level */
            permission_level?: ("operador" | "responsavel" | "admin") | null;
            /** Requires Confirmation */
            requires_confirmation?: boolean | null;
        };
        /**
         * Query
         * @example {
         *       "query": "How many assets in Biofilter 11?"
         *     }
         */
        Query: {
            /** Query */
            query: string;
        };
        /**
         * Question
         * @example {
         *       "content": "qual é o defeito mais frequente?"
         *     }
         */
        Question: {
            /** Content */
            content: string;
        };
        /** Readiness */
        Readiness: {
            /** Database */
            database: string;
            /** Model */
            model: string;
            /** Sandbox */
            sandbox: string;
            /** Status */
            status: string;
        };
        /**
         * ReadingOut
         * @description An uploaded file that is being read, and how much of the work is done, from 0 to 1.
         */
        ReadingOut: {
            /** Name */
            name: string;
            /** Share */
            share: number;
        };
        /**
         * RefreshDashboard
         * @description Bring a dashboard of yours up to date.
         */
        RefreshDashboard: {
            /** Dashboard Id */
            dashboard_id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "dashboard";
        };
        /**
         * RelationOut
         * @description A relation, and whether it counts as containment.
         */
        RelationOut: {
            /** Containment */
            containment: boolean;
            /** Count */
            count: number;
            /** Direction */
            direction: ("up" | "down") | null;
            /** Guessed */
            guessed: boolean;
            /**
             * Reason
             * @enum {string}
             */
            reason: "declared" | "format" | "name_up" | "name_down" | "shape_up" | "shape_down" | "not_declared" | "other_name" | "no_one_place" | "several_places" | "circle" | "second_place" | "closes_circle";
            /** Type */
            type: string;
        };
        /**
         * ReplyTrace
         * @description What one reply used, cost and took.
         */
        ReplyTrace: {
            /** At */
            at: string;
            /** Cache Read Tokens */
            cache_read_tokens: number;
            /** Cache Write Tokens */
            cache_write_tokens: number;
            /** Cost Usd */
            cost_usd: number | null;
            /** Duration Ms */
            duration_ms: number | null;
            /** Input Tokens */
            input_tokens: number;
            /** Is Estimated */
            is_estimated: boolean;
            /** Model */
            model: string;
            /** Output Tokens */
            output_tokens: number;
            /** Stop Reason */
            stop_reason: string;
        };
        /**
         * ResumeIn
         * @description The answer to one interrupt: `{"approved": true}`, or what the tool asked for.
         */
        ResumeIn: {
            /** Interruptid */
            interruptId: string;
            /** Payload */
            payload?: unknown;
            /**
             * Status
             * @enum {string}
             */
            status: "resolved" | "cancelled";
        } & {
            [key: string]: unknown;
        };
        /** Retry */
        Retry: {
            /** Content */
            content?: string | null;
            /** Turn Id */
            turn_id?: string | null;
        };
        /**
         * RuleAlarm
         * @description A control chart shows a rule broken.
         */
        RuleAlarm: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "rule";
            /** Rules */
            rules?: number[] | null;
        };
        /**
         * RunIn
         * @description A request to run the agent.
         * @example {
         *       "messages": [
         *         {
         *           "content": "Quantos defeitos há?",
         *           "id": "1",
         *           "role": "user"
         *         }
         *       ],
         *       "runId": "run-1",
         *       "threadId": "thread-1"
         *     }
         */
        RunIn: {
            /** Messages */
            messages: components["schemas"]["MessageIn"][];
            /** Resume */
            resume?: components["schemas"]["ResumeIn"][] | null;
            /** Runid */
            runId: string;
            /** Threadid */
            threadId: string;
        } & {
            [key: string]: unknown;
        };
        /**
         * RunOut
         * @description One time that it was done, or left out.
         */
        RunOut: {
            /** Confirmation Id */
            confirmation_id: string | null;
            /** Conversation Id */
            conversation_id: string | null;
            /** Due At */
            due_at: string;
            /** Ended At */
            ended_at: string | null;
            /** Found */
            found: components["schemas"]["FoundOut"][];
            /** Id */
            id: string;
            /** Missed */
            missed: number;
            /**
             * Reason
             * @enum {string}
             */
            reason: "due" | "missed" | "asked";
            /** Says */
            says: string[];
            /** Started At */
            started_at: string;
            /**
             * Status
             * @enum {string}
             */
            status: "running" | "done" | "alarm" | "failed" | "skipped";
        };
        /**
         * SaidOut
         * @description A question or a file in words, or an answer as the events that a reader sees of it.
         */
        SaidOut: {
            /** At */
            at: string;
            /**
             * Kind
             * @enum {string}
             */
            kind: "question" | "upload" | "answer";
            /** Parts */
            parts: {
                [key: string]: unknown;
            }[];
            /** Text */
            text: string;
        };
        /**
         * ScheduleChange
         * @description What is named changes.
         * @example {
         *       "paused": true
         *     }
         */
        ScheduleChange: {
            /** Alarms */
            alarms?: (components["schemas"]["RuleAlarm"] | components["schemas"]["ThresholdAlarm"])[] | null;
            /** Catch Up */
            catch_up?: boolean | null;
            /** Cron */
            cron?: string | null;
            /** Does */
            does?: (components["schemas"]["RefreshDashboard"] | components["schemas"]["AskQuestion"] | components["schemas"]["MakeStudy"]) | null;
            /** Paused */
            paused?: boolean | null;
            proposal?: components["schemas"]["ProposedCall"] | null;
            /** Time Zone */
            time_zone?: string | null;
            /** Title */
            title?: string | null;
        };
        /**
         * ScheduleOut
         * @description A schedule of yours.
         */
        ScheduleOut: {
            /** Alarms */
            alarms: {
                [key: string]: unknown;
            }[];
            /** Catch Up */
            catch_up: boolean;
            /** Created At */
            created_at: string;
            /** Cron */
            cron: string;
            /** Does */
            does: {
                [key: string]: unknown;
            };
            /** Id */
            id: string;
            last_run: components["schemas"]["RunOut"] | null;
            /** Next At */
            next_at: string | null;
            /** Paused */
            paused: boolean;
            /** Proposal */
            proposal: {
                [key: string]: unknown;
            } | null;
            /** Time Zone */
            time_zone: string;
            /** Title */
            title: string;
            /** Updated At */
            updated_at: string;
        };
        /**
         * SessionOut
         * @description A sign-in that counts.
         */
        SessionOut: {
            /** Address */
            address: string;
            /** Created At */
            created_at: string;
            /** Current */
            current: boolean;
            /** Device */
            device: string;
            /** Expires At */
            expires_at: string;
            /** How */
            how: string;
            /** Id */
            id: string;
            /** Last Seen At */
            last_seen_at: string;
        };
        /** Shared */
        Shared: {
            /** Url */
            url: string;
        };
        /**
         * SharedConversation
         * @description A colleague's conversation, up to where it was shared.
         */
        SharedConversation: {
            /** Agent */
            agent: string;
            /** Mine */
            mine: boolean;
            /** Person */
            person: string;
            /** Said */
            said: components["schemas"]["SaidOut"][];
            /** Shared At */
            shared_at: string;
            /** Title */
            title: string;
        };
        /** ShareOut */
        ShareOut: {
            /** Created At */
            created_at: string;
            /** Dashboard Id */
            dashboard_id: string;
            /** Email */
            email: string;
            /** Outside */
            outside: boolean;
            /** Owner */
            owner: string;
            /** Titulo */
            titulo: string;
        };
        /** ShownWidget */
        ShownWidget: {
            /** Data */
            data: {
                [key: string]: unknown;
            };
            /**
             * Type
             * @enum {string}
             */
            type: "chart" | "table" | "kpi" | "graph" | "dashboard";
        };
        /** SignedIn */
        SignedIn: {
            /** Name */
            name: string;
            /** Nome */
            nome: string;
            /**
             * Role
             * @enum {string}
             */
            role: "operador" | "responsavel" | "admin";
            /** Token */
            token: string;
        };
        /**
         * SignedOut
         * @description It ended here, and somebody signed in with a provider.
         */
        SignedOut: {
            /** Provider */
            provider: string;
        };
        /** SignInDoor */
        SignInDoor: {
            /** Url */
            url: string;
        };
        /** SignInOut */
        SignInOut: {
            break_glass: components["schemas"]["BreakGlass"] | null;
            /** Passwords */
            passwords: boolean;
            /** Providers */
            providers: components["schemas"]["SignInProvider"][];
            /** Scim */
            scim: string;
        };
        /** SignInOutcome */
        SignInOutcome: {
            /** Detail */
            detail: string;
            /** Ok */
            ok: boolean;
        };
        /**
         * SignInProvider
         * @description A provider as `bancada.toml` has it; its secret is not told.
         */
        SignInProvider: {
            /** Callback */
            callback: string;
            /** Client Id */
            client_id: string;
            /** Create */
            create: boolean;
            /** Default Role */
            default_role: ("operador" | "responsavel" | "admin") | null;
            /** Enabled */
            enabled: boolean;
            /** Issuer */
            issuer: string;
            /** Label */
            label: string;
            /** Name */
            name: string;
            /** Roles */
            roles: {
                [key: string]: "operador" | "responsavel" | "admin";
            };
        };
        /**
         * SqlQuery
         * @description One statement that reads; `:name` stands for a parameter.
         */
        SqlQuery: {
            /** Database */
            database: string;
            /**
             * Max Rows
             * @default 200
             */
            max_rows: number;
            /** Sql */
            sql: string;
            /**
             * Timeout
             * @default 10
             */
            timeout: number;
        };
        /**
         * SqlTool
         * @description A tool that reads a database which the operator named.
         */
        SqlTool: {
            /** Allowed Callers */
            allowed_callers?: ("direct" | "code_execution_20250825" | "code_execution_20260120" | "code_execution_20260521")[] | null;
            /** Category */
            category?: ("data" | "render" | "dashboard" | "code" | "graph" | "action") | null;
            definition: components["schemas"]["SqlQuery"];
            /** Description */
            description: string;
            /** Effect */
            effect?: ("read" | "write") | null;
            /**
             * Kind
             * @constant
             */
            kind: "sql";
            /** Name */
            name: string;
            /** Parameters */
            parameters?: components["schemas"]["ParameterShape"][];
            /** Permission Level */
            permission_level?: ("operador" | "responsavel" | "admin") | null;
            /** Requires Confirmation */
            requires_confirmation?: boolean | null;
        };
        /**
         * StandInChoice
         * @description Somebody of your organisation, and until when.
         * @example {
         *       "person": "rui@demo.com",
         *       "until": "2030-01-31T18:00:00Z"
         *     }
         */
        StandInChoice: {
            /** Person */
            person: number | string;
            /**
             * Until
             * Format: date-time
             */
            until: string;
        };
        /**
         * StandInOut
         * @description Who decides for you, until a moment.
         */
        StandInOut: {
            person: components["schemas"]["PersonRef"];
            /** Since */
            since: string;
            /** Until */
            until: string;
        };
        /**
         * StepShape
         * @description One call: `{name}` in its input stands for a parameter or an earlier step's result.
         */
        StepShape: {
            /** Input */
            input?: {
                [key: string]: unknown;
            };
            /** Name */
            name?: string | null;
            /** Tool */
            tool: string;
        };
        /** Stopped */
        Stopped: {
            /** Status */
            status: string;
        };
        /** StudyChange */
        StudyChange: {
            /** Name */
            name?: string | null;
            /** Shared */
            shared?: boolean | null;
        };
        /**
         * StudyOfCall
         * @description A call of a tool that reads.
         */
        StudyOfCall: {
            /** Conversation Id */
            conversation_id?: string | null;
            /** Input */
            input?: {
                [key: string]: unknown;
            };
            /** Name */
            name: string;
            /**
             * Shared
             * @default false
             */
            shared: boolean;
            /** Tool */
            tool: string;
        };
        /**
         * StudyOfEvent
         * @description The call behind what an event of one of your conversations showed.
         */
        StudyOfEvent: {
            /** Event */
            event: string;
            /** Name */
            name: string;
            /**
             * Shared
             * @default false
             */
            shared: boolean;
        };
        /**
         * StudyOut
         * @description A study that you see; it runs with the rights of whoever runs it.
         */
        StudyOut: {
            /** Created At */
            created_at: string;
            /** Id */
            id: string;
            /** Input */
            input: {
                [key: string]: unknown;
            };
            /** Name */
            name: string;
            /** Own */
            own: boolean;
            /** Owner */
            owner: string;
            /** Shared */
            shared: boolean;
            /** Tool */
            tool: string;
            /** Updated At */
            updated_at: string;
        };
        /**
         * StudyRunOut
         * @description How a study ended now; `error` says why it was not made.
         */
        StudyRunOut: {
            /** At */
            at: string;
            /** Error */
            error: string | null;
            /** In Control */
            in_control: boolean | null;
            /** Reading */
            reading: string;
            study: components["schemas"]["StudyOut"];
            /** Value */
            value: unknown;
            /** Widgets */
            widgets: components["schemas"]["ShownWidget"][];
        };
        /**
         * System
         * @description What the first organisation's administrators see; others learn nothing of the host.
         */
        System: {
            /** Database */
            database: string | null;
            /** Findings */
            findings: components["schemas"]["FindingOut"][];
            /** Model */
            model: string;
            /** Offline */
            offline: boolean;
            /** Sandbox */
            sandbox: string | null;
            /** Version */
            version: string | null;
        };
        /** Table */
        Table: {
            /** Data */
            data: {
                [key: string]: unknown;
            };
            /**
             * Type
             * @default table
             * @constant
             */
            type: "table";
        };
        /**
         * TableSource
         * @description A table of a pack that the organisation keeps in a database of its own.
         */
        TableSource: {
            /** Columns */
            columns?: {
                [key: string]: string;
            };
            /** Database */
            database: string;
            /** Table */
            table: string;
        };
        /**
         * Text
         * @description A piece of the answer.
         */
        Text: {
            /** Content */
            content: string;
            /**
             * Type
             * @default text
             * @constant
             */
            type: "text";
        };
        /**
         * Thinking
         * @description A piece of visible thinking.
         */
        Thinking: {
            /** Content */
            content: string;
            /**
             * Type
             * @default thinking
             * @constant
             */
            type: "thinking";
        };
        /**
         * ThresholdAlarm
         * @description A figure of the dashboard is beyond a limit.
         */
        ThresholdAlarm: {
            /** Item */
            item: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            kind: "threshold";
            /**
             * Op
             * @enum {string}
             */
            op: ">" | ">=" | "<" | "<=";
            /** Value */
            value: number;
        };
        /**
         * TileIn
         * @description A tile to move, or whose words change; without an id, a new text.
         */
        TileIn: {
            /** Id */
            id?: string | null;
            place?: components["schemas"]["TilePlace"] | null;
            /** Text */
            text?: string | null;
        };
        /**
         * TilePlace
         * @description Where a tile stands, in columns of twelve and in rows.
         */
        TilePlace: {
            /** H */
            h: number;
            /** W */
            w: number;
            /** X */
            x: number;
            /** Y */
            y: number;
        };
        /**
         * Times
         * @description When it will be.
         */
        Times: {
            /** Times */
            times: string[];
        };
        /**
         * ToolChange
         * @description Choices, and for a custom tool what it is.
         * @example {
         *       "is_enabled": true,
         *       "permission_level": "responsavel"
         *     }
         */
        ToolChange: {
            /** Allowed Callers */
            allowed_callers?: ("direct" | "code_execution_20250825" | "code_execution_20260120" | "code_execution_20260521")[] | null;
            budget?: components["schemas"]["Budget"] | null;
            /** Cache Seconds */
            cache_seconds?: number | null;
            /** Category */
            category?: ("data" | "render" | "dashboard" | "code" | "graph" | "action") | null;
            /** Confirmation */
            confirmation?: ((("never" | "always") | boolean) | components["schemas"]["ConfirmWhen"]) | null;
            /** Definition */
            definition?: {
                [key: string]: unknown;
            } | null;
            /** Description */
            description?: string | null;
            /** Effect */
            effect?: ("read" | "write") | null;
            /** Is Enabled */
            is_enabled?: boolean | null;
            /** Kind */
            kind?: ("http" | "sql" | "python" | "composed") | null;
            /** Parameters */
            parameters?: components["schemas"]["ParameterShape"][] | null;
            /** Permission Level */
            permission_level?: ("operador" | "responsavel" | "admin") | null;
            /** Requires Confirmation */
            requires_confirmation?: boolean | null;
        };
        /**
         * ToolChoice
         * @description How a tool is enabled. `seen` is what was looked at: the digest the page showed.
         */
        ToolChoice: {
            /**
             * Confirm
             * @default always
             * @enum {string}
             */
            confirm: "never" | "always";
            /**
             * Effect
             * @default write
             * @enum {string}
             */
            effect: "read" | "write";
            /**
             * From Code
             * @default false
             */
            from_code: boolean;
            /**
             * Permission Level
             * @default admin
             * @enum {string}
             */
            permission_level: "operador" | "responsavel" | "admin";
            /** Seen */
            seen: string;
        };
        /**
         * ToolChoices
         * @description What a level says of a tool. Absent: unchanged. Null: nothing, the wider level's word holds.
         * @example {
         *       "is_enabled": true,
         *       "permission_level": "responsavel"
         *     }
         */
        ToolChoices: {
            /** Allowed Callers */
            allowed_callers?: ("direct" | "code_execution_20250825" | "code_execution_20260120" | "code_execution_20260521")[] | null;
            budget?: components["schemas"]["Budget"] | null;
            /** Cache Seconds */
            cache_seconds?: number | null;
            /** Confirmation */
            confirmation?: ((("never" | "always") | boolean) | components["schemas"]["ConfirmWhen"]) | null;
            /** Is Enabled */
            is_enabled?: boolean | null;
            /** Permission Level */
            permission_level?: ("operador" | "responsavel" | "admin") | null;
            /** Requires Confirmation */
            requires_confirmation?: boolean | null;
        };
        /**
         * ToolOut
         * @description A tool the person may call, as a model is told of it.
         */
        ToolOut: {
            agent: components["schemas"]["AgentRef"] | null;
            /** Category */
            category: string;
            /** Description */
            description: string;
            /**
             * Effect
             * @enum {string}
             */
            effect: "read" | "write";
            /** Input Schema */
            input_schema: {
                [key: string]: unknown;
            };
            /** Name */
            name: string;
            /** Own */
            own: boolean;
        };
        /**
         * ToolRedefined
         * @description What is absent stays as it is.
         */
        ToolRedefined: {
            /** Allowed Callers */
            allowed_callers?: ("direct" | "code_execution_20250825" | "code_execution_20260120" | "code_execution_20260521")[] | null;
            /** Category */
            category?: ("data" | "render" | "dashboard" | "code" | "graph" | "action") | null;
            /** Definition */
            definition?: {
                [key: string]: unknown;
            } | null;
            /** Description */
            description?: string | null;
            /** Effect */
            effect?: ("read" | "write") | null;
            /** Kind */
            kind?: ("http" | "sql" | "python" | "composed") | null;
            /** Parameters */
            parameters?: components["schemas"]["ParameterShape"][] | null;
            /** Permission Level */
            permission_level?: ("operador" | "responsavel" | "admin") | null;
            /** Requires Confirmation */
            requires_confirmation?: boolean | null;
        };
        /**
         * ToolRun
         * @description How one call ended. A refusal is a result, as it is for the model.
         */
        ToolRun: {
            /** Audit Id */
            audit_id: number | null;
            /** Cached */
            cached: boolean;
            /** Code */
            code: string | null;
            /** Confirmation Id */
            confirmation_id: string | null;
            /** Duration Ms */
            duration_ms: number;
            /** Is Error */
            is_error: boolean;
            /** Result */
            result: unknown;
        };
        /**
         * ToolSetting
         * @description One level's word on one tool; null where it is silent.
         */
        ToolSetting: {
            /** Allowed Callers */
            allowed_callers?: string[] | null;
            /** Budget */
            budget?: {
                [key: string]: unknown;
            } | null;
            /** Cache Seconds */
            cache_seconds?: number | null;
            /** Confirmation */
            confirmation?: unknown;
            /** Is Enabled */
            is_enabled?: boolean | null;
            /** Permission Level */
            permission_level?: string | null;
            /**
             * Scope
             * @enum {string}
             */
            scope: "global" | "organisation" | "role" | "agent" | "user";
            /** Subject */
            subject: string;
            /** Tool */
            tool: string;
        };
        /**
         * ToolStart
         * @description A call passed the gate and starts.
         */
        ToolStart: {
            /** Caller */
            caller: {
                [key: string]: unknown;
            };
            /** Id */
            id: string;
            /** Input */
            input: unknown;
            /** Name */
            name: string;
            /**
             * Type
             * @default tool_start
             * @constant
             */
            type: "tool_start";
        };
        /**
         * ToolUse
         * @description A call ended; `result` is what the model will read.
         */
        ToolUse: {
            /** Cached */
            cached: boolean;
            /** Caller */
            caller: {
                [key: string]: unknown;
            };
            /** Duration Ms */
            duration_ms: number;
            /** Id */
            id: string;
            /** Input */
            input: unknown;
            /** Is Error */
            is_error: boolean;
            /** Name */
            name: string;
            /** Result */
            result: unknown;
            /**
             * Type
             * @default tool_use
             * @constant
             */
            type: "tool_use";
        };
        /** Trace */
        Trace: {
            agent: components["schemas"]["AgentRef"];
            /** Calls */
            calls: {
                [key: string]: unknown;
            }[];
            /** Conversation Id */
            conversation_id: string;
            /** Ended At */
            ended_at: string | null;
            /** Events */
            events: {
                [key: string]: unknown;
            }[];
            intent: components["schemas"]["IntentTrace"] | null;
            /** Iterations */
            iterations: number;
            /** Messages */
            messages: components["schemas"]["MessageOut"][];
            /** Model */
            model: string;
            /** Owner */
            owner: string | null;
            person: components["schemas"]["PersonRef"];
            /** Replies */
            replies: components["schemas"]["ReplyTrace"][];
            /** Requests */
            requests: {
                [key: string]: unknown;
            }[];
            /** Started At */
            started_at: string;
            /** Status */
            status: string;
            /** Turn Id */
            turn_id: string;
        };
        /**
         * TurnBegan
         * @description First of every turn.
         */
        TurnBegan: {
            /** Agent */
            agent: string;
            /** Model */
            model: string;
            /** Turn Id */
            turn_id: string;
            /**
             * Type
             * @default turn
             * @constant
             */
            type: "turn";
        };
        /** TurnEvent */
        TurnEvent: components["schemas"]["TurnBegan"] | components["schemas"]["Text"] | components["schemas"]["Thinking"] | components["schemas"]["Outside"] | components["schemas"]["ToolStart"] | components["schemas"]["ToolUse"] | components["schemas"]["Chart"] | components["schemas"]["Table"] | components["schemas"]["Kpi"] | components["schemas"]["Graph"] | components["schemas"]["DashboardKept"] | components["schemas"]["Code"] | components["schemas"]["ConfirmationAsked"] | components["schemas"]["Decided"] | components["schemas"]["Usage"] | components["schemas"]["AnswersInstead"] | components["schemas"]["Again"] | components["schemas"]["Error"] | components["schemas"]["Done"];
        /**
         * Upload
         * @description A recorded upload: the message, the data set's table, and a summary in words.
         */
        Upload: {
            dataset: components["schemas"]["DatasetOut"];
            /** Message Id */
            message_id: string;
            /** Summary */
            summary: string;
        };
        /**
         * Usage
         * @description What one reply cost.
         */
        Usage: {
            /** Cache Read Tokens */
            cache_read_tokens: number;
            /** Cache Write Tokens */
            cache_write_tokens: number;
            /**
             * Context Limit
             * @default null
             */
            context_limit: number | null;
            /** Cost Usd */
            cost_usd: number | null;
            /**
             * Estimated
             * @default false
             */
            estimated: boolean;
            /** Input Tokens */
            input_tokens: number;
            /** Output Tokens */
            output_tokens: number;
            /**
             * Seen From
             * @default null
             */
            seen_from: string | null;
            /**
             * Type
             * @default usage
             * @constant
             */
            type: "usage";
        };
        /** UsageOut */
        UsageOut: {
            /**
             * By
             * @enum {string}
             */
            by: "day" | "tool" | "agent" | "user" | "model" | "caller" | "key";
            /** Rows */
            rows: components["schemas"]["UsageRow"][];
            /** Since */
            since: string;
            total: components["schemas"]["UsageRow"];
            /** Until */
            until: string;
        };
        /**
         * UsageRow
         * @description One line: what `key` stands for depends on what was grouped by; `label` is its name.
         */
        UsageRow: {
            /**
             * Cache Hits
             * @default 0
             */
            cache_hits: number;
            /**
             * Cache Read Tokens
             * @default 0
             */
            cache_read_tokens: number;
            /**
             * Cache Write Tokens
             * @default 0
             */
            cache_write_tokens: number;
            /**
             * Calls
             * @default 0
             */
            calls: number;
            /**
             * Cost Usd
             * @default 0
             */
            cost_usd: number;
            /**
             * Failures
             * @default 0
             */
            failures: number;
            /**
             * Input Tokens
             * @default 0
             */
            input_tokens: number;
            /** Key */
            key: string;
            /** Label */
            label: string;
            /**
             * Output Tokens
             * @default 0
             */
            output_tokens: number;
            /** P50 Ms */
            p50_ms?: number | null;
            /** P95 Ms */
            p95_ms?: number | null;
            /** P99 Ms */
            p99_ms?: number | null;
            /**
             * Questions
             * @default 0
             */
            questions: number;
            /**
             * Refusals
             * @default 0
             */
            refusals: number;
            /**
             * Replies
             * @default 0
             */
            replies: number;
            /** Reply P50 Ms */
            reply_p50_ms?: number | null;
            /** Reply P95 Ms */
            reply_p95_ms?: number | null;
            /** Reply P99 Ms */
            reply_p99_ms?: number | null;
            /**
             * Saved Tokens
             * @default 0
             */
            saved_tokens: number;
        };
        /**
         * UseLink
         * @description Name and address are for the first administrator only.
         */
        UseLink: {
            /**
             * Cookie
             * @default false
             */
            cookie: boolean;
            /** Email */
            email?: string | null;
            /**
             * Language
             * @default pt
             * @enum {string}
             */
            language: "pt" | "en";
            /** Name */
            name?: string | null;
            /** Password */
            password: string;
        };
        /** UserChange */
        UserChange: {
            /** Agents */
            agents?: (number | string)[] | null;
            /** Is Active */
            is_active?: boolean | null;
            /** Language */
            language?: ("pt" | "en") | null;
            /** Monthly Budget Usd */
            monthly_budget_usd?: number | null;
            /** Name */
            name?: string | null;
            /** Role */
            role?: ("operador" | "responsavel" | "admin") | null;
        };
        /**
         * UserOut
         * @description An account as an administrator sees it.
         */
        UserOut: {
            /** Agents */
            agents: number[];
            /** Created At */
            created_at: string;
            /** Email */
            email: string;
            /** Id */
            id: number;
            /** Is Active */
            is_active: boolean;
            /**
             * Language
             * @enum {string}
             */
            language: "pt" | "en";
            /** Link */
            link?: string | null;
            /** Monthly Budget Usd */
            monthly_budget_usd: number | null;
            /** Name */
            name: string;
            /** Organisation Id */
            organisation_id: number;
            /**
             * Role
             * @enum {string}
             */
            role: "operador" | "responsavel" | "admin";
        };
        /** ValidationError */
        ValidationError: {
            /** Context */
            ctx?: Record<string, never>;
            /** Input */
            input?: unknown;
            /** Location */
            loc: (string | number)[];
            /** Message */
            msg: string;
            /** Error Type */
            type: string;
        };
        /**
         * Variant
         * @description One way an agent may be. The first of an experiment is what others are compared with.
         */
        Variant: {
            /**
             * @default {
             *       "tools_off": false
             *     }
             */
            changes: components["schemas"]["Changes"];
            /** Name */
            name: string;
            /**
             * Weight
             * @default 1
             */
            weight: number;
        };
        /** VariantResult */
        VariantResult: {
            /** Conversations */
            conversations: number;
            /** Measures */
            measures: {
                [key: string]: components["schemas"]["Estimate"];
            };
            /** Variant */
            variant: string;
        };
        /**
         * VendorError
         * @description What went wrong, as clients of the Messages API know it.
         */
        VendorError: {
            error: {
                message: string;
                type: string;
            };
            request_id?: string;
            /** @constant */
            type: "error";
        };
        /** VerdictOut */
        VerdictOut: {
            /** Checked */
            checked: number;
            /** First Bad */
            first_bad: number | null;
            /** Ok */
            ok: boolean;
            /** What */
            what: string | null;
        };
        /**
         * Waits
         * @description A call that a person must decide about, at `/confirmations/{confirmation_id}`.
         */
        Waits: {
            /** Confirmation Id */
            confirmation_id: string;
            /** Expires At */
            expires_at: string;
            /** Input */
            input: unknown;
            /** Name */
            name: string;
            /** Reason */
            reason: string;
        };
        /** WayIn */
        WayIn: {
            /** Label */
            label: string;
            /** Name */
            name: string;
        };
        /**
         * WaysIn
         * @description How people sign in here.
         */
        WaysIn: {
            /** Passwords */
            passwords: boolean;
            /** Providers */
            providers: components["schemas"]["WayIn"][];
        };
        /** WholeConversation */
        WholeConversation: {
            agent: components["schemas"]["AgentRef"];
            /** Archived */
            archived: boolean;
            /** Created At */
            created_at: string;
            /** Datasets */
            datasets: components["schemas"]["DatasetOut"][];
            /** Id */
            id: string;
            /** Messages */
            messages: components["schemas"]["MessageOut"][];
            /**
             * Mode
             * @enum {string}
             */
            mode: "model" | "keyword";
            /** Pinned */
            pinned: boolean;
            share: components["schemas"]["ConversationShareOut"] | null;
            /** Status */
            status: string | null;
            /** Title */
            title: string;
            /** Turn Id */
            turn_id: string | null;
            /** Updated At */
            updated_at: string;
            usage: components["schemas"]["ConversationUsage"];
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
