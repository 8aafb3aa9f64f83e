// The types of requests, from the description of the API. Nothing here exists in a running program.
import type { paths } from "./api.gen.js";
import type { AbortSignal } from "./platform.js";

type Method = "GET" | "PUT" | "POST" | "PATCH" | "DELETE";

/** The parts between the slashes of a path. */
type Parts<P extends string> = P extends `${infer First}/${infer Rest}` ? [First, ...Parts<Rest>] : [P];

/** The parts of a template, in which a parameter such as {room} is any string. */
type Pattern<T extends string> =
  T extends `${infer First}/${infer Rest}` ? [...Pattern<First>, ...Pattern<Rest>]
  : [T extends `{${string}}` ? string : T];

type WithoutQuery<P extends string> = P extends `${infer Path}?${string}` ? Path : P;

/** The templates that match a path: two match /people/me. */
type Template<P extends string> = {
  [T in keyof paths]: Parts<WithoutQuery<P>> extends Pattern<T> ? T : never;
}[keyof paths];

/** The operation of a method and a path; a union if two templates match that have this method. */
type Operation<M extends Method, P extends string> = Extract<paths[Template<P>][Lowercase<M>], object>;

/** The methods with which a path may be requested; none of an unknown path. */
type MethodOf<P extends string> = {
  [M in Method]: [Operation<M, P>] extends [never] ? never : M;
}[Method];

type Json<C> = C extends { content: { "application/json": infer T } } ? T : undefined;

/** Data that a request takes, which may be immutable. */
type Immutable<T> = T extends object ? { readonly [K in keyof T]: Immutable<T[K]> } : T;

export type Headers = Readonly<Record<string, string>>;

/**
 * The arguments after the path: a body, if the operation has one, headers, and what aborts the
 * request in place of its limit of 30 s.
 */
type Rest<O> =
  O extends { requestBody: infer B } ? [body: Immutable<Json<B>>, headers?: Headers, signal?: AbortSignal | undefined]
  : O extends { requestBody?: infer B }
    ? [body?: Immutable<Json<B>> | undefined, headers?: Headers, signal?: AbortSignal | undefined]
  : never;

type Success = 200 | 201 | 204;

/** The answer of an operation, in any status of success. */
type Answer<O> = O extends { responses: infer R } ? { [S in keyof R & Success]: Json<R[S]> }[keyof R & Success] : never;

/** A request of the HTTP API that the objects do not cover. It throws RequestError. */
export interface Request {
  /**
   * Requests an operation of the API, which the method and the path name: body and answer have its
   * types. An id in the path is one part of a template literal: `/rooms/${encodeURIComponent(id)}`.
   */
  <P extends string, M extends MethodOf<P>>(
    method: M, path: P, ...rest: Rest<Operation<M, P>>
  ): Promise<Answer<Operation<M, P>>>;
  /** Requests a path that is only known at run time. The caller states the type of the answer. */
  <T = unknown, P extends string = string>(
    method: string extends P ? string : never, path: P, body?: unknown, headers?: Headers, signal?: AbortSignal,
  ): Promise<T>;
}
