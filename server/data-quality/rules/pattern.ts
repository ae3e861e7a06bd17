import { z } from "zod";
import { databaseName, text } from "../../db/schema-parts.ts";
import type { ColumnProfile } from "../../profile/table-profile.ts";
import { plural } from "../../text.ts";
import { shapeOf, type TextShape } from "../suggest/text-shape.ts";
import { summed } from "./by-group.ts";
import { column } from "./fields.ts";
import { binaryScoring, defineRule, failingValues } from "./rule.ts";
import { unnamed, unset } from "./sentence.ts";
import { fail, pass } from "./verdict.ts";

/**
 * Every non-NULL value matches a pattern, in the engine's own syntax: a regular expression, or LIKE on SQL Server. On
 * MySQL and SQL Server, the column's collation decides case sensitivity.
 */
export const pattern = defineRule({
  type: "Pattern",
  label: "Pattern",
  explanation: "Every value in a column matches a pattern. NULLs are ignored.",
  scoring: binaryScoring,
  configuration: z.strictObject({ column: databaseName, pattern: text(1000).min(1, "is required") }),
  properties: "column, pattern",
  fields: {
    column: column({ suits: "texts" }),
    pattern: { label: "Pattern", kind: "pattern" },
  },
  sentence: ({ column, pattern }) => `Every ${column ?? unnamed} matches ${pattern ?? unset}`,
  unit: "Rows",
  measured: "failing rows",
  typicalMs: 2100,
  odcs: {
    dimension: "conformity",
    hasPatterns: true,
    library: {
      metric: "invalidValues",
      write: ({ pattern }) => ({ arguments: { pattern }, mustBe: 0 }),
      read: ({ columns: [column], maxPercent, valid: { pattern, ...others } }) =>
        maxPercent !== 0 || pattern === undefined || Object.keys(others).length > 0
          ? null
          : { column, pattern },
    },
  },
  suggests: {
    column: (column, { patterns }) => {
      if (column.kind !== "text" || column.references) return [];
      const shape = shapeOf(column.samples);
      // The list itself is suggested, with the number of rows of each value.
      if (shape?.isList && column.listed) return [];
      const strict = shape && suggestionOf(column, shape, patterns);
      const looser = shape?.looser && suggestionOf(column, shape.looser, patterns);
      if (!strict) return looser ? [looser] : [];
      return [looser ? { ...strict, otherwise: looser } : strict];
    },
  },
  measures: ["misses", "readable"],
  samples: failingValues,
  failingRows: "misses",
  byValue: { rows: ["misses"] },
  byGroup: summed("misses"),
  interpret({ misses }, { pattern }) {
    const expected = `matches ${pattern}`;
    if (misses === "0") return pass({ expected, actual: "every value matches", failing: misses });
    return fail({ expected, actual: `${plural(misses ?? 0, "row")} without a match`, failing: misses });
  },
});

function suggestionOf(column: ColumnProfile, shape: TextShape, patterns: "regex" | "like") {
  const { name, samples, shortest, longest } = column;
  const pattern = shape[patterns];
  if (pattern === null) return null;
  const length =
    shortest === longest
      ? `all ${plural(longest ?? 0, "character")} long`
      : `${shortest} to ${longest} characters long`;
  return {
    name: `${name} looks like ${shape.name}`,
    configuration: { column: name, pattern },
    evidence: `All ${plural(samples.length, "sampled value")} look like ${shape.name}; ${length}; then checked on the whole table`,
  };
}
