/** What each route of the server takes and answers with, read from its OpenAPI. */
import type { paths } from "./schema";
import type { AsJson } from "./wire";

export type Method = "get" | "post" | "put" | "patch" | "delete";
/** The paths that know the method. */
export type With<M extends Method> = { [P in keyof paths]: paths[P] extends Record<M, object> ? P : never }[keyof paths];

/** In an address all is text: a number may be one already, and what is empty is left out. */
type Text<T> = { [Name in keyof T]: number extends T[Name] ? T[Name] | string : T[Name] | "" };
type Parts<O> = O extends { parameters: infer P extends object } ? { [Where in keyof Pick<P, keyof P & ("path" | "query" | "header")>]: Text<P[Where]> } : object;
type Body<O> = O extends { requestBody: { content: { "application/json": infer B } } }
  ? { body: B }
  : O extends { requestBody?: never }
    ? { body?: never }
    : O extends { requestBody?: { content: { "application/json": infer B } } }
      ? { body?: B }
      : { body?: never };
export type Asked<O> = Parts<O> & Body<O> & { signal?: AbortSignal };
export type Given<T> = object extends T ? [options?: T] : [options: T];

type JsonOf<R> = R extends { content: { "application/json": infer B } } ? B : undefined;
/** What a route answers with where it succeeds. */
export type Answer<O> = O extends { responses: infer R } ? AsJson<JsonOf<R[keyof R & (200 | 201 | 202 | 204)]>> : never;

/** A request for JSON. The options are the route's and no others: a word that it does not know is an error. */
export type Call<M extends Method> = <P extends With<M>>(path: P, ...options: Given<Asked<paths[P][M]>>) => Promise<Answer<paths[P][M]>>;

/** The fields of a route that takes files. */
export type Form<O> = O extends { requestBody: { content: { "multipart/form-data": infer F } } } ? { [Name in keyof F]: File | string } : never;
export type Uploads = { [P in With<"post">]: Form<paths[P]["post"]> extends never ? never : P }[With<"post">];
export type PathOf<O> = Parts<O> extends { path: infer T extends object } ? T : Record<never, never>;
