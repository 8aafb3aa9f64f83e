// Tests of scripts/packages: both archives install into an empty project, and stay installed.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";

const repository = join(import.meta.dirname, "..");
const read = (...path) => readFileSync(join(...path), "utf8");
const folder = mkdtempSync(join(tmpdir(), "parley-packages-"));
const app = join(folder, "app");
const compiler = join(repository, "web/node_modules/typescript/bin/tsc");
const run = (cwd, program, ...args) => execFileSync(program, args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
const install = (...packages) => run(app, "npm", "install", "--offline", "--no-audit", "--no-fund", ...packages);

/** Installs the two archives, and React with its renderer from the tools of the repository. */
before(() => {
  const packed = run(repository, join(repository, "scripts/packages"), folder).trim().split("\n");
  assert.equal(packed.length, 2, packed);
  const tools = ["react", "react-dom", "scheduler"].map(name => `./node_modules/${name}`);
  const react = run(join(repository, "web"), "npm", "pack", "--silent", "--pack-destination", folder, ...tools).trim().split("\n");
  mkdirSync(app);
  writeFileSync(join(app, "package.json"), '{"private": true, "type": "module"}');
  install(...[...packed, ...react].map(file => `../${file}`));
});
after(() => rmSync(folder, { recursive: true, force: true }));

/** Imports every entry of both packages in the app. */
const imports = () => run(app, "node", "--input-type=module", "--eval", `
  const { connect } = await import("@parley/client");
  const { useRoom } = await import("@parley/react");
  for (const entry of ["more", "files", "notices", "search"]) await import("@parley/client/" + entry);
  console.log(typeof connect, typeof useRoom);
`).trim();

test("the packages stay installed after other installs", () => {
  assert.equal(imports(), "function function");
  const other = join(folder, "other");
  mkdirSync(other);
  writeFileSync(join(other, "package.json"), '{"name": "other", "version": "1.0.0"}');
  install("../other");
  assert.equal(imports(), "function function");
  rmSync(join(app, "node_modules"), { recursive: true });
  install();
  assert.equal(imports(), "function function");
});

test("the hooks are client components, which load where React is that of Server Components", () => {
  const { exports } = JSON.parse(read(app, "node_modules/@parley/react/package.json"));
  for (const { default: file } of Object.values(exports)) {
    assert.match(read(app, "node_modules/@parley/react", file), /^"use client";\n/);
  }
  const script = 'import { createContext } from "react"; console.log(typeof createContext)';
  const server = ["--conditions=react-server", "--input-type=module", "--eval"];
  assert.throws(() => run(app, "node", ...server, script), /export (named )?'createContext'/);
  const names = 'import * as hooks from "@parley/react"; console.log(Object.keys(hooks).sort().join())';
  const expected = "ChatProvider,useChat,useNotices,usePerson,useRoom,useRooms,useThread,useUnsent,useValue";
  assert.equal(run(app, "node", ...server, names).trim(), expected);
});

/** A module that connects, and counts what the client does with the network. */
const counted = `
  import { connect } from "@parley/client";
  const count = { tokens: 0, requests: 0, sockets: 0 };
  globalThis.WebSocket = class { constructor() { count.sockets++; } close() {} }; // as newer versions of Node have
  globalThis.fetch = async () => { count.requests++; return new Response("{}", { status: 400 }); };
  const getToken = async () => { count.tokens++; return "token"; };
`;

test("a page that is rendered on a server connects nothing, and the process ends by itself", () => {
  writeFileSync(join(app, "render.mjs"), `${counted}
    import { ChatProvider, useChat, useRoom, useRooms, useValue } from "@parley/react";
    import { createElement as h } from "react";
    import { renderToString } from "react-dom/server";
    const chat = connect({ url: "http://127.0.0.1:9", user: "bob", getToken });
    const Page = () => {
      const { phase, messages } = useRoom("seattle");
      return h("p", null, [useValue(useChat().state), useRooms().rooms.length, phase, messages.length].join(" "));
    };
    console.log(renderToString(h(ChatProvider, { chat }, h(Page))));
    await chat.request("GET", "/people/me").catch(e => console.log(e.message));
    process.on("exit", () => console.log(JSON.stringify(count)));
  `);
  const { status, stdout, stderr } = spawnSync("node", ["render.mjs"], { cwd: app, encoding: "utf8", timeout: 60_000 });
  assert.equal(stderr, "");
  assert.deepEqual(stdout.trim().split("\n"), [
    "<p>connecting 0 closed 0</p>", "This program is no page: give connect a WebSocket.",
    '{"tokens":0,"requests":0,"sockets":0}',
  ]);
  assert.equal(status, 0);
});

test("a program connects with a WebSocket of its own, polls without, and connects where there is a page", () => {
  const connected = (before, options, awaited) => {
    writeFileSync(join(app, "program.mjs"), `${counted}
      ${before};
      const chat = connect({ url: "http://127.0.0.1:9", user: "bob", getToken, ${options} });
      while (!(count.tokens && count.requests && ${awaited})) await new Promise(resolve => setTimeout(resolve, 10));
      chat.close();
      process.exit();
    `);
    assert.equal(spawnSync("node", ["program.mjs"], { cwd: app, timeout: 60_000 }).status, 0, options || before);
  };
  connected("", "WebSocket", "count.sockets");
  connected("", "socket: null", "!count.sockets");
  connected("globalThis.XMLHttpRequest = class {}", "", "count.sockets");
});

/** Compiles a program of the app strictly, with the given libraries and no types of packages. */
function compile(lib, ...lines) {
  writeFileSync(join(app, "program.ts"), lines.join("\n"));
  const compilerOptions = { strict: true, noEmit: true, module: "nodenext", target: "es2022", lib, types: [] };
  writeFileSync(join(app, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["program.ts"] }));
  const { status, stdout } = spawnSync("node", [compiler, "-p", "."], { cwd: app, encoding: "utf8" });
  assert.equal(status, 0, stdout);
}

