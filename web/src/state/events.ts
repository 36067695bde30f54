/** Everything a turn tells its readers, by the names it has on the wire. */

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

export interface Caller {
  type: string;
  tool_id?: string;
  via?: string;
}

export interface FileLink {
  id: string;
  name: string;
  media_type: string;
  size: number;
  url: string;
}

export type WidgetKind = "chart" | "table" | "kpi" | "graph";
export type TurnStatus = "running" | "waiting" | "done" | "stopped" | "failed";
export type Verdict = "approve" | "reject" | "expired";

export interface Spent {
  input_tokens: number;
  output_tokens: number;
  cache_read_tokens: number;
  cache_write_tokens: number;
  cost_usd: number | null;
  estimated?: boolean;
}

export type TurnEvent =
  | { type: "turn"; turn_id: string; agent: string; model: string }
  | { type: "text"; content: string }
  | { type: "thinking"; content: string }
  | { type: "tool_start"; id: string; name: string; input: Json; caller: Caller }
  | {
      type: "tool_use";
      id: string;
      name: string;
      input: Json;
      result: Json;
      is_error: boolean;
      duration_ms: number;
      cached: boolean;
      caller: Caller;
    }
  | { type: WidgetKind; data: JsonObject }
  | { type: "dashboard"; id: string; url: string; titulo: string }
  | {
      type: "code";
      id: string;
      container: string;
      stdout: string;
      stderr: string;
      return_code: number;
      files: FileLink[];
    }
  | {
      type: "confirmation";
      id: string;
      tool_use_id: string;
      name: string;
      input: Json;
      caller: Caller;
      reason: string;
      expires_at: string;
    }
  | { type: "decision"; id: string; tool_use_id: string; decision: Verdict; by: string }
  | ({ type: "usage" } & Spent)
  | { type: "again"; reason: string }
  | { type: "error"; content: string; code: string; retryable: boolean }
  | { type: "done"; turn_id: string; status: Exclude<TurnStatus, "running">; iterations: number };

/** An event and its number in the turn; `done waiting` has none. */
export interface Numbered {
  id: string | null;
  event: TurnEvent;
}
