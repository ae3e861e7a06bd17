import { z } from "zod";
import { databaseName } from "../../db/schema-parts.ts";
import { plural } from "../../text.ts";
import { isNamedLikeKey } from "../suggest/suggestion.ts";
import { summed } from "./by-group.ts";
import { column } from "./fields.ts";
import { binaryScoring, defineRule } from "./rule.ts";
import { unnamed } from "./sentence.ts";
import { fail, pass } from "./verdict.ts";

/**
 * No value occurs twice. NULLs are ignored. The column's collation decides equality: in most of MySQL's, "a" and "A"
 * are equal; on SQL Server, "a" and "a " are, too.
 */
export const uniqueness = defineRule({
  type: "Uniqueness",
  label: "Uniqueness",
  explanation: "No value in a column occurs twice. NULLs are ignored.",
  scoring: binaryScoring,
  configuration: z.strictObject({ column: databaseName }),
  properties: "column",
  fields: { column: column() },
  sentence: ({ column }) => `No ${column ?? unnamed} occurs twice`,
  unit: "Values",
  measured: "duplicated values",
  typicalMs: 2100,
  odcs: {
    dimension: "uniqueness",
    library: {
      metric: "duplicateValues",
      write: () => ({ mustBe: 0 }),
      read: ({ columns: [column, ...others], maxPercent }) =>
        others.length === 0 && maxPercent === 0 ? { column } : null,
    },
  },
  suggests: {
    column: ({ name, kind, values, different, references, isPrimaryKey }, { profile, seen }) => {
      const isKey = isPrimaryKey && profile.columns.filter((each) => each.isPrimaryKey).length === 1;
      const isUnique = different !== null && values > 0 && different === values;
      const enough = kind === "integer" && !isNamedLikeKey(name) ? minValues.numbers : minValues.others;
      if (!isKey && (!isUnique || references || values < enough)) return [];
      if (different !== null && !isUnique) return [];
      const figures = different === null ? "" : `${plural(values, "value")} in ${seen}, all different`;
      return [
        {
          name: `${name} is unique`,
          configuration: { column: name },
          evidence: [isKey ? "The primary key" : "", figures].filter(Boolean).join("; "),
          severity: "High",
        },
      ];
    },
  },
  measures: ["duplicatedValues", "duplicatedRows"],
  samples: { of: "values", title: "Values that occur more than once" },
  failingRows: "duplicatedRows",
  byValue: { values: "duplicatedValues", rows: ["duplicatedRows"] },
  byGroup: summed("duplicatedRows"),
  findsDuplicates: true,
  interpret({ duplicatedValues, duplicatedRows }) {
    const expected = "no duplicates";
    if (duplicatedValues === "0") return pass({ expected, actual: "no duplicates", failing: "0" });
    const values = plural(duplicatedValues ?? 0, "duplicated value");
    return fail({
      expected,
      actual: `${values} in ${plural(duplicatedRows ?? 0, "row")}`,
      failing: duplicatedValues,
    });
  },
});

/** With fewer values, they may be unique by chance. */
const minValues = { numbers: 20, others: 3 };
