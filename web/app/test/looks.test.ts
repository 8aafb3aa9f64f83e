// The contrast of text with the backgrounds of selected, mentioned, linked and pressed elements.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

const repository = process.env["PARLEY_REPOSITORY"] ?? "";
const read = (path: string) => readFileSync(join(repository, path), "utf8");
const tokens = read("web/app/src/styles/tokens.css");

const looks = ["selected", "mentioned", "lit", "pressed"];
const texts = ["ink", "quiet", "accent"];
const themes = ["light", "dark"];
/** The contrast that WCAG requires of text. */
const least = 4.5;
/** The least distance of two looks in OKLab: two patches of it differ at a glance. */
const apart = 0.03;

type Lab = readonly [l: number, a: number, b: number];

/** Returns a color of the tokens in a theme, in OKLab. */
function color(name: string, theme: string): Lab {
  const values = new RegExp(`--${name}: +light-dark\\(oklch\\(([^)]*)\\), oklch\\(([^)]*)\\)\\)`).exec(tokens);
  assert.ok(values, `--${name} has a color for each theme`);
  const [l = 0, c = 0, h = 0] = values[1 + themes.indexOf(theme)]!.split(" ").map(parseFloat);
  const angle = h * Math.PI / 180;
  return [l / 100, c * Math.cos(angle), c * Math.sin(angle)];
}

/** Returns the relative luminance of a color, as WCAG defines it. */
function luminance([l, a, b]: Lab): number {
  const long = (l + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const middle = (l - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const short = (l - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const red = 4.0767416621 * long - 3.3077115913 * middle + 0.2309699292 * short;
  const green = -1.2684380046 * long + 2.6097574011 * middle - 0.3413193965 * short;
  const blue = -0.0041960863 * long - 0.7034186147 * middle + 1.707614701 * short;
  const [r, g, u] = [red, green, blue].map(v => Math.min(1, Math.max(0, v)));
  return 0.2126 * r! + 0.7152 * g! + 0.0722 * u!;
}

function contrast(one: Lab, other: Lab): number {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light! + 0.05) / (dark! + 0.05);
}

const shown = (look: string, text: string, theme: string) => contrast(color(look, theme), color(text, theme)).toFixed(1);

test("text can be read on each look, and docs/web.md states its contrast", () => {
  for (const theme of themes) for (const look of looks) for (const text of texts) {
    assert.ok(contrast(color(look, theme), color(text, theme)) >= least, `--${text} on --${look}, ${theme}`);
  }
  const documented = read("docs/web.md").split("\n").filter(line => looks.some(look => line.startsWith(`| \`--${look}\``)));
  assert.deepEqual(documented.map(line => line.split(" | ").slice(2).join(" | ")),
    looks.map(look => `${texts.map(text => themes.map(theme => shown(look, text, theme)).join(" / ")).join(" | ")} |`));
});

test("no two looks are alike", () => {
  for (const theme of themes) for (const one of looks) for (const other of looks.slice(looks.indexOf(one) + 1)) {
    const [a, b] = [color(one, theme), color(other, theme)];
    const distance = Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
    assert.ok(distance >= apart, `--${one} and --${other}, ${theme}: ${distance.toFixed(3)}`);
  }
});
