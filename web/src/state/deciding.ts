/** Who decides a waiting call: the role that policy names, else the person who asked. */
import type { ConfirmationItem } from "../api/types";
import { type Person, reaches, type Role } from "./person";

export function mayDecide(me: Person, item: ConfirmationItem): boolean {
  if (item.approver === "other" && (item.person?.id === me.id || item.caller["by"] === me.email)) return false;
  if (item.approver_role) return reaches(me.role, item.approver_role as Role);
  return item.person?.id === me.id;
}
