import { z } from "zod";
import { databaseName } from "../../db/schema-parts.ts";
import { figure, plural } from "../../text.ts";
import { Decimal } from "../decimal.ts";
import { summed } from "./by-group.ts";
import { column } from "./fields.ts";
import { rounded } from "./figures.ts";
import { defineRule, failingRows } from "./rule.ts";
import { unnamed, unset } from "./sentence.ts";
import { fail, pass } from "./verdict.ts";

/** The percentage of NULLs is at or below a limit. An empty table has none. */
export const nullRate = defineRule({
  type: "NullRate",
  label: "Null rate",
  explanation: "At most a given percentage of a column is NULL.",
  scoring: "On failure, the score drops one point per percentage point above the limit.",
  configuration: z.strictObject({ column: databaseName, maxNullPercent: z.number().min(0).max(100) }),
  properties: "column, maxNullPercent",
  fields: {
    column: column(),
    maxNullPercent: { label: "At most", kind: "number", unit: "% NULL" },
  },
  sentence: ({ column, maxNullPercent }) =>
    Number(maxNullPercent ?? Number.NaN) === 0
      ? `No ${column ?? unnamed} is NULL`
      : `At most ${maxNullPercent ?? unset}% of ${column ?? unnamed} is NULL`,
  unit: "Percent",
  measured: "percent",
  typicalMs: 100,
  odcs: {
    dimension: "completeness",
    library: {
      metric: "nullValues",
      write: ({ maxNullPercent }) => ({ mustBeLessOrEqualTo: maxNullPercent, unit: "percent" }),
      read: ({ columns: [column], maxPercent }) =>
        maxPercent === null ? null : { column, maxNullPercent: maxPercent },
    },
  },
  suggests: {
    column: ({ name, values, isNullable, isPrimaryKey }, { profile: { rows }, seen }) => {
      const nulls = rows - values;
      if (nulls === 0) {
        const enforced = isNullable ? "" : ", and the column is declared NOT NULL";
        return [
          {
            name: `${name} is never NULL`,
            configuration: { column: name, maxNullPercent: 0 },
            evidence: `Never NULL in ${seen}${enforced}`,
            ...(isPrimaryKey && { severity: "High" }),
          },
        ];
      }
      const percent = (100 * nulls) / rows;
      if (percent > maxSuggestedPercent) return [];
      const maxNullPercent = Math.ceil(percent + Math.max(1, percent / 2));
      return [
        {
          name: `${name} is rarely NULL`,
          configuration: { column: name, maxNullPercent },
          evidence: `${figure(nulls)} of ${seen} are NULL (${percent.toFixed(2)}%); ${maxNullPercent}% are allowed`,
          severity: "Low",
        },
      ];
    },
  },
  measures: ["nulls", "total"],
  samples: failingRows,
  usual: {
    kind: "Share",
    per: 100,
    unbounded: { maxNullPercent: 100 },
    subject: ({ column }) => `the share of NULL in ${column ?? unnamed}`,
    figure: (percent) => `${figure(String(Number(percent.toFixed(2))))}%`,
    // As for a fixed limit.
    score: (points) => Decimal.max(0, new Decimal(100).minus(points)),
  },
  byGroup: { ...summed("nulls"), counts: "nulls" },
  interpret({ nulls, total }, { maxNullPercent }) {
    const rows = new Decimal(total ?? 0);
    const actualNullPercent = rows.isZero() ? rows : new Decimal(nulls ?? 0).times(100).dividedBy(rows);
    const told = {
      expected: `at most ${figure(maxNullPercent)}% NULL`,
      actual: `${rounded(actualNullPercent, 4)}% (${figure(nulls ?? 0)} of ${plural(rows.toFixed(), "row")})`,
      measured: actualNullPercent.toDecimalPlaces(4),
      failing: nulls,
    };
    // Compared without division, whose result may be inexact.
    const within = new Decimal(nulls ?? 0).times(100).lessThanOrEqualTo(rows.times(maxNullPercent));
    if (within) return pass(told);
    // The specification's formula: max(0, 100 − (actualNullPercent − maxNullPercent)).
    const score = Decimal.max(0, new Decimal(100).minus(actualNullPercent.minus(maxNullPercent)));
    return fail({ ...told, score });
  },
});

/** Columns with a higher percentage of NULLs are not expected to be filled. */
const maxSuggestedPercent = 20;
