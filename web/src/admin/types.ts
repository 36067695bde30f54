/** What the administration routes answer with. */
import type { Json, JsonObject } from "../state/events";
import type { Role } from "../state/person";

export interface User {
  id: number;
  email: string;
  name: string;
  role: Role;
  language: "pt" | "en";
  is_active: boolean;
  organisation_id: number;
  agents: number[];
  monthly_budget_usd?: number | null;
  created_at?: string | null;
  /** A one-time link to set a password; only in the answer that made it. */
  link?: string | null;
}

export interface Organisation {
  id: number;
  name: string;
  monthly_budget_usd?: number | null;
  settings: JsonObject;
  people: number;
}

export interface AdminAgent {
  id: number;
  name: string;
  description: string;
  system_prompt: string;
  tools: string[];
  starters: string[];
  model: string | null;
  max_iterations: number;
  max_history: number;
  max_tokens: number;
  code: "direct" | "local" | "anthropic";
  last_answer: boolean;
  effort: string | null;
  mode: "model" | "keyword";
}

export interface AdminTool {
  name: string;
  description: string;
  category: string;
  effect: "read" | "write";
  pack: string | null;
  custom: boolean;
  is_enabled: boolean;
  permission_level: Role;
  requires_confirmation: boolean;
  /** What was chosen; null: the tool's own word stands. */
  confirmation: Json;
  allowed_callers: string[];
  cache_seconds: number;
  budget: JsonObject | null;
  timeout: number;
  version: string;
  input_schema: JsonObject;
  output_description: string | null;
  /** Why this machine cannot run it. */
  switched_off: string | null;
  definition: JsonObject | null;
}

export interface Access {
  allowed: boolean;
  asks: boolean;
  reason: string;
  conditions: JsonObject[];
  levels: JsonObject[];
}

export interface Key {
  id: number;
  name: string;
  prefix: string;
  user?: { id: number; email?: string; name?: string } | null;
  created_at: string;
  last_used_at?: string | null;
  revoked_at?: string | null;
}
