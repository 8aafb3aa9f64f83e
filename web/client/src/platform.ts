// The types of the platform in the client's interface. They are the global types that the app is compiled
// with: a browser's, Node's or React Native's. In an app without such types, those below take their place.

/** The instances of a global class, or Otherwise if the app is compiled without it. */
type Instance<Name extends string, Otherwise> =
  typeof globalThis extends Record<Name, { readonly prototype: infer T }> ? T : Otherwise;

export type Blob = Instance<"Blob", { readonly size: number; readonly type: string }>;

export type IDBDatabase = Instance<"IDBDatabase", object>;

export type AbortSignal = Instance<"AbortSignal", {
  readonly aborted: boolean;
  readonly reason: unknown;
  addEventListener(type: "abort", listener: () => void): void;
  removeEventListener(type: "abort", listener: () => void): void;
}>;

/** The global function, or what the client uses of it. */
export type Fetch = typeof globalThis extends { readonly fetch: infer F } ? F : (url: string, how?: object) => Promise<{
  readonly ok: boolean;
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  json(): Promise<unknown>;
}>;
