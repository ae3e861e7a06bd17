import { and, asc, eq, isNull, sql } from "drizzle-orm";
import type { SignedIn } from "../../auth/principal.ts";
import { recorded } from "../../auth/recorded.ts";
import { namesOfUsers } from "../../auth/service/user-names.ts";
import { db } from "../../db/client.ts";
import { Problem } from "../../errors.ts";
import type { describeInput } from "../description-schema.ts";
import { catalogDescriptions } from "../tables.ts";
import { getDataSource } from "./load-data-sources.ts";
import { getSchema } from "./read-schema.ts";

/** The description of a table, or of a column if `columnName` is not null, with its last author and time. */
export type StoredDescription = {
  schemaName: string;
  tableName: string;
  columnName: string | null;
  description: string;
  updatedAt: Date;
  updatedBy: { id: number; name: string } | null;
};

type Described = { schemaName: string; tableName: string; columnName: string | null };
type Part = { schemaName?: string | undefined; tableName?: string | undefined };
type Describe = ReturnType<typeof describeInput.parse>;

/**
 * The descriptions of a data source's tables and columns, or of one schema or table; by name, each table before its
 * columns. The caller checks access.
 */
export async function loadDescriptions(
  dataSourceId: number,
  { schemaName, tableName }: Part = {},
): Promise<StoredDescription[]> {
  const rows = await db
    .select()
    .from(catalogDescriptions)
    .where(
      and(
        eq(catalogDescriptions.dataSourceId, dataSourceId),
        schemaName === undefined ? undefined : eq(catalogDescriptions.schemaName, schemaName),
        tableName === undefined ? undefined : eq(catalogDescriptions.tableName, tableName),
      ),
    )
    .orderBy(
      asc(catalogDescriptions.schemaName),
      asc(catalogDescriptions.tableName),
      sql`${catalogDescriptions.columnName} nulls first`,
    );
  const users = await namesOfUsers(rows.map(({ updatedById }) => updatedById));
  return rows.map(({ id: _, dataSourceId: __, updatedById, ...row }) => ({
    ...row,
    updatedBy: users.get(updatedById) ?? null,
  }));
}

/** The same with an access check. Throws not_found. */
export async function listDescriptions(ctx: SignedIn, { id, ...part }: { id: number } & Part) {
  await getDataSource(ctx, id);
  return { items: await loadDescriptions(id, part) };
}

/**
 * Describes a table or column, or removes its description with null. The last write wins, unless `updatedAt` gives the
 * description that is to be replaced (null: none) and there is another one by now: then it throws conflict. Throws
 * not_found for a data source, table, or column that does not exist and has no description.
 */
export async function saveDescription(ctx: SignedIn, { id, description, updatedAt, ...names }: Describe) {
  const described = { ...names, columnName: names.columnName ?? null };
  await requireKnown(ctx, id, described);
  return recorded(ctx, () => storeDescription(ctx, id, described, description, updatedAt));
}

/** Stores many descriptions; the caller has checked that they may be replaced, and that they are of what exists. */
export async function storeDescriptions(
  { principal }: SignedIn,
  dataSourceId: number,
  described: readonly (Described & { description: string })[],
): Promise<void> {
  const updatedById = principal.userId;
  for (let from = 0; from < described.length; from += 1000)
    await db
      .insert(catalogDescriptions)
      .values(described.slice(from, from + 1000).map((each) => ({ ...each, dataSourceId, updatedById })))
      .onConflictDoUpdate({
        target: [
          catalogDescriptions.dataSourceId,
          catalogDescriptions.schemaName,
          catalogDescriptions.tableName,
          catalogDescriptions.columnName,
        ],
        set: {
          description: sql`excluded.description`,
          updatedById,
          updatedAt: sql`greatest(now(), ${catalogDescriptions.updatedAt} + interval '1 millisecond')`,
        },
      });
}

async function storeDescription(
  ctx: SignedIn,
  id: number,
  described: Described,
  description: string | null,
  updatedAt: Date | null | undefined,
) {
  const isThis = and(
    eq(catalogDescriptions.dataSourceId, id),
    eq(catalogDescriptions.schemaName, described.schemaName),
    eq(catalogDescriptions.tableName, described.tableName),
    described.columnName === null
      ? isNull(catalogDescriptions.columnName)
      : eq(catalogDescriptions.columnName, described.columnName),
  );
  const isExpected = updatedAt == null ? undefined : eq(catalogDescriptions.updatedAt, updatedAt);
  const isNew = updatedAt === null;

  if (description === null) {
    const removed = isNew
      ? []
      : await db
          .delete(catalogDescriptions)
          .where(and(isThis, isExpected))
          .returning({ id: catalogDescriptions.id });
    // It is already gone, whoever removed it.
    if (removed.length === 0 && updatedAt !== undefined && (await db.$count(catalogDescriptions, isThis)) > 0)
      throw changedMeanwhile();
    return { ...described, description: null, updatedAt: null, updatedBy: null };
  }

  const said = { description, updatedById: ctx.principal.userId };
  // Timestamps identify descriptions, so no two may have the same millisecond.
  const at = sql`greatest(now(), ${catalogDescriptions.updatedAt} + interval '1 millisecond')`;
  const stored = isExpected
    ? await db
        .update(catalogDescriptions)
        .set({ ...said, updatedAt: at })
        .where(and(isThis, isExpected))
        .returning({ updatedAt: catalogDescriptions.updatedAt })
    : await db
        .insert(catalogDescriptions)
        .values({ dataSourceId: id, ...described, ...said })
        .onConflictDoUpdate({
          target: [
            catalogDescriptions.dataSourceId,
            catalogDescriptions.schemaName,
            catalogDescriptions.tableName,
            catalogDescriptions.columnName,
          ],
          set: { ...said, updatedAt: at },
          ...(isNew && { setWhere: sql`false` }),
        })
        .returning({ updatedAt: catalogDescriptions.updatedAt });
  const [row] = stored;
  if (!row) throw changedMeanwhile();
  const { userId } = ctx.principal;
  const updatedBy = (await namesOfUsers([userId])).get(userId) ?? null;
  return { ...described, description, updatedAt: row.updatedAt, updatedBy };
}

const changedMeanwhile = () => new Problem("conflict", "Someone else has changed this description");

/** Throws not_found for a name that is neither in the schema nor described. */
async function requireKnown(ctx: SignedIn, id: number, { schemaName, tableName, columnName }: Described) {
  await getDataSource(ctx, id);
  const before = await loadDescriptions(id, { schemaName, tableName });
  if (before.some((each) => each.columnName === columnName)) return;
  const { items } = await getSchema(ctx, id);
  const table = items
    .find((each) => each.schemaName === schemaName)
    ?.tables.find((each) => each.tableName === tableName);
  if (!table) throw new Problem("not_found", "Table not found");
  if (columnName !== null && !table.columns.some(({ name }) => name === columnName))
    throw new Problem("not_found", "Column not found");
}