const program = [
  'import { connect, type Options } from "@parley/client";',
  'import { thread } from "@parley/client/more";',
  'import { linksOf } from "@parley/client/files";',
  'import { searchPage } from "@parley/client/search";',
  'import { noticesOf } from "@parley/client/notices";',
  "export const all = [thread, linksOf, searchPage, noticesOf];",
  'const chat = connect({ url: "https://chat.example.com", getToken: async () => "token" });',
  'export const name: Promise<string | undefined> = chat.request("GET", "/people/me").then(me => me.name);',
  "// @ts-expect-error it is no blob",
  'chat.room("seattle").send({ files: [{ name: "tea", blob: 1 }] });',
  "// @ts-expect-error it is no signal",
  'chat.search("tea", { signal: 1 });',
  "// @ts-expect-error it is no function",
  "export const wrong: Partial<Options> = { fetch: 1 };",
];

test("the client's types need no DOM, and are a browser's where the app has them", () => {
  compile(["es2022"], ...program, 'chat.room("seattle").send({ files: [{ name: "tea", blob: { size: 1, type: "text/plain" } }] });',
    "// @ts-expect-error the client declares nothing global",
    "export type None = Blob;");
  compile(["es2022", "dom"], ...program, 'chat.room("seattle").send({ files: [{ name: "tea", blob: new Blob(["tea"]) }] });',
    'chat.search("tea", { signal: AbortSignal.timeout(1000) });',
    "// @ts-expect-error it is no blob of a browser",
    'chat.room("seattle").send({ files: [{ name: "tea", blob: { size: 1, type: "text/plain" } }] });');
});

test("each package has its licence, its README and its types, and nothing else", () => {
  for (const name of ["client", "react"]) {
    const installed = join(app, "node_modules/@parley", name);
    assert.equal(read(installed, "LICENSE"), read(repository, "LICENSE"));
    assert.equal(read(installed, "README.md"), read(repository, "web", name, "README.md"));
    const { exports } = JSON.parse(read(installed, "package.json"));
    for (const entry of Object.values(exports)) for (const file of Object.values(entry)) read(installed, file);
    const files = readdirSync(installed, { recursive: true, withFileTypes: true })
      .filter(file => file.isFile()).map(file => join(file.parentPath, file.name).slice(installed.length + 1));
    const expected = /^(dist\/.*\.(js|d\.ts)|LICENSE|README\.md|package\.json|thumbhash-license\.txt)$/;
    assert.deepEqual(files.filter(file => !expected.test(file)), []);
  }
  assert.match(read(app, "node_modules/@parley/client/thumbhash-license.txt"), /Permission is hereby granted/);
});
