// A small OpenID provider with PKCE, and a host of static files such as CloudFront.
import { createHash, generateKeyPairSync, randomUUID, sign } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { dirname, extname, join } from "node:path";
import { fileURLToPath } from "node:url";

const dist = process.env.PAGE_FOLDER ?? join(dirname(dirname(fileURLToPath(import.meta.url))), "dist");
const json = object => Buffer.from(JSON.stringify(object)).toString("base64url");

/** Listens on a free port of this machine and returns the address. */
async function listen(handler) {
  const server = createServer((request, response) => {
    Promise.resolve(handler(request, response)).catch(error => { response.writeHead(500).end(String(error)); });
  });
  await new Promise(resolve => { server.listen(0, "127.0.0.1", resolve); });
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    close: () => new Promise(resolve => { server.close(resolve); server.closeAllConnections(); }),
  };
}

async function bodyOf(request) {
  let text = "";
  for await (const chunk of request) text += chunk;
  return new URLSearchParams(text);
}

/** The cookie of a browser whose person the provider knows. */
const known = "issuer=known";

/**
 * A provider whose pages sign everybody in as one user. It takes a code and a refresh token once: with a
 * refresh token that was used before it ends all sessions. Like many, it lets no page of another origin
 * read the answer to a revocation.
 */
export class Issuer {
  client = "page";
  user = "grace";
  /** The grants that it has answered, and why it refused others. */
  granted = [];
  refused = [];
  /** What its page for the sign-in was asked for: a prompt, or undefined. */
  prompts = [];
  /** The error with which it answers a person at its page for the sign-in, if it refuses them. */
  refusal = undefined;
  /** How long its tokens are valid. */
  life = 3600;

  #key = generateKeyPairSync("rsa", { modulusLength: 2048 });
  #codes = new Map();
  #refresh = new Set();
  #used = new Set();

