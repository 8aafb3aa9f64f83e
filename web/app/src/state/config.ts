/** The page's surroundings: the document /config.json. */
export interface Config {
  /** The address of the API; empty for the page's own origin. */
  readonly api: string;
  /** The address of the sockets; empty for /ws of the page's origin. */
  readonly socket: string;
  readonly signIn: { readonly kind: "local" | "token" } | Provider;
  readonly docs: string;
  /** The hosts whose pictures the page shows; none if it is absent. */
  readonly avatarHosts?: readonly string[];
}

/** An OpenID provider with its endpoints. */
export interface Provider {
  readonly kind: "oidc";
  readonly authorize: string;
  readonly token: string;
  /** The address at which the provider ends its session, if it has one. */
  readonly logout?: string;
  /** The address at which it revokes refresh tokens, if it has one. */
  readonly revoke?: string;
  readonly client: string;
  readonly scope: string;
}

/** Returns the configuration that the service worker has kept, if there is one. */
export async function keptConfig(): Promise<Config | undefined> {
  const answer = await (globalThis as { caches?: CacheStorage }).caches?.match("/config.json");
  return answer?.json() as Promise<Config | undefined>;
}

export async function loadConfig(): Promise<Config> {
  const answer = await fetch("/config.json");
  if (!answer.ok) throw new Error(`The server answered ${answer.status} to /config.json.`);
  return (await answer.json()) as Config;
}
