import { z } from "zod";
import type { ResultSet } from "../../data-sources/engines/engine.ts";
import { databaseName, text } from "../../db/schema-parts.ts";
import { storable } from "../../text.ts";

/** The columns of a table, as a rule approves them and as they are read. The browser loads this file too. */

/** Wider tables cannot be approved. Longer types, such as long enumerations, are compared by their beginning. */
export const columnLimits = { approved: 2000, read: 5000, typeCharacters: 4000 };

export const tableColumn = z.strictObject({
  name: databaseName,
  /** As the engine writes it: "numeric(10,2)". */
  type: text(columnLimits.typeCharacters).min(1, "is required"),
  nullable: z.boolean(),
});
export type TableColumn = z.output<typeof tableColumn>;

/** A column in a few words: "amount numeric(10,2) not null". */
export const columnInWords = (column: TableColumn) => `${column.name} ${typeInWords(column)}`;
export const typeInWords = ({ type, nullable }: Omit<TableColumn, "name">) =>
  nullable ? type : `${type} not null`;

/** Reads the result of a dialect's `tableColumns`. */
export const columnsOfResult = ({ rows }: Pick<ResultSet, "rows">): TableColumn[] =>
  rows.map(([name, type, nullable]) => ({
    name: String(name),
    type: storable(String(type).slice(0, columnLimits.typeCharacters)),
    nullable: nullable === "YES",
  }));
