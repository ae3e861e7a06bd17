/**
 * External text in Markdown: names and comments come from databases and may contain anything. They stay within their
 * line and cell, and never become a link, an image, HTML, or a heading.
 */

const usual = 500;

/** A name as inline code, to be read and copied exactly. */
export function code(name: string): string {
  const text = inOneLine(name).replaceAll("|", "\\|");
  const longestRun = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longestRun + 1);
  return longestRun > 0 ? `${fence} ${text} ${fence}` : fence + text + fence;
}

/** Plain text on one line, cut after `longest` characters. */
export function plain(text: string, longest = usual): string {
  const line = inOneLine(text);
  const short = line.length > longest ? `${line.slice(0, longest).toWellFormed()}…` : line;
  return short
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(/[\\`*_[\]|#!>]/g, "\\$&");
}

const inOneLine = (text: string) => text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ").trim();

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

/** A score with its trend, in words. */
export function scoreText(score: number | null, trend: string | null): string {
  if (score === null) return "not scored";
  return trend === null ? score.toFixed(2) : `${score.toFixed(2)}, ${trend.toLowerCase()}`;
}
