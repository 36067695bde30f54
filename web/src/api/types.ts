/** Short names for the server's shapes. */
import type { Wire } from "./wire";

export type Agent = Wire["AgentOut"];
export type ConversationItem = Wire["FoundConversation"];
export type ConfirmationItem = Wire["ConfirmationOut"];
