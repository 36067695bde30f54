/** The server's own shapes, made from its OpenAPI; what it leaves open is read as JSON. */
import type { Json } from "../state/events";
import type { components } from "./schema";

type Schemas = components["schemas"];
export type AsJson<T> = unknown extends T ? Json : T extends object ? { [K in keyof T]: AsJson<T[K]> } : T;

export type Wire = { [Name in keyof Schemas]: AsJson<Schemas[Name]> };

/** A shape of the server with some fields known more closely than its schema says. */
export type Closer<Name extends keyof Wire, Known> = Omit<Wire[Name], keyof Known> & Known;
