/** Everything a turn tells its readers, by the names it has on the wire. */
import type { Closer, Wire } from "../api/wire";

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
export type TurnStatus = "running" | Wire["Done"]["status"];
export type Verdict = Wire["Decided"]["decision"];

/** What replies cost. */
export type Spent = Omit<Wire["Usage"], "type" | "context_limit" | "seen_from">;

type ByCaller<Name extends "ToolStart" | "ToolUse" | "ConfirmationAsked"> = Closer<Name, { caller: Caller }>;

export type TurnEvent =
  | Wire["TurnBegan"]
  | Wire["Text"]
  | Wire["Thinking"]
  | Wire["Outside"]
  | ByCaller<"ToolStart">
  | ByCaller<"ToolUse">
  | Wire["Chart"]
  | Wire["Table"]
  | Wire["Kpi"]
  | Wire["Graph"]
  | Wire["DashboardKept"]
  | Closer<"Code", { files?: FileLink[] }>
  | ByCaller<"ConfirmationAsked">
  | Wire["Decided"]
  | Wire["Usage"]
  | Wire["AnswersInstead"]
  | Wire["Again"]
  | Wire["Error"]
  | Wire["Done"];

/** An event and its number in the turn; `done waiting` has none. */
export interface Numbered {
  id: string | null;
  event: TurnEvent;
}
