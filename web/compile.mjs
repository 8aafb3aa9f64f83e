// Compiles the package in the current folder into its dist, for scripts/packages. TypeScript and the types
// of React are tools of this folder. If they are not installed, npm exec gets the same versions.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";

const { devDependencies } = JSON.parse(readFileSync(join(import.meta.dirname, "package.json"), "utf8"));
const tools = ["typescript", "@types/react"];

/** The node_modules that have the tools: of this folder, or of npm exec. */
const modules = [join(import.meta.dirname, "node_modules"), ...process.env.PATH.split(delimiter).map(bin => join(bin, ".."))]
  .find(folder => tools.every(name => existsSync(join(folder, name, "package.json"))));

const [program, ...args] = modules
  ? [process.execPath, join(modules, "typescript/bin/tsc"), "-p", ".", "--typeRoots", join(modules, "@types")]
  : ["npm", "exec", "--yes", ...tools.map(name => `--package=${name}@${devDependencies[name]}`), "--", "node", import.meta.filename];
const { status } = spawnSync(program, args, { stdio: "inherit", shell: !modules && process.platform === "win32" });
process.exit(status ?? 1);
