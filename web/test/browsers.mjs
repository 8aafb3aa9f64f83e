// Debian's browsers, which are found by PATH.
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

/** The path of the first of some programs that is installed. */
function first(...names) {
  const folders = process.env.PATH.split(delimiter);
  const path = names.flatMap(name => folders.map(folder => join(folder, name))).find(existsSync);
  if (!path) throw new Error(`${names.join(" and ")} are not in PATH: install Debian's package ${names[0]}`);
  return path;
}

/** Chromium as people have it: pictures and times are taken in it, and at night the tests run in it. */
export const chromium = () => first("chromium");

/** Chromium without menus, profiles and windows of its own. It draws the same pages for half the CPU. */
export const shell = () => (process.env.NIGHTLY ? chromium() : first("chromium-headless-shell", "chromium"));
