/** A tool's confirmation setting: the tool's own word, never, always, or when an argument is such and such. */
import type { Wire } from "../api/wire";
import type { Json } from "../state/events";
import type { Role } from "../state/person";

export type Asks = "own" | "never" | "always" | "when";
export const ASKS: readonly Asks[] = ["own", "never", "always", "when"];

export interface Rule {
  asks: Asks;
  when: Json;
  approver: Role | "";
  /** Four eyes: never the person who asked. */
  other: boolean;
  remember: boolean;
  /** Addresses of who is told, with commas. */
  tell: string;
}

export function ruleOf(setting: Json | undefined): Rule {
  const shape = setting && typeof setting === "object" && !Array.isArray(setting) ? setting : null;
  return {
    asks: asksOf(setting),
    when: shape?.["when"] ?? null,
    approver: (shape?.["approver_role"] as Role | undefined) ?? "",
    other: shape?.["approver"] === "other",
    remember: shape?.["remember"] !== false,
    tell: Array.isArray(shape?.["tell"]) ? shape["tell"].join(", ") : "",
  };
}

function asksOf(setting: Json | undefined): Asks {
  if (setting === null || setting === undefined) return "own";
  if (setting === false || setting === "never") return "never";
  if (typeof setting === "object" && !Array.isArray(setting) && setting["when"]) return "when";
  return "always";
}

/** The rule as the server takes it: what a condition may be made of, it says itself. */
export function settingOf(rule: Rule): Wire["ToolChoices"]["confirmation"] {
  if (rule.asks === "own") return null;
  if (rule.asks === "never") return "never";
  const tell = rule.tell.split(",").map((one) => one.trim()).filter(Boolean);
  if (rule.asks === "always" && !rule.approver && !rule.other && rule.remember && tell.length === 0) return "always";
  return {
    ...(rule.asks === "when" ? { when: rule.when as Wire["ConfirmWhen"]["when"] } : {}),
    ...(rule.approver ? { approver_role: rule.approver } : {}),
    ...(rule.other ? { approver: "other" as const } : {}),
    remember: rule.remember,
    ...(tell.length > 0 ? { tell } : {}),
  };
}
