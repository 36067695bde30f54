/** A tool's confirmation setting: never, always, or when an argument is such and such. */
import type { Json, JsonObject } from "../state/events";
import type { Role } from "../state/person";

export type Asks = "never" | "always" | "when";

export interface Rule {
  asks: Asks;
  when: Json;
  approver: Role | "";
  remember: boolean;
}

export function asks(setting: Json | undefined): Asks {
  if (setting === true || setting === "always") return "always";
  if (!setting || setting === "never") return "never";
  return typeof setting === "object" && (setting as JsonObject)["when"] ? "when" : "always";
}

export function ruleOf(setting: Json | undefined): Rule {
  const shape = setting && typeof setting === "object" && !Array.isArray(setting) ? setting : {};
  return {
    asks: asks(setting),
    when: shape["when"] ?? null,
    approver: (shape["approver_role"] as Role | undefined) ?? "",
    remember: shape["remember"] !== false,
  };
}

export function settingOf(rule: Rule): Json {
  if (rule.asks === "never") return "never";
  if (rule.asks === "always" && !rule.approver && rule.remember) return "always";
  return {
    ...(rule.asks === "when" ? { when: rule.when } : {}),
    ...(rule.approver ? { approver_role: rule.approver } : {}),
    remember: rule.remember,
  };
}
