import type { Say } from "../measure.ts";

/** Figures in columns: the first to the left, the others to the right. Without a title it belongs to the one above. */
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

/** Whole, with its thousands separated. */
export const count = (number: number) => Math.round(number).toLocaleString("en");
/** In percent. */
export const share = (part: number, all: number) =>
  all === 0 ? "–" : `${((part / all) * 100).toFixed(1)} %`;
