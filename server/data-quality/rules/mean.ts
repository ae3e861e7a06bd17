import { z } from "zod";
import { databaseName } from "../../db/schema-parts.ts";
import { figure, plural } from "../../text.ts";
import { Decimal } from "../decimal.ts";
import { bound, isGreater } from "./configuration-values.ts";
import { column } from "./fields.ts";
import { binaryScoring, defineRule } from "./rule.ts";
import { between, unnamed } from "./sentence.ts";
import { couldNotRun, fail, verdict } from "./verdict.ts";

/**
 * The mean of a column is between two bounds, both inclusive, or as usual. NULLs are ignored. The database computes it in
 * double precision, so it is rounded to twelve digits before it is compared: that of three times 0.1 is 0.1. An addition to
 * the specification's eight types.
 */
export const mean = defineRule({
  type: "Mean",
  label: "Mean",
  explanation: "The mean of the numbers in a column is between two bounds, or as usual. NULLs are ignored.",
  scoring: binaryScoring,
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
  sentence: ({ column, min, max }) => `The mean of ${column ?? unnamed} is ${between(min, max)}`,
  unit: null,
  measured: "the mean",
  chart: {
    title: "Mean",
    variant: "line",
    format: "count",
    byGroup: "all",
    fits: true,
    limits: [
      { key: "min", label: "min" },
      { key: "max", label: "max" },
    ],
  },
  typicalMs: 200,
  odcs: { dimension: "conformity" },
  measures: ["mean", "filled", "unreadable"],
  samples: null,
  usual: {
    kind: "Number",
    // Lower than any number that is not infinite in practice.
    unbounded: { min: `-${"9".repeat(99)}`, max: undefined },
    subject: ({ column }) => `the mean of ${column ?? unnamed}`,
    figure: (value) => figure(new Decimal(value).toSignificantDigits(6).toFixed()),
  },
  byGroup: {
    all: (groups) => {
      const filled = Decimal.sum(0, ...groups.map((group) => group.filled ?? 0));
      const total = Decimal.sum(
        0,
        ...groups.map(({ mean, filled }) => (numberIn(mean) ?? new Decimal(0)).times(filled ?? 0)),
      );
      const unreadable = Decimal.sum(0, ...groups.map((group) => group.unreadable ?? 0));
      return {
        mean: filled.isZero() ? null : total.dividedBy(filled).toFixed(),
        filled: filled.toFixed(),
        unreadable: unreadable.toFixed(),
      };
    },
    words: (actual) => `in all, ${actual}`,
    // A group without a value is worse than any mean.
    badness: ({ mean }, { min, max }) => {
      const value = numberIn(mean);
      if (!value) return new Decimal(Number.POSITIVE_INFINITY);
      return Decimal.max(new Decimal(min ?? value).minus(value), value.minus(max ?? value));
    },
  },
  interpret({ mean, filled, unreadable }, { min, max }) {
    const expected = `a mean ${expectedText(min, max)}`;
    if (unreadable !== "0") return couldNotRun("the column contains a value that is not a number");
    if (mean === null || filled === "0")
      return fail({ expected, actual: "no value", message: "There are no values: no rows, or only NULLs" });
    const value = numberIn(mean)?.toSignificantDigits(12);
    if (!value)
      return fail({ expected, actual: "no finite mean", message: "The column contains NaN or an infinity" });
    const isWithin =
      (min === undefined || value.greaterThanOrEqualTo(min)) &&
      (max === undefined || value.lessThanOrEqualTo(max));
    return verdict(isWithin, {
      expected,
      actual: `${figure(value.toFixed())} (${plural(filled ?? 0, "value")})`,
      measured: value,
    });
  },
});

function expectedText(min: string | undefined, max: string | undefined): string {
  if (max === undefined) return `of at least ${figure(min ?? "")}`;
  if (min === undefined) return `of at most ${figure(max)}`;
  return `from ${figure(min)} to ${figure(max)}`;
}

/** Servers write NaN and infinities in several ways. */
const numberIn = (text: string | null) =>
  text !== null && /^[+-]?[\d.]/.test(text) ? new Decimal(text) : null;
