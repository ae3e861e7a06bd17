import { z } from "zod";
import { userReference } from "../auth/schema.ts";
import { databaseName, description, identifier, momentIn, momentOut } from "../db/schema-parts.ts";

/** The descriptions of one schema, or of one table and its columns; all of them by default. */
export const listDescriptionsInput = z.strictObject({
  id: identifier,
  schemaName: databaseName.optional(),
  tableName: databaseName.optional(),
});

export const describeInput = z.strictObject({
  id: identifier,
  schemaName: databaseName,
  tableName: databaseName,
  columnName: databaseName
    .nullish()
    .meta({ description: "If omitted, the description is of the table itself" }),
  description: description
    .trim()
    .min(1, "is required; null removes it")
    .nullable()
    .meta({ description: "null removes it" }),
  updatedAt: momentIn.nullish().meta({
    description: "The `updatedAt` of the description that this one replaces; null if there was none",
  }),
});

export const descriptionSchema = z
  .object({
    schemaName: z.string(),
    tableName: z.string(),
    columnName: z.string().nullable().meta({ description: "null for the table itself" }),
    description: z.string().nullable(),
    updatedAt: momentOut.nullable(),
    updatedBy: userReference.nullable(),
  })
  .meta({ id: "TableDescription" });
