import { z } from "zod";
import { databaseName } from "../../db/schema-parts.ts";
import { figure, plural } from "../../text.ts";
import { Decimal } from "../decimal.ts";
import { boundsAround, decimalIn } from "../suggest/bounds-around.ts";
import { isNamedLikeKey } from "../suggest/suggestion.ts";
import { summed } from "./by-group.ts";
import { bound, isGreater } from "./configuration-values.ts";
import { column } from "./fields.ts";
import { defineRule, failingValues } from "./rule.ts";
import { between, unnamed } from "./sentence.ts";
import { couldNotRun, fail, pass } from "./verdict.ts";

/**
 * Values are between two bounds, both inclusive. NULLs are ignored; NaN is always out of range.
 *
 * The database compares everything as exact numerics. PostgreSQL casts floats to numeric with 15 digits, so those are
 * converted via text, which has all digits. MySQL and SQL Server would compare floats as stored, so there the bounds
 * move to the last float within them.
 */
export const range = defineRule({
  type: "Range",
  label: "Range",
  explanation: "Every number in a column is between two bounds; either can be omitted.",
  scoring: "On failure, the score is the percentage of rows within the bounds.",
  configuration: z
    .strictObject({ column: databaseName, min: bound, max: bound })
    .refine((c) => c.min !== undefined || c.max !== undefined, {
      path: ["min"],
      message: "min or max is required",
    })
    .refine((c) => c.min === undefined || c.max === undefined || !isGreater(c.min, c.max), {
      path: ["min"],
      message: "must not be above max",
    }),
  properties: "column, min and/or max, as text or numbers",
  fields: {
    column: column({ suits: "numbers" }),
    min: { label: "From", kind: "decimal", optional: true },
    max: { label: "To", kind: "decimal", optional: true },
  },
  sentence: ({ column, min, max }) => `Every ${column ?? unnamed} is ${between(min, max)}`,
  unit: "Rows",
  measured: "failing rows",
  typicalMs: 200,
  odcs: {
    dimension: "conformity",
    library: {
      metric: "invalidValues",
      write: ({ min, max }) => ({
        arguments: {
          ...(min !== undefined && { min: shortest(min) }),
          ...(max !== undefined && { max: shortest(max) }),
        },
        mustBe: 0,
      }),
      read: ({ columns: [column], maxPercent, valid: { pattern, values, ...bounds } }) =>
        maxPercent !== 0 || pattern !== undefined || values ? null : { column, ...bounds },
    },
  },
  suggests: {
    column: ({ name, kind, values, least, greatest, isPrimaryKey, references }, { seen }) => {
      if (least === null || greatest === null || values < minSuggestedValues) return [];
      const isIdentity =
        isPrimaryKey || references !== undefined || (kind === "integer" && isNamedLikeKey(name));
      const [from, to] = [decimalIn(least), decimalIn(greatest)];
      if (isIdentity || !from || !to) return [];
      const { min, max } = boundsAround(from, to);
      return [
        {
          name: `${name} is between ${figure(min)} and ${figure(max)}`,
          configuration: { column: name, min, max },
          evidence: `From ${figure(from.toFixed())} to ${figure(to.toFixed())} in ${seen}; ${figure(min)} to ${figure(max)} are allowed`,
        },
      ];
    },
  },
  measures: ["outside", "total"],
  samples: failingValues,
  failingRows: "outside",
  byValue: { rows: ["outside", "total"] },
  byGroup: summed("outside"),
  interpret({ outside, total }, { min, max }) {
    const expected = expectedText(min, max);
    if (outside === null) return couldNotRun("the column contains a value that is not a number");
    if (outside === "0") return pass({ expected, actual: `every value in range`, failing: outside });
    // The specification's formula: (1 − outOfRangeRows / totalRows) × 100.
    const share = new Decimal(outside ?? 0).dividedBy(total ?? 1);
    return fail({
      expected,
      actual: `${figure(outside ?? 0)} of ${plural(total ?? 0, "row")} out of range`,
      failing: outside,
      score: new Decimal(1).minus(share).times(100),
    });
  },
});

function expectedText(min: string | undefined, max: string | undefined): string {
  if (max === undefined) return `at least ${figure(min ?? "")}`;
  if (min === undefined) return `at most ${figure(max)}`;
  return `${figure(min)} to ${figure(max)}`;
}

/** A bound as a number if that gives the same text, otherwise as text, which keeps every digit. */
function shortest(bound: string): string | number {
  return String(Number(bound)) === bound ? Number(bound) : bound;
}

/** With fewer values, bounds may fit by chance. */
const minSuggestedValues = 5;
