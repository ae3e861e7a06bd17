import { z } from "zod";
import { figure, plural } from "../../text.ts";
import { Decimal } from "../decimal.ts";
import type { Comparison } from "../odcs/metric-check.ts";
import { summed } from "./by-group.ts";
import { count } from "./configuration-values.ts";
import { binaryScoring, defineRule } from "./rule.ts";
import { rowsBetween } from "./sentence.ts";
import { verdict } from "./verdict.ts";

/** The number of rows is within bounds, both inclusive. */
export const volume = defineRule({
  type: "Volume",
  label: "Volume",
  explanation: "The table's row count is within bounds.",
  scoring: binaryScoring,
  configuration: z
    .strictObject({ minRows: count.optional(), maxRows: count.optional() })
    .refine((c) => c.minRows !== undefined || c.maxRows !== undefined, {
      path: ["minRows"],
      message: "minRows or maxRows is required",
    })
    .refine((c) => c.minRows === undefined || c.maxRows === undefined || c.minRows <= c.maxRows, {
      path: ["minRows"],
      message: "must not be above maxRows",
    }),
  properties: "minRows and/or maxRows",
  fields: {
    minRows: { label: "At least", kind: "number", unit: "rows", optional: true },
    maxRows: { label: "At most", kind: "number", unit: "rows", optional: true },
  },
  sentence: ({ minRows, maxRows }) => `The table has ${rowsBetween(minRows, maxRows)}`,
  unit: "Rows",
  measured: "all rows",
  chart: {
    title: "Rows",
    variant: "bars",
    format: "count",
    byGroup: "all",
    limits: [
      { key: "minRows", label: "min" },
      { key: "maxRows", label: "max" },
    ],
  },
  typicalMs: 100,
  odcs: {
    dimension: "completeness",
    library: {
      metric: "rowCount",
      write: ({ minRows, maxRows }) => {
        if (maxRows === undefined) return { mustBeGreaterOrEqualTo: minRows };
        if (minRows === undefined) return { mustBeLessOrEqualTo: maxRows };
        return minRows === maxRows ? { mustBe: minRows } : { mustBeBetween: [minRows, maxRows] };
      },
      read: ({ comparison }) => {
        const bounds = wholeBounds(comparison);
        return bounds && (bounds.minRows ?? 0) >= 0 && (bounds.maxRows ?? 0) >= 0 ? bounds : null;
      },
    },
  },
  suggests: {
    table: ({ totalRows }) => {
      if (totalRows === null || totalRows < 1) return [];
      const minRows = Math.max(1, Number(twoDigits(new Decimal(totalRows).dividedBy(2), "down")));
      const maxRows = Number(twoDigits(new Decimal(totalRows).times(2), "up"));
      return [
        {
          name: `Between ${figure(minRows)} and ${figure(maxRows)} rows`,
          configuration: { minRows, maxRows },
          evidence: `${plural(totalRows, "row")} today; the bounds are half and double that`,
        },
      ];
    },
  },
  measures: ["total"],
  samples: null,
  usual: {
    kind: "Count",
    unbounded: { minRows: 0, maxRows: undefined },
    subject: () => "the row count",
    figure: (rows) => figure(String(rows)),
    unit: " rows",
    isWhole: true,
  },
  byGroup: {
    ...summed("total"),
    badness: ({ total }, { minRows, maxRows }) => {
      const rows = new Decimal(total ?? 0);
      return Decimal.max(new Decimal(minRows ?? rows).minus(rows), rows.minus(maxRows ?? rows));
    },
  },
  interpret({ total }, { minRows, maxRows }) {
    const rows = new Decimal(total ?? 0);
    const tooFew = minRows !== undefined && rows.lessThan(minRows);
    const tooMany = maxRows !== undefined && rows.greaterThan(maxRows);
    return verdict(!tooFew && !tooMany, {
      expected: expected(minRows, maxRows),
      actual: plural(rows.toFixed(), "row"),
      measured: rows,
    });
  },
});

function expected(minRows: number | undefined, maxRows: number | undefined): string {
  if (minRows === undefined) return `at most ${plural(maxRows ?? 0, "row")}`;
  if (maxRows === undefined) return `at least ${plural(minRows, "row")}`;
  return minRows === maxRows ? plural(minRows, "row") : `${figure(minRows)} to ${plural(maxRows, "row")}`;
}

/** Bounds for a condition on a whole number; null unless it is a single range. */
function wholeBounds({ operator, value }: Comparison): { minRows?: number; maxRows?: number } | null {
  if (typeof value === "object")
    return operator === "mustBeBetween"
      ? { minRows: Math.ceil(value[0]), maxRows: Math.floor(value[1]) }
      : null;
  if (typeof value !== "number") return null;
  switch (operator) {
    case "mustBe":
      return Number.isInteger(value) ? { minRows: value, maxRows: value } : null;
    case "mustBeGreaterThan":
      return { minRows: Math.floor(value) + 1 };
    case "mustBeGreaterOrEqualTo":
      return { minRows: Math.ceil(value) };
    case "mustBeLessThan":
      return { maxRows: Math.ceil(value) - 1 };
    case "mustBeLessOrEqualTo":
      return { maxRows: Math.floor(value) };
    default:
      return null;
  }
}

/** Rounded to two digits. */
function twoDigits(value: Decimal, direction: "up" | "down"): string {
  return value
    .toSignificantDigits(2, direction === "up" ? Decimal.ROUND_CEIL : Decimal.ROUND_FLOOR)
    [direction === "up" ? "ceil" : "floor"]()
    .toFixed();
}
