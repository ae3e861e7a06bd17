import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const css = readFileSync("app/globals.css", "utf8");

/** The color tokens in one selector's block, as `name → #rrggbb`. */
function tokensOf(selector: string): Record<string, string> {
  const block = css.slice(css.indexOf(`${selector} {`)).split("}")[0] ?? "";
  return Object.fromEntries(
    [...block.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(([, name, hex]) => [name, hex]),
  );
}

/** WCAG 2.2 relative luminance of an sRGB color. */
function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((start) => Number.parseInt(hex.slice(start, start + 2), 16) / 255)
    .map((channel) => (channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

const surfaces = ["canvas", "surface", "sunken", "hover"];
const onSurfaces = ["ink", "ink-2", "ink-3", "accent", "ok", "warning", "critical", "stalled"];
const pairs: [string, string, number][] = [
  ...onSurfaces.flatMap((text) => surfaces.map((ground): [string, string, number] => [text, ground, 4.5])),
  ...["accent", "ok", "warning", "critical", "stalled"].map((tone): [string, string, number] => [
    tone,
    `${tone}-soft`,
    4.5,
  ]),
  ["ink", "accent-soft", 4.5],
  ["ink-2", "accent-soft", 4.5],
  ["ink-3", "accent-soft", 4.5],
  ["accent-ink", "accent", 4.5],
  ["accent-ink", "accent-strong", 4.5],
  // Borders of form controls (WCAG 1.4.11).
  ["control", "canvas", 3],
  ["control", "surface", 3],
  ["control", "sunken", 3],
];

test.each([":root", '[data-theme="dark"]'])("the theme %s meets WCAG AA", (selector) => {
  const tokens = tokensOf(selector);
  expect(Object.keys(tokens).length).toBeGreaterThan(15);
  const tooFaint = pairs
    .map(([text, ground, least]) => ({
      text,
      ground,
      least,
      ratio: contrast(tokens[text] ?? "", tokens[ground] ?? ""),
    }))
    .filter(({ ratio, least }) => !(ratio >= least));
  expect(tooFaint).toEqual([]);
});
