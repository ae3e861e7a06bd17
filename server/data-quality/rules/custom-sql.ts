import { z } from "zod";
import type { Cell, ResultSet } from "../../data-sources/engines/engine.ts";
import { text } from "../../db/schema-parts.ts";
import { Decimal } from "../decimal.ts";
import { defineQueryRule } from "./rule.ts";
import { oneLine, unset } from "./sentence.ts";
import { fail, type Verdict, verdict } from "./verdict.ts";

/**
 * A user's SQL, run verbatim. Reads the first row: `passed`, and optionally `score`, `actual_value`, and `message`. An
 * unreadable result is a failed rule with score 0 that says so.
 */
export const customSql = defineQueryRule({
  type: "CustomSql",
  label: "Custom SQL",
  explanation: "Any check that SQL can express. The query returns one row that says whether it passed.",
  scoring: "The score is the query's score column, otherwise 100 or 0.",
  /** Stored and run verbatim, including white space. */
  configuration: z.strictObject({ sql: text(20_000).refine((sql) => sql.trim() !== "", "is required") }),
  properties: "sql",
  fields: { sql: { label: "SQL", kind: "sql" } },
  sentence: ({ sql }) => `The query says that it passed: ${sql === null ? unset : oneLine(sql)}`,
  unit: null,
  measured: "an actual_value that is a number",
  typicalMs: 3000,
  odcs: {},
  samples: null,
  query: ({ sql }) => sql,
  interpret: readFirstRow,
});

const expected = "passed = 1";

function readFirstRow({ columns, rows, truncated }: ResultSet): Verdict {
  const [row] = rows;
  const unreadable = (message: string) => fail({ expected, message });
  if (!row) return unreadable(truncated ? "The first row is too large to read" : "The query returned no row");

  const column = (name: string) => columns.findIndex((each) => each.name.toLowerCase() === name);
  const cell = (name: string): Cell => row[column(name)] ?? null;
  const text = (name: string): string | null => {
    const value = cell(name);
    return value === null ? null : String(value);
  };

  if (column("passed") < 0) return unreadable('The query answered no column "passed"');
  const passed = passedIn(cell("passed"), columns[column("passed")]?.type ?? "");
  if (passed === null) return unreadable(`passed must be 1 or 0, but is ${shown(cell("passed"))}`);
  const score = scoreIn(cell("score"), passed);
  if (score === null)
    return unreadable(`score must be a number from 0 to 100, but is ${shown(cell("score"))}`);
  const actual = text("actual_value");
  const told = { message: text("message"), score, measured: numberIn(actual) };
  if (passed) return verdict(true, { ...told, expected, actual });
  // Next to a value of the query's own, which may well be 1, make clear that it is `passed` that was not.
  return actual === null
    ? verdict(false, { ...told, expected, actual: "passed = 0" })
    : verdict(false, { ...told, expected: `${expected}, got 0`, actual });
}

/** The observed value, if it is a number worth charting. */
function numberIn(actual: string | null): Decimal | null {
  return actual !== null && actual.length <= 30 && plainDecimal.test(actual) ? new Decimal(actual) : null;
}

/** true, 1, and "1" pass; false, 0, and "0" fail; a decimal is a number, so 1.0 is 1. Anything else is null. */
function passedIn(cell: Cell, type: string): boolean | null {
  if (typeof cell === "boolean") return cell;
  const isDecimal = /^(numeric|decimal)/i.test(type) && typeof cell === "string" && plainDecimal.test(cell);
  const value = isDecimal ? new Decimal(cell).toFixed() : String(cell);
  if (value === "1") return true;
  return value === "0" ? false : null;
}

/** 100 or 0 if there is no score; null unless it is a number from 0 to 100. */
function scoreIn(cell: Cell, passed: boolean): Decimal | null {
  if (cell === null) return new Decimal(passed ? 100 : 0);
  if (typeof cell === "boolean" || (typeof cell === "string" && !plainDecimal.test(cell))) return null;
  const score = new Decimal(cell);
  return score.greaterThanOrEqualTo(0) && score.lessThanOrEqualTo(100) ? score : null;
}

const plainDecimal = /^[+-]?(\d+\.?\d*|\.\d+)$/;

function shown(cell: Cell): string {
  if (cell === null) return "NULL";
  return typeof cell === "string" ? `"${cell.length > 60 ? `${cell.slice(0, 60)}…` : cell}"` : String(cell);
}
