// Prints a token for a user and their name. In your server, export sign, and call it for a user whom
// the server has signed in.
import { readFileSync } from "node:fs";
import { importPKCS8, SignJWT } from "jose";

const { KEY = "private.pem", KEY_ID = "", ISSUER = "urn:parley:local" } = process.env;
const key = await importPKCS8(readFileSync(KEY, "utf8"), "RS256");

/** Signs a token of an hour. It is issued a minute ago, in case this clock is ahead. */
function sign(user: string, name: string): Promise<string> {
  const issued = Math.floor(Date.now() / 1000) - 60;
  return new SignJWT({ iss: ISSUER, aud: "parley", sub: user, username: name, iat: issued, exp: issued + 3600 })
    .setProtectedHeader({ alg: "RS256", kid: KEY_ID })
    .sign(key);
}

const [user = "", name = ""] = process.argv.slice(2);
console.log(await sign(user, name));
