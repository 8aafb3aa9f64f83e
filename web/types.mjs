// Writes the types of the API from its description, to client/src/api.gen.ts. With --check it only
// compares them.
import { readFileSync, writeFileSync } from "node:fs";
import openapiTS, { astToString } from "openapi-typescript";
import ts from "typescript";

const target = new URL("client/src/api.gen.ts", import.meta.url);

/**
 * Gives the known values of an answer's field as its type. Nothing checks them in a running program,
 * so a value that a later version adds does no harm.
 */
function transform(schema) {
  const known = schema["x-extensible-enum"];
  return known && ts.factory.createUnionTypeNode(
    known.map(value => ts.factory.createLiteralTypeNode(ts.factory.createStringLiteral(value))));
}

/** The description without the examples of requests and answers, which would be comments in the types. */
const document = JSON.parse(readFileSync(new URL("../api/openapi.json", import.meta.url), "utf8"), function (key, value) {
  return key === "x-codeSamples" || (key === "example" && this.schema && !this.in) ? undefined : value; // parameters have short ones
});
const types = astToString(await openapiTS(document, { transform }));
const text = `// Written by web/types.mjs from api/openapi.json.\n\n${types}`;
if (!process.argv.includes("--check")) writeFileSync(target, text);
else if (readFileSync(target, "utf8") !== text) {
  console.error("web/client/src/api.gen.ts does not match api/openapi.json: make web writes it");
  process.exitCode = 1;
}