  static async start() {
    const issuer = new Issuer();
    Object.assign(issuer, await listen((request, response) => issuer.#answer(request, response)));
    return issuer;
  }

  #answer(request, response) {
    const url = new URL(request.url, this.url);
    const reply = (status, body) => response.writeHead(status, { "Content-Type": "application/json", "Access-Control-Allow-Origin": "*" }).end(JSON.stringify(body));
    switch (url.pathname) {
      case "/.well-known/openid-configuration": return reply(200, { issuer: this.url, jwks_uri: `${this.url}/jwks`, revocation_endpoint: `${this.url}/revoke` });
      case "/jwks": return reply(200, { keys: [{ ...this.#key.publicKey.export({ format: "jwk" }), use: "sig", alg: "RS256", kid: "k1" }] });
      case "/authorize": return this.#authorize(url.searchParams, request.headers.cookie ?? "", response);
      case "/token": return bodyOf(request).then(form => this.#token(form, reply));
      case "/revoke": return bodyOf(request).then(form => this.#revoke(form, response));
      case "/logout": return response.writeHead(302, { Location: url.searchParams.get("logout_uri"), "Set-Cookie": `${known}; Path=/; Max-Age=0` }).end();
      default: return response.writeHead(404).end();
    }
  }

  /** Ends all sessions: no refresh token works any more. */
  end() { this.#refresh.clear(); }

  #authorize(query, cookies, response) {
    const back = new URL(query.get("redirect_uri"));
    const fault = query.get("response_type") !== "code" ? "response_type"
      : query.get("client_id") !== this.client ? "client_id"
      : query.get("code_challenge_method") !== "S256" || !/^[\w-]{43}$/.test(query.get("code_challenge")) ? "code_challenge"
      : !query.get("state") ? "state"
      : back.origin !== this.page ? "redirect_uri" : "";
    if (fault) {
      this.refused.push(fault);
      response.writeHead(400).end(fault);
      return;
    }
    const prompt = query.get("prompt") ?? undefined;
    this.prompts.push(prompt);
    back.searchParams.set("state", query.get("state"));
    const refusal = prompt === "none" ? !cookies.includes(known) && { error: "login_required" } : this.refusal;
    if (refusal) {
      for (const [name, text] of Object.entries(refusal)) back.searchParams.set(name, text);
      response.writeHead(302, { Location: back.href }).end();
      return;
    }
    const code = randomUUID();
    this.#codes.set(code, { challenge: query.get("code_challenge"), redirect: query.get("redirect_uri") });
    back.searchParams.set("code", code);
    response.writeHead(302, { Location: back.href, "Set-Cookie": `${known}; Path=/; HttpOnly; SameSite=Lax` }).end();
  }

  #token(form, reply) {
    const grant = form.get("grant_type");
    if (!(grant === "authorization_code" ? this.#takesCode(form) : this.#takesRefresh(form.get("refresh_token")))) {
      this.refused.push(grant);
      return reply(400, { error: "invalid_grant" });
    }
    this.granted.push(grant);
    const refresh = randomUUID();
    this.#refresh.add(refresh);
    return reply(200, { access_token: this.accessToken(), refresh_token: refresh, token_type: "Bearer", expires_in: this.life });
  }

  /** Answers as RFC 7009 says: with success for any token of the client, whether it is valid or not. */
  #revoke(form, response) {
    const ours = form.get("client_id") === this.client;
    if (ours) this.#refresh.delete(form.get("token"));
    response.writeHead(ours ? 200 : 400).end();
  }

  #takesRefresh(token) {
    if (this.#used.has(token)) this.#refresh.clear();
    this.#used.add(token);
    return this.#refresh.delete(token);
  }

  #takesCode(form) {
    const given = this.#codes.get(form.get("code"));
    this.#codes.delete(form.get("code"));
    const challenge = createHash("sha256").update(form.get("code_verifier") ?? "").digest("base64url");
    return given?.challenge === challenge && given.redirect === form.get("redirect_uri");
  }

  accessToken(user = this.user) {
    const now = Math.floor(Date.now() / 1000);
    const signed = `${json({ alg: "RS256", kid: "k1", typ: "JWT" })}.${json({ iss: this.url, sub: user, aud: "api", username: user, iat: now, exp: now + this.life })}`;
    return `${signed}.${sign("sha256", Buffer.from(signed), this.#key.privateKey).toString("base64url")}`;
  }
}

const types = {
  ".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8", ".svg": "image/svg+xml",
  ".png": "image/png", ".webmanifest": "application/manifest+json",
};
/** What has the version in its references, as in web.Files. */
const referring = ["index.html", "missing.html", "sw.js"];

/**
 * Serves the page as the stack does: on an origin of its own, with a policy in the headers, and one in the
 * index that names the API's host. Another version has other addresses, and the former ones are gone. Other is
 * a page that is served instead, and silent holds back the configuration.
 */
export async function host() {
  const site = await listen(async (request, response) => {
    const { pathname } = new URL(request.url, "http://site");
    const headers = { "Content-Security-Policy": site.policy, "Cache-Control": pathname.startsWith("/assets/") ? "public, max-age=31536000, immutable" : "no-cache" };
    if (site.other) return response.writeHead(pathname === "/" ? 200 : 404, { "Content-Type": types[".html"] }).end(site.other);
    if (pathname === "/config.json" && site.silent) return undefined;
    if (pathname === "/config.json") return response.writeHead(200, { ...headers, "Content-Type": "application/json" }).end(JSON.stringify(site.config));
    const folder = `/assets/${site.version}/`;
    const name = pathname === "/" ? "index.html" : pathname.startsWith(folder) ? pathname.slice(folder.length) : pathname.slice(1);
    const file = /^[\w.-]+$/.test(name) ? await readFile(join(dist, name)).catch(() => null) : null;
    if (!file) return response.writeHead(404).end();
    const text = referring.includes(name) ? `${file}`.replace(/"\/([^"]+\.(?:js|css))"/g, `"${folder}$1"`)
      .replace("<head>", `<head>\n<meta http-equiv="Content-Security-Policy" content="${site.connect}">`) : file;
    return response.writeHead(200, { ...headers, "Content-Type": types[extname(name)] }).end(text);
  });
  site.version = "first";
  return site;
}
