import { z } from "zod";
import { momentOut } from "../db/schema-parts.ts";

export const columnSchema = z
  .object({
    name: z.string(),
    type: z.string(),
    nullable: z.boolean(),
    comment: z.string().nullable(),
    isPrimaryKey: z.boolean(),
    references: z
      .object({ schemaName: z.string(), tableName: z.string(), columnName: z.string() })
      .optional(),
  })
  .meta({ id: "Column" });

export const tableSchema = z
  .object({
    tableName: z.string(),
    kind: z.enum(["Table", "View"]),
    rowEstimate: z.number().nullable(),
    comment: z.string().nullable(),
    columns: z.array(columnSchema),
  })
  .meta({ id: "Table" });

export const databaseSchemaSchema = z
  .object({
    items: z.array(z.object({ schemaName: z.string(), tables: z.array(tableSchema) })),
    readAt: momentOut,
  })
  .meta({ id: "DatabaseSchema" });
/** A database's schemas, tables, and columns, as read by a connector. */
export type DatabaseSchema = { items: z.output<typeof databaseSchemaSchema>["items"] };
