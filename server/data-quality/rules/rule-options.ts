import { z } from "zod";
import { databaseName, text } from "../../db/schema-parts.ts";
import { plural } from "../../text.ts";
import { Decimal } from "../decimal.ts";
import type { RuleField } from "./fields.ts";
import type { RuleDefinition, Values } from "./rule.ts";
import { columnsInWords, hoursInWords, oneLine } from "./sentence.ts";
import { defaultWidth, isBounded, usualDirections } from "./usual.ts";
import type { Verdict } from "./verdict.ts";

/**
 * What a rule may say besides what its type checks: which rows it is about, and how many of them may fail. The options
 * are part of its configuration. Additions to the specification.
 */

/** A condition that a person wrote in the database's own SQL; it passes the same gate as their queries. */
export const writtenCondition = text(4000).refine((sql) => sql.trim() !== "", "is required");

const shape = {
  where: writtenCondition,
  lastHours: z.int().min(1).max(100_000),
  timeColumn: databaseName,
  duplicatesAmong: z.enum(["Table", "Rows"]),
  groupBy: z
    .array(databaseName)
    .min(1, "needs at least one column")
    .max(3, "must not name more than three columns")
    .refine((columns) => new Set(columns).size === columns.length, "must not name a column twice"),
  usual: z.enum(usualDirections),
  usualWidth: z.number().min(2).max(20),
  maxFailingRows: z.int().min(1).max(Number.MAX_SAFE_INTEGER),
  maxFailingPercent: z.number().positive().lt(100),
} as const;

export type RuleOptions = { -readonly [Key in keyof typeof shape]?: z.output<(typeof shape)[Key]> };
type OptionKey = keyof typeof shape;

/** None is required, so none is marked as optional. */
const fields: Record<OptionKey, RuleField> = {
  where: {
    label: "Only rows where",
    kind: "condition",
    hint: "A condition in SQL. Rows for which it is false or unknown are left out.",
  },
  lastHours: { label: "Only the last", kind: "number", unit: "hours" },
  timeColumn: { label: "By this time", kind: "column", suits: "times" },
  duplicatesAmong: {
    label: "Look for duplicates in",
    kind: "choice",
    hint: "A value of these rows can be in other rows, too.",
    options: [
      { value: "Table", label: "The whole table" },
      { value: "Rows", label: "These rows only" },
    ],
  },
  groupBy: {
    label: "By group",
    kind: "columns",
    fewest: 1,
    most: 3,
    hint: "Each group of rows with the same values is judged on its own; at most 1,000 groups. The rule fails if any of them fails.",
  },
  usual: {
    label: "What is usual",
    kind: "choice",
    hint: "Learned from what this rule has measured before, with its hours, weekdays, and growth.",
    options: [
      { value: "", label: "Does not matter" },
      { value: "Both", label: "Fails above or below it" },
      { value: "Above", label: "Fails above it" },
      { value: "Below", label: "Fails below it" },
    ],
  },
  usualWidth: {
    label: "Width",
    kind: "number",
    unit: `spreads; ${defaultWidth} if empty`,
    when: { key: "usual", is: usualDirections },
  },
  maxFailingRows: { label: "May fail", kind: "number", unit: "rows" },
  maxFailingPercent: { label: "Or", kind: "number", unit: "% of rows" },
};

/**
 * The options of a type: none if its SQL is the user's, or if it is not about rows. A comparison of two tables has one
 * condition for both, and a time would pass between reading them.
 */
export function optionKeys(
  definition: RuleDefinition,
  configuration: Readonly<Record<string, unknown>> = {},
): OptionKey[] {
  if ("query" in definition || "reads" in definition) return [];
  if ("compares" in definition)
    return [
      "where",
      ...(configuration.by === "Aggregates" ? [] : (["maxFailingRows", "maxFailingPercent"] as const)),
    ];
  return [
    ...(definition.usual ? (["usual", "usualWidth"] as const) : []),
    ...(["where", "lastHours", "timeColumn"] as const),
    ...(definition.findsDuplicates ? (["duplicatesAmong"] as const) : []),
    ...(definition.byGroup ? (["groupBy"] as const) : []),
    ...(definition.failingRows ? (["maxFailingRows", "maxFailingPercent"] as const) : []),
  ];
}

/** The form fields of a type's options, in order. */
export const optionFields = (
  definition: RuleDefinition,
  configuration?: Readonly<Record<string, unknown>>,
): Record<string, RuleField> =>
  Object.fromEntries(optionKeys(definition, configuration).map((key) => [key, fields[key]]));

/**
 * A configuration as its type's own properties, and the options. A rule that learns what is usual needs no bound: `own`
 * then has one that anything passes, which `filled` names.
 */
export function splitConfiguration(
  definition: RuleDefinition,
  configuration: Readonly<Record<string, unknown>>,
): { own: Record<string, unknown>; options: Record<string, unknown>; filled: string[] } {
  const own = { ...configuration };
  const options: Record<string, unknown> = {};
  for (const key of optionKeys(definition, configuration)) {
    if (own[key] !== undefined) options[key] = own[key];
    delete own[key];
  }
  const usual = "usual" in definition && options.usual !== undefined ? definition.usual : undefined;
  if (!usual || isBounded(usual, own)) return { own, options, filled: [] };
  return { own: { ...own, ...usual.unbounded }, options, filled: Object.keys(usual.unbounded) };
}

