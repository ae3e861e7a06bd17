import { z } from "zod";
import { databaseName } from "../../db/schema-parts.ts";
import { plural } from "../../text.ts";
import { summed } from "./by-group.ts";
import { column } from "./fields.ts";
import { binaryScoring, defineRule, failingValues } from "./rule.ts";
import { dotted, unnamed, unset } from "./sentence.ts";
import { fail, pass } from "./verdict.ts";

/** Every non-NULL value exists in the reference column. */
export const referential = defineRule({
  type: "Referential",
  label: "Referential",
  explanation: "Every value in a column exists in another table. NULLs are ignored.",
  scoring: binaryScoring,
  configuration: z.strictObject({
    column: databaseName,
    referenceTable: databaseName,
    referenceColumn: databaseName,
    referenceSchema: databaseName.optional(),
  }),
  properties: "column, referenceTable, referenceColumn, referenceSchema?",
  fields: {
    column: column(),
    referenceSchema: { label: "Reference schema", kind: "ofTable", optional: true },
    referenceTable: {
      label: "Reference table",
      kind: "table",
      schema: "referenceSchema",
      column: "referenceColumn",
    },
    referenceColumn: { label: "Reference column", kind: "ofTable" },
  },
  sentence: ({ column, referenceSchema, referenceTable, referenceColumn }) =>
    `Every ${column ?? unnamed} exists in ${dotted(referenceSchema, referenceTable ?? unset, referenceColumn ?? unset)}`,
  unit: "Rows",
  measured: "failing rows",
  typicalMs: 600,
  odcs: { dimension: "consistency" },
  suggests: {
    column: ({ name, references, values, isPrimaryKey }, { schemaName }) => {
      if (!references || (values === 0 && !isPrimaryKey)) return [];
      const { tableName, columnName } = references;
      const isElsewhere = references.schemaName !== schemaName;
      const place = [isElsewhere ? references.schemaName : "", tableName, columnName]
        .filter(Boolean)
        .join(".");
      return [
        {
          name: `${name} exists in ${place}`,
          configuration: {
            column: name,
            referenceTable: tableName,
            referenceColumn: columnName,
            ...(isElsewhere && { referenceSchema: references.schemaName }),
          },
          evidence: `A foreign key to ${place}, and every current value exists there`,
          severity: "High",
        },
      ];
    },
  },
  measures: ["orphans"],
  samples: failingValues,
  failingRows: "orphans",
  byValue: { rows: ["orphans"] },
  byGroup: summed("orphans"),
  interpret({ orphans }, { referenceSchema, referenceTable, referenceColumn }) {
    const place = [referenceSchema, referenceTable, referenceColumn].filter(Boolean).join(".");
    const expected = `every value in ${place}`;
    if (orphans === "0") return pass({ expected, actual: "every value found", failing: orphans });
    return fail({ expected, actual: `${plural(orphans ?? 0, "row")} without a match`, failing: orphans });
  },
});
