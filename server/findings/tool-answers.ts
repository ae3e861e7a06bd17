import { only } from "../db/schema-parts.ts";
import { askedCellSchema, findingSchema, scanSchema, teachQuestionSchema } from "./schema.ts";

/** What assistants are told of findings. The rule is left out: only people make one of a finding. */

export const toldFinding = findingSchema.pick(
  only(
    "id",
    "dataSourceId",
    "schemaName",
    "tableName",
    "kind",
    "columns",
    "confidence",
    "learned",
    "severity",
    "statement",
    "failingRows",
    "totalRows",
    "rowsSql",
    "status",
  ),
);

export const toldScan = scanSchema.pick(
  only("id", "status", "tablesDone", "tablesTotal", "rowsRead", "skipped", "error"),
);

export const toldQuestion = teachQuestionSchema.pick(only("answered")).extend({
  question: askedCellSchema
    .pick(only("column", "cell", "because", "likelihood", "columns", "rows"))
    .nullable(),
});