export const hasOptions = (definition: RuleDefinition, configuration: Readonly<Record<string, unknown>>) =>
  Object.keys(splitConfiguration(definition, configuration).options).length > 0;

/** The schema of all options; which of them a type has, `splitConfiguration` decides. */
export const optionsSchema = z
  .strictObject(shape)
  .partial()
  .superRefine(({ where, lastHours, timeColumn, duplicatesAmong, ...allowed }, context) => {
    const missing = (key: OptionKey, message: string) =>
      context.addIssue({ code: "custom", path: [key], message });
    if (lastHours !== undefined && timeColumn === undefined)
      missing("timeColumn", "is required with lastHours");
    if (timeColumn !== undefined && lastHours === undefined)
      missing("lastHours", "is required with timeColumn");
    if (allowed.usualWidth !== undefined && allowed.usual === undefined)
      missing("usual", "is required with usualWidth");
    if (allowed.usual !== undefined && allowed.groupBy !== undefined)
      missing("usual", "is learned of all rows: it must be empty if groupBy is set");
    if (duplicatesAmong === "Rows" && where === undefined && lastHours === undefined)
      missing("duplicatesAmong", "needs a condition or a time that says which rows");
    if (allowed.maxFailingRows !== undefined && allowed.maxFailingPercent !== undefined)
      missing("maxFailingPercent", "must be empty if maxFailingRows is set");
  });

/** The properties of the options, for the API reference. */
export const optionProperties =
  "Except for Schema and CustomSql, also where? and, except for Compare, lastHours? with timeColumn? (which rows it is about); for Uniqueness and UniqueCombination duplicatesAmong? (Table, the default, or Rows); and for types that count failing rows, but not NullRate, maxFailingRows? or maxFailingPercent?; and, except for Compare, groupBy?, one to three columns: each group of rows is judged on its own, at most 1,000. Volume, Freshness, NullRate, and Mean also take usual? (Both, Above, or Below): instead of their bounds, or beside them, they learn what is usual from what the rule has measured before, with usualWidth? (4 by default, in spreads)";

/** Which rows a rule is about, in words; null for all. Null stands for missing values. */
export function rowsInWords({ where, lastHours, timeColumn }: Values<string>): string | null {
  const parts = [
    lastHours != null && `in the last ${hoursInWords(lastHours)} by ${timeColumn ?? "…"}`,
    where != null && `where ${oneLine(where)}`,
  ].filter(Boolean);
  return parts.length === 0 ? null : parts.join(" ");
}

/** How many rows may fail, in words; null for none. */
export function allowedInWords({
  maxFailingRows,
  maxFailingPercent,
  groupBy,
}: Values<string>): string | null {
  const place = groupBy == null ? "" : " in each group";
  if (maxFailingRows != null) return `up to ${plural(maxFailingRows, "row")} may fail${place}`;
  return maxFailingPercent == null ? null : `up to ${maxFailingPercent}% of the rows may fail${place}`;
}

/** All options in words, to follow what a rule checks; null without any. */
export function optionsInWords(
  { rowsAre }: Pick<RuleDefinition, "rowsAre">,
  values: Values<string>,
): string | null {
  const which = rowsInWords(values);
  const rows = which && rowsAre ? `${rowsAre} ${which}` : which;
  const among = values.duplicatesAmong === "Rows" ? "duplicates among these rows only" : null;
  const by = values.groupBy == null ? null : `by ${columnsInWords(values.groupBy)}`;
  const parts = [rows, among, by, allowedInWords(values)].filter((part) => part !== null);
  return parts.length === 0 ? null : parts.join(", ");
}

/** The name of the measured number of all rows that the rule is about. */
export const allRows = "allRows";

/** Whether a share of the rows may fail, so that they must be counted. */
export const needsRowCount = ({ maxFailingPercent }: RuleOptions) => maxFailingPercent !== undefined;

/**
 * The verdict with the options considered. A rule passes, with a score of 100, if no more rows fail than are allowed;
 * beyond that, its type's own formula counts all that fail. Says which rows were looked at.
 */
export function withOptions(
  definition: RuleDefinition,
  verdict: Verdict,
  options: RuleOptions,
  rows: { failing: string | null | undefined; all: string | null | undefined },
): Verdict {
  const texts = textsOf(options);
  const words = optionsInWords(definition, texts);
  if (words === null || !verdict.couldRun) return verdict;
  const expectedValue = [verdict.expectedValue, words].filter(Boolean).join(", ");
  if (verdict.passed || !isAllowed(options, rows)) return { ...verdict, expectedValue };
  return { ...verdict, expectedValue, passed: true, score: new Decimal(100) };
}

/** Whether no more rows fail than the options allow. */
export function isAllowed(
  { maxFailingRows, maxFailingPercent }: RuleOptions,
  { failing, all }: { failing: string | null | undefined; all: string | null | undefined },
): boolean {
  if (failing == null) return false;
  if (maxFailingRows !== undefined) return new Decimal(failing).lessThanOrEqualTo(maxFailingRows);
  // Compared without division, whose result may be inexact.
  return (
    maxFailingPercent !== undefined &&
    new Decimal(failing).times(100).lessThanOrEqualTo(new Decimal(all ?? 0).times(maxFailingPercent))
  );
}

/** Options as texts, for their words. */
export function textsOf(options: RuleOptions): Values<string> {
  return Object.fromEntries(
    Object.entries(options).map(([key, value]) => [
      key,
      Array.isArray(value) ? value.join(", ") : String(value),
    ]),
  );
}
