// Made by `npm run api` from the server's OpenAPI. Do not edit.

export interface paths {
    "/admin/agents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * All Agents
         * @description The organisation's agents, oldest first.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Successful Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AdminAgent"][];
                    };
                };
            };
        };
        put?: never;
        /**
         * Add
         * @description Make an agent. You may use it at once; others when you let them.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewAgent"];
                };
            };
            responses: {
                /** @description Successful Response */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AdminAgent"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/agents/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One
         * @description One agent.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: number;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Successful Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AdminAgent"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        /**
         * Retire
         * @description Retire an agent; conversations that used it can still be read.
         */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: number;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Successful Response */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        options?: never;
        head?: never;
        /**
         * Change
         * @description Change an agent; turns that begin from now on follow it.
         */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: number;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["AgentChange"];
                };
            };
            responses: {
                /** @description Successful Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AdminAgent"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/admin/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Page
         * @description The organisation's calls and every change of its administration, the newest first.
         */
        get: {
            parameters: {
                query?: {
                    before?: number | null;
                    /** @description `call`; `administration` for all else; or one kind of change. */
                    category?: ("call" | "administration") | ("sign_in" | "people" | "keys" | "rules" | "tools" | "settings" | "secrets" | "agents" | "experiments" | "shares" | "schedules" | "packs" | "studies" | "connections") | null;
                    limit?: number;
                    /** @description `ok`, `failed`, or a refusal's code. */
                    outcome?: string | null;
                    /** @description A date or a moment, as ISO 8601; UTC if it is bare. */
                    since?: string | null;
                    tool?: string | null;
                    turn?: string | null;
                    /** @description A date or a moment, as ISO 8601; UTC if it is bare. */
                    until?: string | null;
                    /** @description An id or an address. */
                    user?: string | null;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Successful Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AuditPage"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/audit/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export
         * @description Every call and change of the organisation, in the order they began.
         */
        get: {
            parameters: {
                query?: {
                    /** @description As events of the OCSF schema. */
                    ocsf?: boolean;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description One JSON object a line, one line a call or change. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/jsonl": string;
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/audit/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Verify
         * @description Walk the organisation's chain from its first entry to its head, and to the signed heads.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Successful Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["VerdictOut"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/connections": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Listed
         * @description Your organisation's connections, with their tools.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Successful Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ConnectionOut"][];
                    };
                };
            };
        };
        put?: never;
        /**
         * Add
         * @description Connect a server over HTTP. Its tools are there, switched off, once it was looked at.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewConnection"];
                };
            };
            responses: {
                /** @description Successful Response */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ConnectionOut"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/connections/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One
         * @description One connection, with its tools.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Successful Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ConnectionOut"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        /**
         * Remove
         * @description Take a connection away, with its tools and every sign-in.
         */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Successful Response */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        options?: never;
        head?: never;
        /**
         * Change
         * @description Switch a connection off, or on again; what was enabled stays enabled.
         */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ConnectionChange"];
                };
            };
            responses: {
                /** @description Successful Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ConnectionOut"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/admin/connections/{id}/look": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Look
         * @description Ask the server what it offers, now.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Successful Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ConnectionOut"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/connections/{id}/tools/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Enable
         * @description Put a tool into use as it was looked at, with a level, an effect, a confirmation, callers.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                    name: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ToolChoice"];
                };
            };
            responses: {
                /** @description Successful Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ConnectionOut"];
                    };
                };
            };
        };
        /**
         * Disable
         * @description Take a tool out of use.
         */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                    name: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Successful Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ConnectionOut"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/containers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * All Containers
         * @description The live containers of this process.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Successful Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ContainerOut"][];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/containers/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One
         * @description One live container.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Successful Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ContainerOut"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        /**
         * End
         * @description End a container; code that runs in it ends with an error.
         */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Successful Response */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/experiments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * All Experiments
         * @description The organisation's experiments, the newest first.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Successful Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ExperimentOut"][];
                    };
                };
            };
        };
        put?: never;
        /**
         * Start
         * @description Start an experiment: conversations begun from now on get one of its variants.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewExperiment"];
                };
            };
            responses: {
                /** @description Successful Response */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ExperimentOut"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/experiments/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One
         * @description An experiment with its outcome so far.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: number;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Successful Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ExperimentResult"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        /**
         * Remove
         * @description Forget an experiment; its conversations go on with the agent as it is.
         */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: number;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Successful Response */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        options?: never;
        head?: never;
        /**
         * Change
         * @description Rename an experiment, or end it.
         */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: number;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ExperimentChange"];
                };
            };
            responses: {
                /** @description Successful Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ExperimentOut"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/admin/feedback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Thumbs
         * @description What your organisation's people thought of answers, the newest first.
         */
        get: {
            parameters: {
                query?: {
                    agent?: number | null;
                    /** @description What an earlier page says in `next`. */
                    before?: string | null;
                    limit?: number;
                    /** @description Only thumbs up or down. */
                    value?: ("-1" | "1") | null;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Successful Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OpinionPage"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/graph": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Shown
         * @description Your organisation's graph: labels, relations, and what counts as containment.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Successful Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["GraphState"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Declare
         * @description Say which relations mean "is in"; an empty list proposes them from the data again.
         */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ContainmentIn"];
                };
            };
            responses: {
                /** @description Successful Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["GraphState"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/admin/graph/upload": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Upload
         * @description Replace your organisation's graph by that of the files; a mistake in them changes nothing.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "multipart/form-data": components["schemas"]["Body_upload_admin_graph_upload_post"];
                };
            };
            responses: {
                /** @description Successful Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["GraphState"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * All Keys
         * @description The organisation's keys, oldest first.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Those that no longer count, too. */
                    revoked?: boolean;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Successful Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["KeyOut"][];
                    };
                };
            };
        };
        put?: never;
        /**
         * Add
         * @description Make a key; this answer is the only place where it is shown.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewKey"];
                };
            };
            responses: {
                /** @description Successful Response */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["KeyMade"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One
         * @description One key.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: number;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Successful Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["KeyOut"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        /**
         * Revoke
         * @description Revoke a key; it stops working at once, on open streams too.
         */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: number;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Successful Response */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        options?: never;
        head?: never;
        /**
         * Rename
         * @description Name a key.
         */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: number;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["KeyChange"];
                };
            };
            responses: {
                /** @description Successful Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["KeyOut"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/admin/keys/{id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate
         * @description A new key like this one; this one counts on for so many hours.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: number;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["KeyRotation"];
                };
            };
            responses: {
                /** @description Successful Response */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["KeyMade"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Models
         * @description Who answers, who stands in, and what each server was found to honour.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Successful Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ModelsOut"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/models/{name}/probe": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask Provider
         * @description Ask the provider's server a handful of tiny questions, and keep what it honours.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    name: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Successful Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ProbeOut"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/organisation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Own
         * @description Your organisation.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Successful Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OrganisationOut"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change Own
         * @description Change your organisation's settings. A table of a database is read before it is chosen.
         */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["OwnOrganisationChange"];
                };
            };
            responses: {
                /** @description Successful Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OrganisationOut"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/admin/organisations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * All Organisations
         * @description Every organisation.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Successful Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OrganisationOut"][];
                    };
                };
            };
        };
        put?: never;
        /**
         * Add
         * @description Found an organisation; it has nobody yet: add its first administrator to it.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewOrganisation"];
                };
            };
            responses: {
                /** @description Successful Response */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OrganisationOut"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/organisations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One
         * @description One organisation.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: number;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Successful Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OrganisationOut"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        /**
         * Remove
         * @description Remove an organisation that never did anything; one with a history keeps it.
         */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: number;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Successful Response */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        options?: never;
        head?: never;
        /**
         * Change
         * @description Rename an organisation, change its settings or its limit.
         */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: number;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["OrganisationChange"];
                };
            };
            responses: {
                /** @description Successful Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OrganisationOut"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/admin/policy/try": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Try Policy
         * @description Which recorded calls a rule would have stopped, asked about or allowed; nothing changes.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["PolicyTry"];
                };
            };
            responses: {
                /** @description Successful Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PolicyTrial"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/shares": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * All Shares
         * @description Every link of your organisation that counts, the newest first; the links themselves are
         *     known to nobody but who made them.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Successful Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ShareOut"][];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/shares/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * End
         * @description End every link to a dashboard or a conversation of somebody in your organisation.
         */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Successful Response */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/sign-in": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Ways
         * @description How people sign in, as the operator configured it.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Successful Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SignInOut"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/sign-in/{name}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Test
         * @description Ask a provider what it says of itself, and hold it against what is configured.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    name: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Successful Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ProviderTest"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/tools": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * All Tools
         * @description Every tool of the organisation, people's own included, with the rules in force for all.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Successful Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AdminTool"][];
                    };
                };
            };
        };
        put?: never;
        /**
         * Define
         * @description Define a tool for the organisation: an HTTP request, a query, a program or a chain of tools.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["HttpTool"] | components["schemas"]["SqlTool"] | components["schemas"]["PythonTool"] | components["schemas"]["ComposedTool"];
                };
            };
            responses: {
                /** @description Successful Response */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AdminTool"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/tools/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One
         * @description One tool.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Whose own tool, where several have the name. */
                    owner?: number | null;
                };
                header?: never;
                path: {
                    name: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Successful Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AdminTool"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        /**
         * Retire
         * @description Take a custom tool out of use; what it did stays in the record.
         */
        delete: {
            parameters: {
                query?: {
                    /** @description Whose own tool, where several have the name. */
                    owner?: number | null;
                };
                header?: never;
                path: {
                    name: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Successful Response */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        options?: never;
        head?: never;
        /**
         * Change
         * @description Choose for everybody; an administrator of another organisation than the first, for theirs.
         *
         *     What a custom tool says of itself is part of its definition: changing it makes a new version.
         */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    name: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ToolChange"];
                };
            };
            responses: {
                /** @description Successful Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AdminTool"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/admin/tools/{name}/access": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Who May
         * @description May this person call this tool now, and why (not): the gate's own answer.
         */
        get: {
            parameters: {
                query: {
                    agent?: number | null;
                    caller?: "direct" | "code";
                    /** @description An id or an address. */
                    user: string;
                };
                header?: never;
                path: {
                    name: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Successful Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Access"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/tools/{name}/run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Run
         * @description Run a tool through the gate. A refusal is a result, as it is for the model.
         */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description Chosen by you, new for each thing you want done. Sent again with the same request within 24 hours, it brings the same outcome and nothing is done twice. */
                    "idempotency-key"?: string | null;
                };
                path: {
                    name: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["PanelCall"];
                };
            };
            responses: {
                /** @description Successful Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ToolRun"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/tools/{name}/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Settings
         * @description What each level says of the tool: the widest first, silent ones left out.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Only this level. */
                    scope?: ("organisation" | "role" | "agent" | "user") | null;
                    /** @description Only for this one. */
                    subject?: string | null;
                };
                header?: never;
                path: {
                    name: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Successful Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ToolSetting"][];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change Settings
         * @description Choose at one level. A narrower level may only restrict; one left silent disappears.
         */
        patch: {
            parameters: {
                query: {
                    /** @description The level. */
                    scope: "organisation" | "role" | "agent" | "user";
                    /** @description The role, or the id of the agent or person. */
                    subject?: string;
                };
                header?: never;
                path: {
                    name: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ToolChoices"];
                };
            };
            responses: {
                /** @description Successful Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ToolSetting"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/admin/tools/{name}/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Versions
         * @description Every version of a custom tool, the newest first: old conversations recorded old ones.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Whose own tool, where several have the name. */
                    owner?: number | null;
                };
                header?: never;
                path: {
                    name: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Successful Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CustomToolOut"][];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/tools/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check
         * @description Try a definition without keeping it; what is wrong with it is said.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["HttpTool"] | components["schemas"]["SqlTool"] | components["schemas"]["PythonTool"] | components["schemas"]["ComposedTool"];
                };
            };
            responses: {
                /** @description Successful Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Checked"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/turns/{id}/trace": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Trace
         * @description Everything that is known of a turn.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Rebuild the requests, too. */
                    requests?: boolean;
                };
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Successful Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Trace"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Used
         * @description Calls, failures, times, cost, tokens, cache hits: the last thirty days unless told otherwise.
         */
        get: {
            parameters: {
                query?: {
                    agent?: number | null;
                    by?: "day" | "tool" | "agent" | "user" | "model" | "caller" | "key";
                    format?: "json" | "csv";
                    /** @description A day, in UTC. */
                    from?: string | null;
                    model?: string | null;
                    /** @description A day, in UTC. */
                    to?: string | null;
                    tool?: string | null;
                    /** @description An id or an address. */
                    user?: string | null;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description One row a day, tool, agent, … ; as CSV where that was asked for. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["UsageOut"];
                        "text/csv": string;
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Everybody
         * @description Everybody in the organisation.
         */
        get: {
            parameters: {
                query?: {
                    organisation_id?: number | null;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Successful Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["UserOut"][];
                    };
                };
            };
        };
        put?: never;
        /**
         * Add
         * @description Add somebody; without a password, the answer holds a link where they set one, once.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewUser"];
                };
            };
            responses: {
                /** @description Successful Response */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["UserOut"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/users/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One
         * @description One account.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: number;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Successful Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["UserOut"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        /**
         * Remove
         * @description Remove somebody and what they said; what they did stays in the audit, what it cost in usage.
         */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: number;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Successful Response */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        options?: never;
        head?: never;
        /**
         * Change
         * @description Change somebody's role, agents, limit or access; it holds at once, on open streams too.
         */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: number;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["UserChange"];
                };
            };
            responses: {
                /** @description Successful Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["UserOut"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/admin/users/{id}/erase": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Erase Data
         * @description Erase somebody: everything they said and kept, and what the audit says of them. That
         *     something happened stays in the chain, with its hash; what it cost stays in usage.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: number;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["Erasure"];
                };
            };
            responses: {
                /** @description Successful Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ErasedOut"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/users/{id}/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Export Data
         * @description Everything that is kept of somebody, as a zip file: rows as JSON, files, a manifest.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: number;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Successful Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/users/{id}/link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Link
         * @description A new one-time link where this person sets a password.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: number;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Successful Response */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["LinkMade"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/users/{id}/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Theirs
         * @description Where somebody is signed in.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: number;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Successful Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SessionOut"][];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        /**
         * End Theirs
         * @description End all sessions of somebody.
         */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: number;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Successful Response */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/users/{id}/sessions/{session}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * End One Of Theirs
         * @description End one session of somebody.
         */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: number;
                    session: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Successful Response */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ag-ui/{agent}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Run
         * @description Ask an agent, or answer what it waits for, and stream its events in AG-UI's terms.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    agent: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["RunIn"];
                };
            };
            responses: {
                /** @description The turn's events, one SSE frame each. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "text/event-stream": components["schemas"]["Frame"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agentes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Agentes
         * @description Os agentes que esta pessoa pode usar.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Successful Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Agente"][];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/agents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * My Agents
         * @description The agents you may use.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Successful Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AgentOut"][];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/anthropic-proxy": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Proxy
         * @description One step of the assistant, in one of its five modes.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ProxyRequest"];
                };
            };
            responses: {
                /** @description Successful Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ProxyReply"] | components["schemas"]["DetectedIntent"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/links/{token}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Look At Link
         * @description What a one-time link is for, while it still works.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    token: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Successful Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["LinkOut"];
                    };
                };
            };
        };
        put?: never;
        /**
         * Use Link
         * @description Create the first administrator, or set a password; the link is spent.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    token: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["UseLink"];
                };
            };
            responses: {
                /** @description Successful Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SignedIn"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign In
         * @description Exchange an address and a password for a token.
         *
         *     With `cookie` the token is good for ten minutes, and a refresh cookie comes with it.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["Credentials"];
                };
            };
            responses: {
                /** @description Successful Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SignedIn"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign Out
         * @description End the session of the refresh cookie, or of the token, and its open streams.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Over here; the provider has a session too */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SignedOut"];
                    };
                };
                /** @description Successful Response */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/oidc/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Begin
         * @description Send the browser to the provider.
         */
        get: {
            parameters: {
                query?: {
                    /** @description For who signs in first. */
                    language?: ("pt" | "en") | null;
                };
                header?: never;
                path: {
                    name: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Successful Response */
                303: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/oidc/{name}/callback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Come Back
         * @description The provider sent the browser back: exchange the code, and begin a session.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    name: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Successful Response */
                303: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/providers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Ways In
         * @description The providers that people sign in with, and whether there are passwords.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Successful Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["WaysIn"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/refresh": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Refresh
         * @description Exchange the refresh cookie for a new one and a token; one that comes back ends its session.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Successful Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SignedIn"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/chat": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Chat
         * @description Ask about the assets and how they are connected.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["Query"];
                };
            };
            responses: {
                /** @description Successful Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ChatResponse"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/confirmations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Queue
         * @description What waits for your decision, oldest first; or what you asked for or decided, newest first.
         *
         *     `before` (seconds) and `limit` go through what was decided.
         */
        get: {
            parameters: {
                query?: {
                    before?: number | null;
                    limit?: number;
                    show?: "waiting" | "decided";
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Successful Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ConfirmationOut"][];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/confirmations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One
         * @description A confirmation and, outside a turn, what came of it.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Successful Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ConfirmationOut"];
                    };
                };
            };
        };
        put?: never;
        /**
         * Decide
         * @description Approve or reject a waiting call; its turn continues by itself.
         */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description Chosen by you, new for each thing you want done. Sent again with the same request within 24 hours, it brings the same outcome and nothing is done twice. */
                    "idempotency-key"?: string | null;
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["Decision"];
                };
            };
            responses: {
                /** @description Successful Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ConfirmationOut"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/connections": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Listed
         * @description The connections that you sign in to yourself.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Successful Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["OwnConnection"][];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/connections/{id}/sign-in": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign In
         * @description Begin to sign in. A sign-in for everybody is an administrator's to make.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Successful Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SignInDoor"];
                    };
                };
            };
        };
        /**
         * Sign Out
         * @description Forget your sign-in; everybody's, where it is shared and you are an administrator.
         */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Successful Response */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/connections/came-back": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Came Back
         * @description What the other server sent the person back with.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["CameBack"];
                };
            };
            responses: {
                /** @description Successful Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SignInOutcome"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/connections/client.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Client Document
         * @description Who we are, for servers that sign people in: this address is our client id there.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Successful Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": {
                            [key: string]: unknown;
                        };
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/conversas": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Nova
         * @description Abre uma conversa com um agente.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NovaConversa"];
                };
            };
            responses: {
                /** @description Successful Response */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Conversa"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/conversas/{id}/mensagens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mensagem
         * @description Envia uma mensagem; a resposta chega em eventos.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["Mensagem"];
                };
            };
            responses: {
                /** @description Os eventos da resposta, um por linha `data:`. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "text/event-stream": components["schemas"]["Frame"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/conversas/{id}/upload": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Upload
         * @description Carrega um ficheiro .csv ou .xlsx; não inicia nenhuma resposta.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "multipart/form-data": components["schemas"]["Body_upload_conversas__id__upload_post"];
                };
            };
            responses: {
                /** @description Successful Response */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Carregado"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/conversations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Listed
         * @description Your conversations, the last used first.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Only archived ones, or only others; a search finds both unless told. */
                    archived?: boolean | null;
                    /** @description Only those used before this moment. */
                    before?: number | null;
                    limit?: number;
                    /** @description Only pinned ones, or only others. */
                    pinned?: boolean | null;
                    /** @description Search in titles and texts. */
                    q?: string | null;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Successful Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["FoundConversation"][];
                    };
                };
            };
        };
        put?: never;
        /**
         * Begin
         * @description Start a conversation with an agent, named by name or id.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewConversation"];
                };
            };
            responses: {
                /** @description Successful Response */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ConversationOut"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/conversations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whole
         * @description A conversation with all its messages.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Successful Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["WholeConversation"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        /**
         * Remove
         * @description Delete a conversation and its data sets; what it did stays in the audit.
         */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Successful Response */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        options?: never;
        head?: never;
        /**
         * Change
         * @description Rename a conversation, pin or archive it, or switch between the model and keyword mode.
         */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ConversationChange"];
                };
            };
            responses: {
                /** @description Successful Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ConversationOut"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/conversations/{id}/attachments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Attach
         * @description Keep an image or a document for your next question, which names it by its `id`. One that no
         *     question has named within the hour is removed.
         */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description Chosen by you, new for each thing you want done. Sent again with the same request within 24 hours, it brings the same outcome and nothing is done twice. */
                    "idempotency-key"?: string | null;
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "multipart/form-data": components["schemas"]["Body_attach_conversations__id__attachments_post"];
                };
            };
            responses: {
                /** @description Successful Response */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AttachmentOut"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/conversations/{id}/branch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Choose
         * @description Go on from another version of a question: it is shown, and it is what the model sees.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["Branch"];
                };
            };
            responses: {
                /** @description Successful Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["WholeConversation"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/conversations/{id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow
         * @description Follow the turn named in `Last-Event-ID`, else the running or last one, exactly from there.
         */
        get: {
            parameters: {
                query?: never;
                header?: {
                    "last-event-id"?: string | null;
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The turn's events, one SSE frame each. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "text/event-stream": components["schemas"]["Frame"];
                    };
                };
                /** @description Nothing is left to tell. */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/conversations/{id}/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export
         * @description The whole conversation as JSON; or what was asked, said and shown, as Markdown or PDF.
         */
        get: {
            parameters: {
                query?: {
                    format?: "json" | "md" | "pdf";
                };
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The conversation as a file. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": Record<string, never>;
                        "application/pdf": string;
                        "text/markdown": string;
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/conversations/{id}/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask
         * @description Ask; the answer streams. The turn goes on even if you stop reading.
         */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description Chosen by you, new for each thing you want done. Sent again with the same request within 24 hours, it brings the same outcome and nothing is done twice. */
                    "idempotency-key"?: string | null;
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["Question"];
                };
            };
            responses: {
                /** @description The turn's events, one SSE frame each. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "text/event-stream": components["schemas"]["Frame"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/conversations/{id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Retry
         * @description Continue a failed or stopped turn, or ask again: with an edited last question, or the question
         *     of `turn_id`, edited or not. What stood there stays in the record as another version.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": components["schemas"]["Retry"] | null;
                };
            };
            responses: {
                /** @description The turn's events, one SSE frame each. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "text/event-stream": components["schemas"]["Frame"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/conversations/{id}/share": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Share
         * @description Let everybody of your organisation who has the link read the conversation as it is now. What is
         *     said later is not shared until you share it again; the link stays the same.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Successful Response */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ConversationShareOut"];
                    };
                };
            };
        };
        /**
         * End
         * @description End the link: from now on nobody else reads the conversation.
         */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Successful Response */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/conversations/{id}/stop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Stop
         * @description Stop what runs or waits; every open call is answered with an error.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Successful Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Stopped"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/conversations/{id}/upload": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Upload
         * @description Turn a file into a data set of the conversation; records a message, starts no turn.
         */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description Chosen by you, new for each thing you want done. Sent again with the same request within 24 hours, it brings the same outcome and nothing is done twice. */
                    "idempotency-key"?: string | null;
                };
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "multipart/form-data": components["schemas"]["Body_upload_conversations__id__upload_post"];
                };
            };
            responses: {
                /** @description Successful Response */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Upload"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/conversations/{id}/uploads": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Reading
         * @description The files of this conversation that are being read now, and how far each is.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Successful Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ReadingOut"][];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/d/{token}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Shared
         * @description A shared dashboard, readable without an account until the link is revoked.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    token: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The dashboard, or the app's page for browsers. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["DashboardOut"];
                        "text/html": string;
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboards": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Gallery
         * @description Your dashboards, the last changed first.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Successful Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["DashboardOut"][];
                    };
                };
            };
        };
        put?: never;
        /**
         * Pin
         * @description Pin widgets of a chat to a new dashboard, or to one of yours; or begin an empty one.
         */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description Chosen by you, new for each thing you want done. Sent again with the same request within 24 hours, it brings the same outcome and nothing is done twice. */
                    "idempotency-key"?: string | null;
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["Pin"];
                };
            };
            responses: {
                /** @description Successful Response */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["DashboardOut"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboards/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One
         * @description A dashboard as JSON; a browser that asks for HTML gets the app, which then asks for it.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The dashboard, or the app's page for browsers. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["DashboardOut"];
                        "text/html": string;
                    };
                };
            };
        };
        put?: never;
        post?: never;
        /**
         * Remove
         * @description Delete a dashboard; its shared links end.
         */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Successful Response */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        options?: never;
        head?: never;
        /**
         * Arrange
         * @description Rename a dashboard, arrange its tiles, write texts, set its filter: all of it or nothing.
         */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["BoardChange"];
                };
            };
            responses: {
                /** @description Successful Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["DashboardOut"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/dashboards/{id}/columns": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Columns
         * @description What the dashboard can be filtered by: the columns that its queries read.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Successful Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["BoardColumn"][];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboards/{id}/refresh": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Refresh
         * @description Run the calls behind the items again, as you; no model is asked.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Successful Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["DashboardOut"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboards/{id}/report": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Of Dashboard
         * @description One of your dashboards as a PDF, as it is kept: nothing is made anew.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The report. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/pdf": string;
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboards/{id}/share": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Share
         * @description A link that anybody can read the dashboard by, until it is revoked.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Successful Response */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Shared"];
                    };
                };
            };
        };
        /**
         * Unshare
         * @description Revoke every link to the dashboard.
         */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Successful Response */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboards/{id}/values": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Values
         * @description What stands in a column that the dashboard can be filtered by.
         */
        get: {
            parameters: {
                query: {
                    column: string;
                };
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Successful Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ColumnValues"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/files/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One
         * @description A file of yours.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The file. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/octet-stream": string;
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Health
         * @description The process answers.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Successful Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Health"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Me
         * @description The person who is signed in.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Successful Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Me"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change Me
         * @description Change your own name or language.
         */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["MeChange"];
                };
            };
            responses: {
                /** @description Successful Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Me"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/me/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * My Events
         * @description What waits for you and how your turns are getting on, as it happens; from `Last-Event-ID` on.
         */
        get: {
            parameters: {
                query?: never;
                header?: {
                    "last-event-id"?: string | null;
                };
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description News of yours, one SSE frame each. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "text/event-stream": components["schemas"]["Frame"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Export Mine
         * @description Everything that is kept of you, as a zip file: rows as JSON, files, a manifest.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Successful Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Mine
         * @description Your keys that count, oldest first.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Successful Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["KeyOut"][];
                    };
                };
            };
        };
        put?: never;
        /**
         * Add Mine
         * @description Make a key of your own; this answer is the only place where it is shown.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["MyNewKey"];
                };
            };
            responses: {
                /** @description Successful Response */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["KeyMade"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke Mine
         * @description Revoke a key of your own; it stops working at once, on open streams too.
         */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: number;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Successful Response */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/keys/{id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate Mine
         * @description A new key like this one; this one counts on for so many hours.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: number;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["KeyRotation"];
                };
            };
            responses: {
                /** @description Successful Response */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["KeyMade"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/notices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * My Notices
         * @description Where you are told what waits for you, beside the page.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Successful Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Notices"];
                    };
                };
            };
        };
        put?: never;
        /**
         * Add Address
         * @description Add an address. Try it afterwards: nothing is sent before there is something to tell.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewNoticeAddress"];
                };
            };
            responses: {
                /** @description Successful Response */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["NoticeAddressOut"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/notices/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove Address
         * @description Forget the address.
         */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Successful Response */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        options?: never;
        head?: never;
        /**
         * Choose Kinds
         * @description Choose what is told there.
         */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NoticeChoice"];
                };
            };
            responses: {
                /** @description Successful Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["NoticeAddressOut"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/me/notices/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Try Address
         * @description Send something there now, and see how it went: `problem` is null where it arrived.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Successful Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["NoticeAddressOut"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change Password
         * @description Change your own password; every other session of yours ends.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["PasswordChange"];
                };
            };
            responses: {
                /** @description Successful Response */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Mine
         * @description Where you are signed in, the last used first.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Successful Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SessionOut"][];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        /**
         * End Mine
         * @description End all your sessions, this one too unless you say otherwise.
         */
        delete: {
            parameters: {
                query?: {
                    /** @description All but the one that asks. */
                    others?: boolean;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Successful Response */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/sessions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * End One Of Mine
         * @description End one of your sessions.
         */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Successful Response */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/stand-in": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Stand In
         * @description Who decides for you now; null: you do.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Successful Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["StandInOut"] | null;
                    };
                };
            };
        };
        /**
         * Name Stand In
         * @description Name who decides for you while you are away; what you asked for yourself too.
         */
        put: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["StandInChoice"];
                };
            };
            responses: {
                /** @description Successful Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["StandInOut"];
                    };
                };
            };
        };
        post?: never;
        /**
         * End Stand In
         * @description You are back: nobody decides for you any more.
         */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Successful Response */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me/tools": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * My Tools
         * @description The tools you may use, with your own preferences.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Successful Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["MyTool"][];
                    };
                };
            };
        };
        put?: never;
        /**
         * Define Own
         * @description Define a tool that only you see, where your organisation allows it.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["HttpTool"] | components["schemas"]["SqlTool"] | components["schemas"]["PythonTool"] | components["schemas"]["ComposedTool"];
                };
            };
            responses: {
                /** @description Successful Response */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CustomToolOut"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change My Tools
         * @description Switch a tool off for yourself, or on again. Nobody gains a tool this way.
         */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["MyToolChange"];
                };
            };
            responses: {
                /** @description Successful Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["MyTool"][];
                    };
                };
            };
        };
        trace?: never;
    };
    "/me/tools/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Own Tool
         * @description A tool of your own, as you wrote it.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    name: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Successful Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CustomToolOut"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        /**
         * Retire Own
         * @description Take a tool of your own out of use.
         */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    name: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Successful Response */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        options?: never;
        head?: never;
        /**
         * Change Own
         * @description Change a tool of your own: a new version of it is kept.
         */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    name: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ToolRedefined"];
                };
            };
            responses: {
                /** @description Successful Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["CustomToolOut"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/me/tools/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check Own
         * @description Try a definition of your own without keeping it; what is wrong with it is said.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["HttpTool"] | components["schemas"]["SqlTool"] | components["schemas"]["PythonTool"] | components["schemas"]["ComposedTool"];
                };
            };
            responses: {
                /** @description Successful Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Checked"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/messages/{id}/feedback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rate
         * @description Thumbs up (1), down (-1), or taken back (0); with a thumb down, why.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["FeedbackIn"];
                };
            };
            responses: {
                /** @description Successful Response */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Metrics
         * @description Counters for Prometheus: with the key (`Authorization: Bearer …`), or from this machine.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Successful Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "text/plain": string;
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ready": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Ready
         * @description The process can do its work: the database answers, and is of this version or a newer one.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Successful Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Readiness"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/reports/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Of Event
         * @description What a call of one of your conversations showed, as a PDF; `id` is the event of one of its widgets.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The report. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/pdf": string;
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/schedules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Mine
         * @description Your schedules, each with its last run.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Successful Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ScheduleOut"][];
                    };
                };
            };
        };
        put?: never;
        /**
         * Add
         * @description Make a schedule. It runs with your rights as they are each time.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewSchedule"];
                };
            };
            responses: {
                /** @description Successful Response */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ScheduleOut"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/schedules/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One
         * @description A schedule of yours.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Successful Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ScheduleOut"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        /**
         * Remove
         * @description Remove it, with its history.
         */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Successful Response */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        options?: never;
        head?: never;
        /**
         * Change
         * @description Change it, pause it, or let it go on; `proposal: null` proposes nothing any more.
         */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ScheduleChange"];
                };
            };
            responses: {
                /** @description Successful Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ScheduleOut"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/schedules/{id}/run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Run
         * @description Do it now. Its history says how it went.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Successful Response */
                202: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["RunOut"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/schedules/{id}/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * History
         * @description How it went, the newest first.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Only those begun before it. */
                    before?: number | null;
                    limit?: number;
                };
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Successful Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["RunOut"][];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/schedules/times": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Times
         * @description The next times that cron's words mean in a time zone.
         */
        get: {
            parameters: {
                query: {
                    cron: string;
                    time_zone: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Successful Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Times"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/scim/v2/.search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Search
         * @description Users and groups together.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/scim+json": {
                        [key: string]: unknown;
                    };
                };
            };
            responses: {
                /** @description Successful Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/scim+json": string;
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/scim/v2/Groups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Groups
         * @description The directory's groups; chosen from as users are.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Successful Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/scim+json": string;
                    };
                };
            };
        };
        put?: never;
        /**
         * Add Group
         * @description Make a group; its members have the role that it gives from now on.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/scim+json": {
                        [key: string]: unknown;
                    };
                };
            };
            responses: {
                /** @description Successful Response */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/scim+json": string;
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/scim/v2/Groups/.search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Search Groups
         * @description The same, asked in a body.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/scim+json": {
                        [key: string]: unknown;
                    };
                };
            };
            responses: {
                /** @description Successful Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/scim+json": string;
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/scim/v2/Groups/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Group
         * @description One group.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Successful Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/scim+json": string;
                    };
                };
            };
        };
        /**
         * Replace Group
         * @description Make a group what the directory says.
         */
        put: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/scim+json": {
                        [key: string]: unknown;
                    };
                };
            };
            responses: {
                /** @description Successful Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/scim+json": string;
                    };
                };
            };
        };
        post?: never;
        /**
         * Remove Group
         * @description Remove a group; what it gave its members it gives no more.
         */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Successful Response */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        options?: never;
        head?: never;
        /**
         * Patch Group
         * @description Change its name or members; whose role becomes another is asked to sign in again.
         */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/scim+json": {
                        [key: string]: unknown;
                    };
                };
            };
            responses: {
                /** @description Successful Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/scim+json": string;
                    };
                };
            };
        };
        trace?: never;
    };
    "/scim/v2/ResourceTypes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Resource Types
         * @description The kinds of resources: users and groups.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Successful Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/scim+json": string;
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/scim/v2/ResourceTypes/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Resource Type
         * @description One kind of resource.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Successful Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/scim+json": string;
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/scim/v2/Schemas": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Schemas
         * @description The attributes that are used.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Successful Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/scim+json": string;
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/scim/v2/Schemas/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Schema
         * @description One schema.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Successful Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/scim+json": string;
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/scim/v2/ServiceProviderConfig": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Service
         * @description What this service can do.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Successful Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/scim+json": string;
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/scim/v2/Users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Users
         * @description The organisation's people; `filter`, `sortBy`, `startIndex` and `count` choose.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Successful Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/scim+json": string;
                    };
                };
            };
        };
        put?: never;
        /**
         * Add User
         * @description Make an account.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/scim+json": {
                        [key: string]: unknown;
                    };
                };
            };
            responses: {
                /** @description Successful Response */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/scim+json": string;
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/scim/v2/Users/.search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Search Users
         * @description The same, asked in a body.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/scim+json": {
                        [key: string]: unknown;
                    };
                };
            };
            responses: {
                /** @description Successful Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/scim+json": string;
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/scim/v2/Users/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * User
         * @description One person.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Successful Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/scim+json": string;
                    };
                };
            };
        };
        /**
         * Replace User
         * @description Make somebody what the directory says.
         */
        put: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/scim+json": {
                        [key: string]: unknown;
                    };
                };
            };
            responses: {
                /** @description Successful Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/scim+json": string;
                    };
                };
            };
        };
        post?: never;
        /**
         * Remove User
         * @description Take somebody away: disabled at once, their keys and password ended, the record kept.
         */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Successful Response */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        options?: never;
        head?: never;
        /**
         * Patch User
         * @description Change some of it; `active: false` ends every session at once.
         */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/scim+json": {
                        [key: string]: unknown;
                    };
                };
            };
            responses: {
                /** @description Successful Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/scim+json": string;
                    };
                };
            };
        };
        trace?: never;
    };
    "/shared/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Shared
         * @description What a colleague shared, to read: questions, answers, charts and tables; not what tools were
         *     given and returned. `id` is the last part of the link.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Successful Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SharedConversation"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/shared/{id}/files/{file_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Shared File
         * @description An image or document that went with a question which a colleague shared.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    file_id: string;
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The file. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/octet-stream": string;
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/studies": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Listed
         * @description Your studies, and those that others of your organisation share.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Successful Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["StudyOut"][];
                    };
                };
            };
        };
        put?: never;
        /**
         * Saved
         * @description Keep a study by name: what a chat showed, or a call of a tool that reads.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["StudyOfEvent"] | components["schemas"]["StudyOfCall"];
                };
            };
            responses: {
                /** @description Successful Response */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["StudyOut"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/studies/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Study
         * @description A study that you see.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Successful Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["StudyOut"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        /**
         * Removed
         * @description Remove a study of yours.
         */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Successful Response */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        options?: never;
        head?: never;
        /**
         * Changed
         * @description Give a study of yours another name, share it with your organisation, or not any more.
         */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["StudyChange"];
                };
            };
            responses: {
                /** @description Successful Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["StudyOut"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/studies/{id}/report": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Of Study
         * @description A study that you see as a PDF: made again now, with your rights.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The report. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/pdf": string;
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/studies/{id}/run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ran
         * @description Make a study again, with your rights as they are now; no model is asked.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Successful Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["StudyRunOut"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/system": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * System
         * @description Which model, database, sandbox and data folder are in use, and what is missing.
         *
         *     Of these an administrator of another organisation than the first is told the model's name, and
         *     whether code can run.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Successful Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["System"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tools": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * My Tools
         * @description The tools you may run yourself: those of your agents, and your own.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Successful Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ToolOut"][];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tools/{name}/run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Run
         * @description Run a tool through the gate, as yourself. A refusal is a result, as it is for the model.
         */
        post: {
            parameters: {
                query?: never;
                header?: {
                    /** @description Chosen by you, new for each thing you want done. Sent again with the same request within 24 hours, it brings the same outcome and nothing is done twice. */
                    "idempotency-key"?: string | null;
                };
                path: {
                    name: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["OwnCall"];
                };
            };
            responses: {
                /** @description Successful Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ToolRun"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/files/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * File
         * @description What is known of a file that a client's code wrote here.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Successful Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/files/{id}/content": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * File Content
         * @description The file itself.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Successful Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Messages
         * @description Ask a model, as the vendor's API is asked.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": Record<string, never>;
                };
            };
            responses: {
                /** @description The model's answer, as its server gave it. */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": Record<string, never>;
                        "text/event-stream": string;
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/messages/count_tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Count Tokens
         * @description How many tokens a request holds, as the model's server counts.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": Record<string, never>;
                };
            };
            responses: {
                /** @description Successful Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Models
         * @description The models that can be asked for by name.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Successful Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/models/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Model
         * @description One model.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    id: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Successful Response */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
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
            /** Shown */
            shown: ("images" | "documents")[];
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
        /**
         * AttachmentOut
         * @description An image or document that goes with a question, and where its bytes are.
         */
        AttachmentOut: {
            /** Height */
            height: number | null;
            /** Id */
            id: string;
            /**
             * Media Type
             * @enum {string}
             */
            media_type: "image/png" | "image/jpeg" | "image/gif" | "image/webp" | "application/pdf";
            /** Name */
            name: string;
            /** Pages */
            pages: number | null;
            /** Sha256 */
            sha256: string;
            /** Size */
            size: number;
            /** Url */
            url: string;
            /** Width */
            width: number | null;
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
        /** Body_attach_conversations__id__attachments_post */
        Body_attach_conversations__id__attachments_post: {
            /**
             * File
             * @description A PNG, JPEG, GIF or WebP image, or a PDF document.
             */
            file: string;
        };
        /** Body_upload_admin_graph_upload_post */
        Body_upload_admin_graph_upload_post: {
            /**
             * Containment
             * @description TYPE[:up|:down], …
             */
            containment?: string;
            /**
             * Edges
             * @description CSV or Parquet: source, target, type, …
             */
            edges: string;
            /** Name */
            name?: string;
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
             */
            replace?: boolean;
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
             * @enum {string}
             */
            by?: "person" | "organisation";
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
            /** Tools Off */
            tools_off?: boolean;
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
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
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
            /** Remember */
            remember?: boolean;
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
            /** Cookie */
            cookie?: boolean;
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
            /** Dry Run */
            dry_run?: boolean;
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
            feature: "answers" | "streaming" | "tools" | "results" | "tool_choice_none" | "cache" | "effort" | "thinking" | "images" | "documents" | "count_tokens";
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
             * @enum {string}
             */
            method?: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";
            /** Query */
            query?: {
                [key: string]: string;
            };
            /** Result */
            result?: string;
            /** Timeout */
            timeout?: number;
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
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
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
            /** Hours */
            hours?: number;
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
            /** Name */
            name?: string;
            /** Requests Per Minute */
            requests_per_minute?: number | null;
            /** Scopes */
            scopes?: ("chat" | "tools" | "gateway" | "mcp" | "admin:read" | "scim")[];
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
             * @enum {string}
             */
            code?: "direct" | "local" | "anthropic";
            /** Description */
            description?: string;
            /** Effort */
            effort?: ("low" | "medium" | "high" | "xhigh" | "max") | null;
            /** Last Answer */
            last_answer?: boolean;
            /** Max History */
            max_history?: number;
            /** Max Iterations */
            max_iterations?: number;
            /** Max Tokens */
            max_tokens?: number;
            /**
             * Mode
             * @enum {string}
             */
            mode?: "model" | "keyword";
            /** Model */
            model?: string | null;
            /** Name */
            name: string;
            /** Starters */
            starters?: string[];
            /** System Prompt */
            system_prompt?: string;
            /** Tools */
            tools?: string[];
        };
        /**
         * NewConnection
         * @description What an administrator says of a server: over HTTP only.
         */
        NewConnection: {
            /**
             * Credentials
             * @enum {string}
             */
            credentials?: "none" | "shared" | "person";
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
            /** Name */
            name?: string;
            /** Requests Per Minute */
            requests_per_minute?: number | null;
            /** Scopes */
            scopes?: ("chat" | "tools" | "gateway" | "mcp" | "admin:read" | "scim")[];
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
            /** Catch Up */
            catch_up?: boolean;
            /** Cron */
            cron: string;
            /** Does */
            does: components["schemas"]["RefreshDashboard"] | components["schemas"]["AskQuestion"] | components["schemas"]["MakeStudy"];
            /** Paused */
            paused?: boolean;
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
             * @enum {string}
             */
            language?: "pt" | "en";
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
             * @enum {string}
             */
            role?: "operador" | "responsavel" | "admin";
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
            next: string | null;
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
            /** Description */
            description?: string;
            /** Is Required */
            is_required?: boolean;
            /** Name */
            name: string;
            /**
             * Type
             * @enum {string}
             */
            type?: "string" | "integer" | "number" | "boolean" | "array" | "object";
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
            /** Titulo */
            titulo?: string;
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
            /** Since */
            since?: string;
            /** Subject */
            subject?: string;
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
            /** Timeout */
            timeout?: number;
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
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
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
            /** Attachments */
            attachments?: string[];
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
            /** Attachments */
            attachments: components["schemas"]["AttachmentOut"][];
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
            /** Email */
            email: string;
            /** Id */
            id: string;
            /**
             * Kind
             * @enum {string}
             */
            kind: "dashboard" | "conversation";
            /** Outside */
            outside?: boolean | null;
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
            /** Max Rows */
            max_rows?: number;
            /** Sql */
            sql: string;
            /** Timeout */
            timeout?: number;
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
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
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
            /** Shared */
            shared?: boolean;
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
            /** Shared */
            shared?: boolean;
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
             * @enum {string}
             */
            confirm?: "never" | "always";
            /**
             * Effect
             * @enum {string}
             */
            effect?: "read" | "write";
            /** From Code */
            from_code?: boolean;
            /**
             * Permission Level
             * @enum {string}
             */
            permission_level?: "operador" | "responsavel" | "admin";
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
            permission_level?: ("operador" | "responsavel" | "admin") | null;
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
            /** Cookie */
            cookie?: boolean;
            /** Email */
            email?: string | null;
            /**
             * Language
             * @enum {string}
             */
            language?: "pt" | "en";
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
            changes?: components["schemas"]["Changes"];
            /** Name */
            name: string;
            /** Weight */
            weight?: number;
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
            /** Shown */
            shown: ("images" | "documents")[];
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
