// The browser tests, the faults that they must find, and the pictures and times of the app.
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { defineConfig } from "@playwright/test";

/** Debian's browser, which is found by PATH. */
const browserName = "chromium";
const executablePath = process.env.PATH.split(delimiter).map(folder => join(folder, browserName)).find(existsSync);
if (!executablePath) throw new Error(`${browserName} is not in PATH: install Debian's package ${browserName}`);

/** The hour of the tests: far from midnight, when a time of today becomes one of another day. */
const HOUR = 15;
const east = (HOUR - new Date().getUTCHours() + 36) % 24 - 12;
// Servers and browsers get a time zone in which it is that hour. The names of these count to the west.
process.env.TZ = `Etc/GMT${east < 0 ? "+" : "-"}${Math.abs(east)}`;

/** The longest wait for anything to show. It only ends hangs. */
const patience = Number(process.env.PATIENCE_MS ?? 60_000);

/** The folder of traces, and of each project's files: it is emptied when the project runs. */
const results = "test/results";

/** What takes long, or has no outcome, needs no trace. */
const untraced = (name, file) => ({ name, testMatch: file, outputDir: `${results}/${name}`, use: { trace: "off" } });

export default defineConfig({
  testDir: "test",
  timeout: 300_000,
  expect: { timeout: patience, toPass: { timeout: patience } },
  workers: 2,
  retries: Number(process.env.RETRIES ?? 0),
  forbidOnly: !!process.env.CI,
  reporter: [["list"], ...(process.env.PLAYWRIGHT_JSON_OUTPUT_NAME ? [["json"]] : [])],
  use: {
    actionTimeout: patience,
    trace: { mode: "retain-on-failure", screenshots: false },
    launchOptions: {
      executablePath,
      args: [
        "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
        "--disable-background-networking", "--disable-component-update", "--disable-sync",
      ],
    },
  },
  projects: [
    { name: "browser", testMatch: "*.test.mjs", outputDir: `${results}/browser` },
    untraced("faults", "mutants.mjs"),
    untraced("bench", "bench.mjs"),
    untraced("device", "device.mjs"),
    untraced("shots", "shots.mjs"),
    untraced("screenshot", "screenshot.mjs"),
  ],
});
