import { z } from "zod";
import { databaseName, text } from "../../db/schema-parts.ts";
import { plural } from "../../text.ts";
import { isRare, shareOf } from "../suggest/rare-values.ts";
import { summed } from "./by-group.ts";
import { column } from "./fields.ts";
import { binaryScoring, defineRule } from "./rule.ts";
import { dotted, unnamed, unset } from "./sentence.ts";
import { fail, pass } from "./verdict.ts";

/** The maximum length of a value, and how many there may be: each is a parameter of the statement. */
const most = { characters: 500, values: 1000, named: 5 };

/**
 * Every non-NULL value is one of a list, or of the values of another column. Texts are compared exactly: case, accents,
 * and trailing blanks count, whatever the column's collation says. Other types are compared as the database writes
 * them. An addition to the specification's eight types.
 */
export const allowedValues = defineRule({
  type: "AllowedValues",
  label: "Allowed values",
  explanation:
    "Every value in a column is one of a list, or one of the values of another column. Case counts. NULLs are ignored.",
  scoring: binaryScoring,
  configuration: z
    .strictObject({
      column: databaseName,
      values: z
        .array(text(most.characters))
        .min(1, "needs at least one value")
        .max(most.values)
        .refine((values) => new Set(values).size === values.length, "must not contain a value twice")
        .optional(),
      referenceTable: databaseName.optional(),
      referenceColumn: databaseName.optional(),
      referenceSchema: databaseName.optional(),
    })
    .refine(({ values, referenceTable }) => values !== undefined || referenceTable !== undefined, {
      path: ["values"],
      message: "is required, or a column that has the values",
    })
    .refine(({ values, referenceTable }) => values === undefined || referenceTable === undefined, {
      path: ["referenceTable"],
      message: "must be empty if values are listed",
    })
    .refine(
      ({ referenceTable, referenceColumn }) =>
        (referenceTable === undefined) === (referenceColumn === undefined),
      {
        path: ["referenceColumn"],
        message: "is required with a reference table, and only with one",
      },
    ),
  properties: "column, and values or referenceTable, referenceColumn, referenceSchema?",
  fields: {
    column: column(),
    values: {
      label: "Allowed values",
      kind: "values",
      optional: true,
      hint: "One per line, exactly as they are written in the table.",
    },
    referenceSchema: { label: "Reference schema", kind: "ofTable", optional: true },
    referenceTable: {
      label: "Or the values of this table",
      kind: "table",
      optional: true,
      schema: "referenceSchema",
      column: "referenceColumn",
    },
    referenceColumn: { label: "Reference column", kind: "ofTable", optional: true },
  },
  sentence: ({ column, values, referenceSchema, referenceTable, referenceColumn }) =>
    referenceTable
      ? `Every ${column ?? unnamed} is one of the values of ${dotted(referenceSchema, referenceTable, referenceColumn ?? unset)}`
      : `Every ${column ?? unnamed} is one of: ${values ?? unset}`,
  unit: "Values",
  measured: "values that are not allowed",
  typicalMs: 2000,
  odcs: {
    dimension: "conformity",
    library: {
      metric: "invalidValues",
      write: ({ values }) => (values ? { arguments: { validValues: values }, mustBe: 0 } : null),
      read: ({ columns: [column], maxPercent, valid: { values, ...others } }) => {
        const isText = values?.every((value) => typeof value === "string" && value.length <= most.characters);
        if (!values || !isText || values.length === 0 || values.length > most.values) return null;
        if (maxPercent !== 0 || Object.keys(others).length > 0) return null;
        return { column, values: [...new Set(values)] };
      },
    },
  },
  suggests: {
    column: ({ name, listed = [] }) => {
      if (listed.length === 0) return [];
      const all = listed.reduce((sum, { rows }) => sum + rows, 0);
      const rare = listed.filter((each) => isRare(each, listed));
      return [
        {
          name: `${name} is one of ${plural(listed.length, "value")}`,
          configuration: { column: name, values: listed.map(({ value }) => value) },
          evidence: [
            `${plural(listed.length, "value")} in ${plural(all, "row")}`,
            ...rare.map(({ value, rows }) => `${value}: ${plural(rows, "row")}, ${shareOf(rows, all)}`),
          ].join("; "),
          values: listed.map((each) => ({ ...each, isRare: rare.includes(each) })),
        },
      ];
    },
  },
  measures: ["notAllowed", "rows"],
  samples: { of: "values", title: "Values that are not allowed" },
  failingRows: "rows",
  byValue: { values: "notAllowed", rows: ["rows"] },
  byGroup: summed("rows"),
  interpret({ notAllowed, rows }, { values, referenceSchema, referenceTable, referenceColumn }) {
    const expected = values
      ? `one of ${listed(values)}`
      : `a value of ${[referenceSchema, referenceTable, referenceColumn].filter(Boolean).join(".")}`;
    if (notAllowed === "0") return pass({ expected, actual: "every value is allowed", failing: "0" });
    const actual = `${plural(notAllowed ?? 0, "other value")} in ${plural(rows ?? 0, "row")}`;
    return fail({ expected, actual, failing: notAllowed });
  },
});

/** The first values, and how many more there are. */
function listed(values: readonly string[]): string {
  const named = values.slice(0, most.named).join(", ");
  return values.length > most.named ? `${named}, and ${values.length - most.named} more` : named;
}
