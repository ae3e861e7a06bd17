import { z } from "zod";
import { databaseName } from "../../db/schema-parts.ts";
import type { ColumnProfile, TableProfile } from "../../profile/table-profile.ts";
import { plural } from "../../text.ts";
import { isNamedLikeKey, type Suggesting } from "../suggest/suggestion.ts";
import { summed } from "./by-group.ts";
import { binaryScoring, defineRule } from "./rule.ts";
import { columnsInWords } from "./sentence.ts";
import { fail, pass } from "./verdict.ts";

const maxColumns = 16;

/**
 * No combination of values of several columns occurs twice. As in Uniqueness, rows with a NULL in one of them are
 * ignored, and each column's collation decides equality. An addition to the specification's eight types.
 */
export const uniqueCombination = defineRule({
  type: "UniqueCombination",
  label: "Unique combination",
  explanation:
    "No combination of values of two or more columns occurs twice. Rows with a NULL in any of them are ignored.",
  scoring: binaryScoring,
  configuration: z.strictObject({
    columns: z
      .array(databaseName)
      .min(2, "needs at least two columns")
      .max(maxColumns)
      .refine((columns) => new Set(columns).size === columns.length, "must not name a column twice"),
  }),
  properties: "columns, two or more",
  fields: { columns: { label: "Columns", kind: "columns" } },
  sentence: ({ columns }) => `No combination of ${columnsInWords(columns)} occurs twice`,
  unit: "Values",
  measured: "duplicated combinations",
  typicalMs: 3000,
  odcs: {
    dimension: "uniqueness",
    library: {
      metric: "duplicateValues",
      write: ({ columns }) => ({ arguments: { properties: columns }, mustBe: 0 }),
      read: ({ columns, maxPercent }) => {
        const isOne = columns.length < 2 || new Set(columns).size < columns.length;
        return isOne || columns.length > maxColumns || maxPercent !== 0 ? null : { columns };
      },
    },
  },
  suggests: {
    table: (context) => {
      const key = context.profile.columns.filter(({ isPrimaryKey }) => isPrimaryKey);
      if (key.length > 1)
        return key.length > maxColumns ? [] : [suggestionOf(key, "The primary key", context)];
      if (key.length === 1 || context.profile.columns.some((each) => isUnique(each, context.profile)))
        return [];
      const [first, second, third] = candidatesIn(context.profile);
      if (!first || !second) return [];
      const pair = suggestionOf([first, second], "No column is unique", context);
      const triple = third && suggestionOf([first, second, third], "No column is unique", context);
      return [triple ? { ...pair, otherwise: triple } : pair];
    },
  },
  measures: ["duplicatedCombinations", "duplicatedRows"],
  samples: { of: "values", title: "Combinations that occur more than once" },
  failingRows: "duplicatedRows",
  byGroup: summed("duplicatedRows"),
  findsDuplicates: true,
  interpret({ duplicatedCombinations, duplicatedRows }) {
    const expected = "no duplicates";
    if (duplicatedCombinations === "0") return pass({ expected, actual: "no duplicates", failing: "0" });
    const combinations = plural(duplicatedCombinations ?? 0, "duplicated combination");
    return fail({
      expected,
      actual: `${combinations} in ${plural(duplicatedRows ?? 0, "row")}`,
      failing: duplicatedCombinations,
    });
  },
});

const isUnique = ({ values, different }: ColumnProfile, { rows }: TableProfile) =>
  different !== null && different === values && values === rows;

/** Columns that could identify rows together: always filled, key-like names and types first. */
function candidatesIn({ columns, rows }: TableProfile): ColumnProfile[] {
  const rank = ({ name, kind, references }: ColumnProfile) =>
    references || isNamedLikeKey(name) ? 0 : kind === "date" || kind === "time" ? 1 : 2;
  return columns
    .filter(
      ({ kind, values }) => values === rows && ["integer", "text", "uuid", "date", "time"].includes(kind),
    )
    .filter(({ different }) => different === null || different > 1)
    .toSorted((a, b) => rank(a) - rank(b) || (b.different ?? 0) - (a.different ?? 0));
}

function suggestionOf(columns: readonly ColumnProfile[], because: string, { seen }: Suggesting) {
  const names = columns.map(({ name }) => name);
  return {
    name: `${names.join(", ")} are unique together`,
    configuration: { columns: names },
    evidence: `${because}, and no combination of these occurs twice; ${seen} were sampled, then checked on the whole table`,
    severity: "High" as const,
  };
}
