/** The page's surroundings: the document /config.json. */
export interface Config {
  /** The address of the API; empty for the page's own origin. */
  readonly api: string;
  /** The address of the sockets; empty for /ws of the page's origin. */
  readonly socket: string;
  readonly signIn: { readonly kind: "local" | "token" } | Provider;
  readonly docs: string;
  /** The most that notifications show: `text`, which is the default, `sender` or `none`. */
  readonly notificationsShow?: string;
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

/** Where the browser keeps the configuration for the next start. */
const key = "parley.config";

/** Returns the configuration that was kept, if there is one. */
export function keptConfig(): Config | undefined {
  try {
    return JSON.parse(localStorage.getItem(key) ?? "") as Config;
  } catch {
    return undefined;
  }
}

/** Returns the server's configuration, and keeps it. */
export async function loadConfig(): Promise<Config> {
  const answer = await fetch("/config.json");
  if (!answer.ok) throw new Error(`The server answered ${answer.status} to /config.json.`);
  const config = (await answer.json()) as Config;
  try {
    localStorage.setItem(key, JSON.stringify(config));
  } catch {
    // The storage is full: the next start waits for the server.
  }
  return config;
}
