import type { z } from "zod";
import type { ResultSet } from "../../data-sources/engines/engine.ts";
import type { Decimal } from "../decimal.ts";
import type { Odcs } from "../odcs/metric-check.ts";
import type { Suggests } from "../suggest/suggestion.ts";
import type { RuleField } from "./fields.ts";
import type { TableColumn } from "./table-columns.ts";
import type { Usual } from "./usual.ts";
import type { Verdict } from "./verdict.ts";

/** A measured row by column name, as exact text; null is NULL. */
export type Values<Measure extends string> = Readonly<Record<Measure, string | null>>;

/** What a rule's measured number counts. */
export const units = ["Minutes", "Rows", "Percent", "Values", "Changes"] as const;
export type Unit = (typeof units)[number];

/**
 * What is shown if a rule fails: rows of the table, values with their number of occurrences, or changes of the table
 * itself, which hold no data.
 */
export type Samples = {
  of: "rows" | "values" | "changes";
  title: string;
  /** Whether the rule's column tells its failing rows apart, so that they can be counted by its values. */
  byValue?: true;
};
export const failingRows: Samples = { of: "rows", title: "Failing rows" };
export const failingValues: Samples = { ...failingRows, byValue: true };

/** How the measured number is charted over time; without it, the score is charted. */
export type MeasuredChart = {
  title: string;
  variant: "line" | "bars";
  /** minutes: formatted as a duration. */
  format: "minutes" | "count";
  /** What the number is of a rule by group: that of the worst group, which the limits are for, or that of all rows. */
  byGroup: "worst" | "all";
  /** Whether its axis fits the numbers, rather than beginning at 0. */
  fits?: true;
  /** Properties of the configuration that limit the number. */
  limits: readonly { key: string; label: string }[];
};

/** How a failing rule is scored if it is all or nothing. */
export const binaryScoring = "Scores 100 when it passes and 0 when it fails.";

/** How the measured rows of groups make up that of all rows, for types that can be judged by group (`groupBy`). */
export type ByGroup<Measure extends string = string, Configuration = Record<string, unknown>> = {
  all(groups: readonly Values<Measure>[], measures: readonly Measure[]): Values<Measure>;
  /** What was found of all rows, in words. */
  words(actual: string): string;
  /** How bad a group is: the worst is shown first. */
  badness(group: Values<Measure>, configuration: Configuration): Decimal;
  /** The measure that counts a group's failing rows, if the type has no `failingRows`. */
  counts?: Measure;
};

/** What every rule type defines. */
type Described<Type extends string, Schema extends z.ZodObject> = {
  type: Type;
  /** Its name in the interface. */
  label: string;
  /** One line on what it checks. */
  explanation: string;
  /** One line on how a failing rule is scored. */
  scoring: string;
  /** The schema of its configuration. */
  configuration: Schema;
  /** A short description of the configuration's properties, for the API reference. */
  properties: string;
  /** The form field for each property, in order. */
  fields: Record<keyof z.output<Schema> & string, RuleField>;
  /** A configuration in one line. It may be incomplete: null stands for missing values. */
  sentence(written: Values<keyof z.output<Schema> & string>): string;
  /** What the rows of `where` and `lastHours` are to it, in words before theirs, if theirs alone would not tell. */
  rowsAre?: string;
  /** What the measured number counts; null if it depends on the query. */
  unit: Unit | null;
  /** The measured number in words, for the API reference. */
  measured: string;
  chart?: MeasuredChart;
  /**
   * Its approximate duration on a large table, in milliseconds, until it has run once; for types that share a scan, the
   * time it adds.
   */
  typicalMs: number;
  /** Its conversion to and from the Open Data Contract Standard. */
  odcs: Odcs<z.output<Schema>>;
  /** Suggests rules of this type for a table, based on its profile. */
  suggests?: Suggests<z.input<Schema>>;
};

/** A rule type measured by our SQL, which is in `<type>.sql.ts`. */
export type MeasuredRule<
  Type extends string = string,
  Schema extends z.ZodObject = z.ZodObject,
  Measure extends string = string,
> = Described<Type, Schema> & {
  /** The column names of its SQL result, in one row. */
  measures: readonly Measure[];
  /** What is shown of its failures; null for a type without failing rows. */
  samples: Samples | null;
  /** The measure that counts failing rows, for types of which some may be allowed to fail. */
  failingRows?: Measure;
  /**
   * What its measures count, for types whose failing rows are told apart by the value of the rule's column: its failing
   * values, and rows that a failing value is in.
   */
  byValue?: { values?: NoInfer<Measure>; rows: readonly NoInfer<Measure>[] };
  /** Whether it compares rows with each other, so that which rows it is about and where it looks can differ. */
  findsDuplicates?: true;
  /** How it learns what is usual instead of a bound; absent for a type that cannot. */
  usual?: Usual;
  /** How it is judged by group; absent for a type that cannot be. */
  byGroup?: ByGroup<NoInfer<Measure>, z.output<Schema>>;
  /** Interprets the measured row. Pure. */
  interpret(values: Values<Measure>, configuration: z.output<Schema>): Verdict;
};

/** A rule type whose SQL is written by users, so its columns are unknown. */
export type QueryRule<Type extends string = string, Schema extends z.ZodObject = z.ZodObject> = Described<
  Type,
  Schema
> & {
  samples: null;
  /** The SQL to run verbatim. */
  query(configuration: z.output<Schema>): string;
  /** Interprets its result, from the first row. Pure. */
  interpret(result: ResultSet): Verdict;
};

/** A rule type about the table's columns rather than its rows. The dialect knows how to read them. */
export type TableRule<Type extends string = string, Schema extends z.ZodObject = z.ZodObject> = Described<
  Type,
  Schema
> & {
  reads: "columns";
  samples: Samples;
  /** Interprets the columns; none if the table cannot be read. Pure. */
  interpret(columns: readonly TableColumn[], configuration: z.output<Schema>): Verdict;
  /** The differences as rows to show. Pure. */
  differences(
    columns: readonly TableColumn[],
    configuration: z.output<Schema>,
  ): Pick<ResultSet, "columns" | "rows">;
};

/** A rule type that holds the table against another one, which may be in another data source: see `compare/`. */
export type ComparingRule<Type extends string = string, Schema extends z.ZodObject = z.ZodObject> = Described<
  Type,
  Schema
> & { compares: "tables"; samples: Samples };

export type RuleDefinition = MeasuredRule | QueryRule | TableRule | ComparingRule;

/** Defines a rule type, except for its SQL. The browser loads these definitions too. */
export function defineRule<
  const Type extends string,
  Schema extends z.ZodObject,
  const Measure extends string,
>(definition: MeasuredRule<Type, Schema, Measure>): MeasuredRule<Type, Schema, Measure> {
  return definition;
}

/** Defines a rule type whose SQL is written by users. */
export function defineQueryRule<const Type extends string, Schema extends z.ZodObject>(
  definition: QueryRule<Type, Schema>,
): QueryRule<Type, Schema> {
  return definition;
}

/** Defines a rule type about the table's columns. */
export function defineTableRule<const Type extends string, Schema extends z.ZodObject>(
  definition: TableRule<Type, Schema>,
): TableRule<Type, Schema> {
  return definition;
}

/** Defines a rule type that compares the table with another one. */
export function defineComparingRule<const Type extends string, Schema extends z.ZodObject>(
  definition: ComparingRule<Type, Schema>,
): ComparingRule<Type, Schema> {
  return definition;
}
