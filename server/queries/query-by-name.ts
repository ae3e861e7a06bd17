import { z } from "zod";
import type { SignedIn } from "../auth/principal.ts";
import { identifier } from "../db/schema-parts.ts";
import { findNamedSource, sourceFields } from "./named-source.ts";
import { previewQueryInput, previewSchema } from "./schema.ts";
import { previewQuery } from "./service/previews.ts";

export const queryByNameInput = z.strictObject({
  ...sourceFields,
  sql: previewQueryInput.shape.sql,
  maxRows: z.int().min(1).max(1000).default(100),
});

export const queryByNameSchema = previewSchema
  .extend({ dataSourceId: identifier, dataSourceName: z.string() })
  .meta({ id: "QueryResult" });
export type QueryByName = z.output<typeof queryByNameSchema>;

/** A limit that fits an assistant's context. */
const maxBytes = 256 * 1024;

/** Runs a read-only SQL text on a data source given by name or id, like a preview but with tighter limits. */
export async function queryByName(
  ctx: SignedIn,
  { sql, maxRows, ...reference }: z.output<typeof queryByNameInput>,
): Promise<QueryByName> {
  const { id, name } = await findNamedSource(ctx, reference);
  const input = { dataSourceId: id, sql, parameters: {} };
  const result = await previewQuery(ctx, input, { timeoutMs: 30_000, maxRows, maxBytes });
  return { dataSourceId: id, dataSourceName: name, ...result };
}
