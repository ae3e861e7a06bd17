import { z } from "zod";
import { databaseName, identifier } from "../../db/schema-parts.ts";
import { binaryScoring, defineComparingRule } from "./rule.ts";
import { columnsInWords, dotted, unset } from "./sentence.ts";

/**
 * The table holds the same as another one, in the same data source or in another database of the project, of whatever
 * engine: as many rows, the same aggregates, or the same rows. An addition to the specification's eight types.
 */

export const comparedBy = ["Rows", "Aggregates", "RowCount"] as const;
export type ComparedBy = (typeof comparedBy)[number];
export const aggregateFunctions = ["Sum", "Average", "Min", "Max", "Count"] as const;
export type AggregateFunction = (typeof aggregateFunctions)[number];

const aggregateWords: Record<AggregateFunction, string> = {
  Sum: "Sum",
  Average: "Average",
  Min: "Smallest value",
  Max: "Largest value",
  Count: "Number of values",
};

/** Every statement names all columns; more would not be a key, or not be readable. */
const most = { key: 8, columns: 200, groupBy: 3 };

const columnNames = (max: number) =>
  z
    .array(databaseName)
    .min(1, "needs at least one column")
    .max(max)
    .refine((columns) => new Set(columns).size === columns.length, "must not name a column twice");

export const compare = defineComparingRule({
  type: "Compare",
  label: "Compare tables",
  explanation:
    "The table has the same rows, the same totals, or as many rows as another one, which may be in another data source of the project and on another engine.",
  scoring: binaryScoring,
  configuration: z
    .strictObject({
      by: z.enum(comparedBy).default("Rows"),
      otherDataSourceId: identifier.optional(),
      otherSchema: databaseName.optional(),
      otherTable: databaseName,
      key: columnNames(most.key).optional(),
      columns: columnNames(most.columns).optional(),
      functions: z.array(z.enum(aggregateFunctions)).min(1).max(aggregateFunctions.length).optional(),
      groupBy: columnNames(most.groupBy).optional(),
      tolerancePercent: z.number().positive().lt(100).optional(),
    })
    .superRefine(({ by, ...given }, context) => {
      const issue = (key: keyof typeof given, message: string) =>
        context.addIssue({ code: "custom", path: [key], message });
      if (by === "Rows" && given.key === undefined) issue("key", "is required to compare rows");
      if (by !== "Rows" && given.key !== undefined) issue("key", "is only for comparing rows");
      if (by === "RowCount" && given.columns !== undefined) issue("columns", "is not for counting rows");
      if (by !== "Aggregates")
        for (const key of ["functions", "groupBy", "tolerancePercent"] as const)
          if (given[key] !== undefined) issue(key, "is only for comparing aggregates");
      if (by === "Aggregates" && given.columns === undefined) {
        if (given.groupBy === undefined) issue("columns", "is required, or columns to group by");
        if (given.functions !== undefined) issue("functions", "needs columns");
      }
    }),
  properties:
    "otherTable, otherSchema?, otherDataSourceId? (a database of the same project; by default the contract's own), by? (Rows, the default, Aggregates, or RowCount); for Rows key (one to eight columns) and columns? (by default all that both tables have); for Aggregates columns, functions? (Sum, the default, Average, Min, Max, Count), groupBy? (one to three columns, whose row counts are compared, too), and tolerancePercent?",
  fields: {
    by: {
      label: "Compare",
      kind: "choice",
      options: [
        { value: "Rows", label: "Row by row" },
        { value: "Aggregates", label: "Totals and other aggregates" },
        { value: "RowCount", label: "The number of rows" },
      ],
    },
    otherDataSourceId: { label: "In data source", kind: "dataSource", optional: true },
    otherSchema: { label: "In schema", kind: "ofTable", optional: true },
    otherTable: {
      label: "With this table",
      kind: "anyTable",
      dataSource: "otherDataSourceId",
      schema: "otherSchema",
    },
    key: {
      label: "Key",
      kind: "columns",
      fewest: 1,
      most: most.key,
      hint: "Identifies a row in both tables, such as the primary key.",
      when: { key: "by", is: ["Rows"] },
    },
    columns: {
      label: "Columns",
      kind: "columns",
      fewest: 1,
      optional: true,
      hint: "By rows, all columns that both tables have if you name none.",
      when: { key: "by", is: ["Rows", "Aggregates"] },
    },
    functions: {
      label: "Of each column",
      kind: "choices",
      options: aggregateFunctions.map((value) => ({ value, label: aggregateWords[value] })),
      optional: true,
      hint: "The sum if you choose none.",
      when: { key: "by", is: ["Aggregates"] },
    },
    groupBy: {
      label: "For each group of",
      kind: "columns",
      fewest: 1,
      most: most.groupBy,
      optional: true,
      hint: "Each group's aggregates and its number of rows are compared; at most 10,000 groups.",
      when: { key: "by", is: ["Aggregates"] },
    },
    tolerancePercent: {
      label: "May differ by",
      kind: "number",
      unit: "%",
      optional: true,
      when: { key: "by", is: ["Aggregates"] },
    },
  },
  sentence({
    by,
    otherDataSourceId,
    otherSchema,
    otherTable,
    key,
    columns,
    functions,
    groupBy,
    tolerancePercent,
  }) {
    const name = dotted(otherSchema, otherTable ?? unset);
    const other = otherDataSourceId == null ? name : `${name} in another data source`;
    if (by === "RowCount") return `The table has as many rows as ${other}`;
    if (by === "Aggregates") {
      const figures =
        columns == null
          ? "row counts"
          : `${(functions ?? "Sum").toLowerCase()} of ${columnsInWords(columns)}`;
      const groups = groupBy == null ? "" : ` for each ${columnsInWords(groupBy)}`;
      const near = tolerancePercent == null ? "" : `, within ${tolerancePercent}%`;
      return `The table has the same ${figures}${groups} as ${other}${near}`;
    }
    const what = columns == null ? "rows" : `values of ${columnsInWords(columns)}`;
    return `The table has the same ${what} as ${other}, row by row on ${columnsInWords(key)}`;
  },
  rowsAre: "rows of both tables",
  unit: null,
  measured: "rows that differ, or groups for aggregates,",
  typicalMs: 5000,
  odcs: { dimension: "consistency" },
  compares: "tables",
  samples: { of: "rows", title: "What differs" },
});
