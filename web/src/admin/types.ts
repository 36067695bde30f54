/** Short names for what the administration routes answer with. */
import type { Wire } from "../api/wire";

export type User = Wire["UserOut"];
export type Organisation = Wire["OrganisationOut"];
export type AdminAgent = Wire["AdminAgent"];
export type AdminTool = Wire["AdminTool"];
export type Access = Wire["Access"];
export type Key = Wire["KeyOut"];
export type Connection = Wire["ConnectionOut"];
export type ConnectedTool = Wire["ConnectedToolOut"];
