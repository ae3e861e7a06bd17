import { listed } from "../../text.ts";

/** Names and values from databases are untrusted: as text they become one short line without markup. */

/** Line breaks, control characters, and characters that change the writing direction. */
const unseen = /[\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu;

export function plain(text: string, maxLength = 60): string {
  const line = text.toWellFormed().replace(unseen, " ").replace(/ {2,}/g, " ").trim();
  return shortened(line, maxLength);
}

/** Truncates without splitting a character. */
export function shortened(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const cut = text.slice(0, maxLength - 1).replace(/[\ud800-\udbff]$/, "");
  return `${cut.trimEnd()}…`;
}

/** As code in Markdown, where nothing else is markup; the fence is longer than any in the text. */
export function code(text: string, maxLength = 60): string {
  const inner = plain(text, maxLength) || " ";
  const runs = inner.match(/`+/g)?.map((run) => run.length) ?? [];
  const fence = "`".repeat(Math.max(0, ...runs) + 1);
  const space = runs.length > 0 ? " " : "";
  return fence + space + inner + space + fence;
}

/** For running text in Markdown: escapes anything that could be markup or become a link. */
export function escaped(text: string, maxLength = 200): string {
  return plain(text, maxLength)
    .replace(/[\\`*[\]<>|~&@]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|:(?=\/\/)|(?<=\bwww)\./giu, "\\$&")
    .replace(/^([#+=-]|\d+(?=[.)]))/, (first) => (/\d/.test(first) ? `${first}\\` : `\\${first}`));
}

/** The first few by name, the rest as a number. */
export function someOf(parts: readonly string[], max = 6): string {
  if (parts.length <= max) return listed(parts);
  return `${parts.slice(0, max - 1).join(", ")} and ${parts.length - max + 1} more`;
}

/** Minutes in words: `45 minutes`, `3 hours`, `2.5 days`. */
export function duration(minutes: number): string {
  if (minutes < 0.5) return "less than a minute";
  const [amount, unit] =
    minutes < 120 ? [minutes, "minute"] : minutes < 2880 ? [minutes / 60, "hour"] : [minutes / 1440, "day"];
  const rounded = unit === "minute" ? Math.round(amount) : Number(amount.toFixed(1));
  return `${rounded.toLocaleString("en")} ${unit}${rounded === 1 ? "" : "s"}`;
}
