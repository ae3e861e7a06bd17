import { z } from "zod";
import { databaseName, identifier, text } from "../db/schema-parts.ts";
import { baseRevision, revisionSchema } from "../edits/schema.ts";

/** Many enough for any table, few enough to be shown. */
export const maxTags = 20;

export const tag = text(50)
  .trim()
  .toLowerCase()
  .regex(
    /^[\p{L}\p{N}][\p{L}\p{N} _.:/-]*$/u,
    "must begin with a letter or digit, and have no signs but space and _ . : / -",
  );

/** Of what is only about tables that have one of these tags now. */
export const scopeTags = z
  .array(tag)
  .min(1, "is required; leave it out for all tables")
  .max(maxTags, `can be ${maxTags} at most`)
  .nullish()
  .meta({
    description:
      "Only of tables with one of these tags, also those that get it later; null or omitted: all tables",
  });

export const tagTableInput = z.strictObject({
  id: identifier,
  schemaName: databaseName,
  tableName: databaseName,
  tags: z
    .array(tag)
    .max(maxTags, `can be ${maxTags} at most`)
    .meta({ description: "All of the table's tags, in any case; an empty list removes them" }),
  baseRevision,
});

export const tableTagsSchema = z
  .object({
    id: identifier.nullable().meta({ description: "null for a table without tags" }),
    schemaName: z.string(),
    tableName: z.string(),
    tags: z.array(z.string()),
    revision: revisionSchema.nullable().meta({ description: "Incremented by every edit" }),
  })
  .meta({ id: "TableTags" });
