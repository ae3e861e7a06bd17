import { figure, plural } from "../../text.ts";

/** Parts of the sentences that say what a rule checks. What is not set yet is shown as open. */

export const unset = "…";
export const unnamed = "(no column yet)";

/** Two bounds, either of which may be missing: "between 10 and 20". */
export function between(min: string | null, max: string | null): string {
  if (min !== null && max !== null) return `between ${min} and ${max}`;
  if (min !== null) return `at least ${min}`;
  return max === null ? `between ${unset} and ${unset}` : `at most ${max}`;
}

/** "10 to 20 rows", "at least 1 row". */
export function rowsBetween(min: string | null, max: string | null): string {
  if (min !== null && max !== null)
    return min === max ? plural(min, "row") : `${figure(min)} to ${plural(max, "row")}`;
  if (min !== null) return `at least ${plural(min, "row")}`;
  return `at most ${max === null ? `${unset} rows` : plural(max, "row")}`;
}

/** Whole hours and days are easier to read from two on. */
export function minutesInWords(text: string | null): string {
  const count = Number(text ?? Number.NaN);
  if (!Number.isFinite(count)) return `${text ?? unset} minutes`;
  return count >= 120 && count % 60 === 0 ? hoursInWords(String(count / 60)) : plural(count, "minute");
}

export function hoursInWords(text: string): string {
  const count = Number(text);
  if (!Number.isInteger(count)) return `${text} hours`;
  return count >= 48 && count % 24 === 0 ? plural(count / 24, "day") : plural(count, "hour");
}

const conjunction = new Intl.ListFormat("en", { type: "conjunction" });

/** "country", "country and city", "country, city, and day". */
export const listedColumns = (names: readonly string[]): string => conjunction.format(names);

/** Columns as they are written in a configuration's words, which a comma divides. */
export const columnsInWords = (written: string | null | undefined): string =>
  written == null ? "(no columns yet)" : listedColumns(written.split(", "));

/** The parts of a name that are there, joined with dots. */
export const dotted = (...parts: (string | null)[]): string => parts.filter(Boolean).join(".");

export const oneLine = (sql: string): string => sql.replace(/\s+/g, " ").trim();
