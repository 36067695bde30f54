/** What the server's answers look like, where the app reads them. */
import type { Json, JsonObject } from "../state/events";
import type { Role } from "../state/person";

export interface Agent {
  id: number;
  name: string;
  description: string;
  tools: string[];
  starters: string[];
}

export interface ConversationItem {
  id: string;
  title: string;
  agent: { id: number; name: string };
  mode: "model" | "keyword";
  created_at: string;
  updated_at: string;
  status?: string | null;
}

export interface ConfirmationItem {
  id: string;
  tool_use_id: string;
  name: string;
  input: Json;
  input_schema?: JsonObject | null;
  caller?: JsonObject;
  reason: string;
  expires_at: string;
  created_at: string;
  status: string;
  conversation_id?: string | null;
  person?: { id: number; name: string } | null;
  decided_by?: Json;
  result?: Json;
  approver_role?: Role | null;
}

export type RoleName = Role;
