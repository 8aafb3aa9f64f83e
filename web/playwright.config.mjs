// The browser tests, the faults that they must find, and the pictures and times of the app.
import { defineConfig } from "@playwright/test";
import { chromium, shell } from "./test/browsers.mjs";

/** The hour of the tests: far from midnight, when a time of today becomes one of another day. */
const HOUR = 15;
const east = (HOUR - new Date().getUTCHours() + 36) % 24 - 12;
// Servers and browsers get a time zone in which it is that hour. The names of these count to the west.
process.env.TZ = `Etc/GMT${east < 0 ? "+" : "-"}${Math.abs(east)}`;

/** The longest wait for anything to show. It only ends hangs. */
const patience = Number(process.env.PATIENCE_MS ?? 60_000);

/** The folder of traces, and of each project's files: it is emptied when the project runs. */
const results = "test/results";

const retries = Number(process.env.RETRIES ?? 0);
const args = [
  "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
  "--disable-background-networking", "--disable-component-update", "--disable-sync",
];
const project = (name, testMatch, browser, trace) => ({
  name, testMatch, outputDir: `${results}/${name}`,
  use: { trace, locale: "en-GB", launchOptions: { args, executablePath: browser() } },
});
/** A trace of each test takes a tenth of the CPU. With retries only a failed test is traced, as it runs again. */
const trace = { mode: retries ? "on-first-retry" : "retain-on-failure", screenshots: false };
/** The tests of notifications. */
const shown = "notifications.test.mjs";
/** What takes long, or has no outcome, needs no trace. */
const untraced = (name, file) => project(name, file, chromium, "off");

export default defineConfig({
  testDir: "test",
  timeout: 300_000,
  expect: { timeout: patience, toPass: { timeout: patience } },
  workers: 3, // on two processors: two workers leave a quarter of them idle
  retries,
  forbidOnly: !!process.env.CI,
  reporter: [["list"], ...(process.env.PLAYWRIGHT_JSON_OUTPUT_NAME ? [["json"]] : [])],
  use: { actionTimeout: patience },
  projects: [
    { ...project("browser", "*.test.mjs", shell, trace), testIgnore: shown },
    project("notifications", shown, chromium, trace), // the shell has none
    untraced("faults", "mutants.mjs"),
    untraced("bench", "bench.mjs"),
    untraced("device", "device.mjs"),
    untraced("shots", "shots.mjs"),
    untraced("screenshot", "screenshot.mjs"),
  ],
});
