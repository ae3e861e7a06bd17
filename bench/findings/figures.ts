import type { Say } from "../measure.ts";

/**
 * A table: the first column left-aligned, the others right-aligned. Without a title it continues the previous table.
 */
export function table(
  say: Say,
  title: string,
  header: readonly string[],
  rows: readonly (readonly string[])[],
): void {
  const line = ([first = "", ...others]: readonly string[]) =>
    `  ${first.padEnd(18)}${others.map((cell) => cell.padStart(13)).join("")}`;
  say(title === "" ? "" : `\n${title}`);
  for (const row of [header, ...rows]) say(line(row));
}

/** Rounded, with thousands separators. */
export const count = (number: number) => Math.round(number).toLocaleString("en");
/** As a percentage. */
export const share = (part: number, all: number) =>
  all === 0 ? "–" : `${((part / all) * 100).toFixed(1)} %`;
