// Writes the software bill of materials of what is deployed and served, in CycloneDX 1.6: the Go
// modules that are linked into the functions and the command, and the packages of the page. Packages
// that only build or test are listed with the scope "excluded". The output has no time and no random
// number, so the same commit has the same one.
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

const [, , output, version] = process.argv;
if (!output) throw new Error("usage: node tools/sbom.mjs FILE [VERSION]");

// lines returns the output of go list.
function lines(environment, ...args) {
  const env = { ...process.env, ...environment };
  return execFileSync("go", ["list", ...args], { encoding: "utf8", env, maxBuffer: 64 << 20 }).split("\n").filter(Boolean);
}

// programs are the packages whose binaries are deployed or handed out.
const mains = '{{if eq .Name "main"}}{{.ImportPath}}{{end}}';
const programs = lines({}, "-f", mains, "./functions/...", "./cmd/chat");

const modules = new Map();
for (const [goos, goarch] of [["linux", "arm64"], ["linux", "amd64"], ["darwin", "arm64"]]) {
  const format = "{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}} {{.Sum}}{{end}}{{end}}";
  const platform = { GOOS: goos, GOARCH: goarch, CGO_ENABLED: "0" };
  for (const line of lines(platform, "-deps", "-f", format, ...programs)) {
    const [path, version, sum] = line.split(" ");
    modules.set(path, { path, version, sum });
  }
}

const goComponents = [...modules.values()].map(({ path, version, sum }) => ({
  type: "library",
  "bom-ref": `pkg:golang/${path}@${version}`,
  name: path,
  version,
  scope: "required",
  purl: `pkg:golang/${path}@${version}`,
  properties: [{ name: "go:sum", value: sum }],
}));

// packages returns the packages of a lock file, of which some are served. Their hashes are those that
// npm ci checks.
function packages(lock, served = () => false) {
  const entries = Object.entries(JSON.parse(readFileSync(lock, "utf8")).packages).filter(([place]) => place !== "");
  return entries.map(([place, { version, integrity }]) => {
    const name = place.slice(place.lastIndexOf("node_modules/") + "node_modules/".length);
    const purl = `pkg:npm/${name.replace(/^@/, "%40")}@${version}`;
    return {
      type: "library",
      "bom-ref": `${purl}#${lock}:${place}`,
      name,
      version,
      scope: served(name) ? "required" : "excluded",
      purl,
      hashes: [{ alg: "SHA-512", content: Buffer.from(integrity.replace(/^sha512-/, ""), "base64").toString("hex") }],
    };
  });
}

// The page serves the licence of each package in it.
const licences = `\n${readFileSync("web/dist/licenses.txt", "utf8")}`;
const inPage = packages("web/package-lock.json", (name) => licences.includes(`\n${name}\n\n`));
if (!inPage.some((p) => p.scope === "required")) throw new Error("web/dist/licenses.txt names no package");

const components = [...goComponents, ...packages("package-lock.json"), ...inPage];
components.sort((a, b) => (a["bom-ref"] < b["bom-ref"] ? -1 : 1));
const root = { type: "application", "bom-ref": "parley", name: "parley", version };
const bom = {
  bomFormat: "CycloneDX",
  specVersion: "1.6",
  version: 1,
  metadata: { component: root },
  components,
};
mkdirSync(dirname(output), { recursive: true });
writeFileSync(output, `${JSON.stringify(bom, null, 2)}\n`);
const deployed = components.filter((c) => c.scope === "required").length;
console.log(`${output}: ${components.length} components, ${deployed} of them deployed`);
