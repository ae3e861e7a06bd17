import { isDeepStrictEqual } from "node:util";
import { and, asc, eq, inArray, isNotNull, isNull, sql } from "drizzle-orm";
import { type Author, recordEntry, systemAs } from "../../audit/service.ts";
import {
  type ColumnNames,
  listKnownTables,
  readColumnNames,
} from "../../data-sources/service/known-tables.ts";
import { listDatabases } from "../../data-sources/service/load-data-sources.ts";
import { rereadOldSchemas } from "../../data-sources/service/read-schema.ts";
import { keyIn } from "../../data-sources/table-key.ts";
import { db, type Transaction } from "../../db/client.ts";
import { createContractInput } from "../schema.ts";
import { contracts, rules } from "../tables.ts";
import { matcherOf, type Table } from "../templates/matches.ts";
import type { Link } from "../templates/merge-rules.ts";
import { ruleTemplates } from "../templates/tables.ts";
import { contentOf } from "./contract-edits.ts";
import { insertContract, replaceRules, storeRevision } from "./contracts.ts";
import {
  completed,
  dialectFor,
  loadLinks,
  loadTemplates,
  storeLinks,
  tagsFor,
  writtenRule,
} from "./template-rules.ts";

/** How old a schema may get before it is read again where templates wait for new tables. */
const maxSchemaHours = 24;

/** Looks for new tables in projects with templates; what is found is applied by the job that follows. */
export async function lookForNewTables(): Promise<number> {
  const rows = await db
    .selectDistinct({ projectId: ruleTemplates.projectId })
    .from(ruleTemplates)
    .where(isNull(ruleTemplates.removedAt));
  const projectIds = rows.map(({ projectId }) => projectId);
  return projectIds.length === 0 ? 0 : rereadOldSchemas(projectIds, maxSchemaHours);
}

type Source = Awaited<ReturnType<typeof listDatabases>>[number];

/**
 * Brings all contracts of a project, or of one of its data sources, to what its templates say, and creates the contracts
 * that templates ask for. Each contract is a transaction of its own, and one that has its rules already is not touched, so
 * this can be repeated at any time. Returns how many contracts it changed and created.
 */
export async function applyTemplates(where: { projectId: number } | { dataSourceId: number }) {
  const sources = await listDatabases(where);
  const projectId = "projectId" in where ? where.projectId : sources[0]?.projectId;
  const all = projectId === undefined ? [] : await templatesOf(projectId);
  if (all.length === 0) return { changed: 0, created: 0 };
  let [changed, created] = [0, 0];
  for (const source of sources) {
    const columnsOf = await readColumnNames(db, { dataSourceId: source.id, kind: source.kind });
    for (const id of await outdatedContracts(source, columnsOf))
      if (await reviseContract(id, source, columnsOf)) changed += 1;
    created += await createMissing(source, columnsOf);
  }
  if ("projectId" in where) await markApplied(all);
  return { changed, created };
}

const templatesOf = (projectId: number) =>
  db.select().from(ruleTemplates).where(eq(ruleTemplates.projectId, projectId));

/** The contracts of a data source whose rules are not what templates say, found with a fixed number of queries. */
async function outdatedContracts(source: Source, columnsOf: ColumnNames): Promise<number[]> {
  const targets = await db
    .select({
      id: contracts.id,
      dataSourceId: contracts.dataSourceId,
      schemaName: contracts.schemaName,
      tableName: contracts.tableName,
    })
    .from(contracts)
    .where(and(eq(contracts.dataSourceId, source.id), isNull(contracts.archivedAt)))
    .orderBy(asc(contracts.id));
  const ids = targets.map(({ id }) => id);
  const [templates, linksOf, stored] = await Promise.all([
    loadTemplates(db, source.projectId),
    loadLinks(db, ids),
    db.select().from(rules).where(inArray(rules.contractId, ids)).orderBy(asc(rules.position)),
  ]);
  const rulesOf = Map.groupBy(stored, ({ contractId }) => contractId);
  const dialect = dialectFor(source.kind);
  return targets.flatMap(({ id, ...table }) => {
    const links = linksOf.get(id) ?? [];
    const written = (rulesOf.get(id) ?? []).map(writtenRule);
    const columns = columnsOf(table);
    const next = completed(templates, { table, columns, dialect, written, links, kept: followed(links) });
    return next.links.length === 0 && isDeepStrictEqual(next.rules, written) ? [] : id;
  });
}

const followed = (links: readonly Link[]) => links.filter(({ departure }) => departure === null);

/** Gives a contract what templates say, as a new version. False if it has that already, or is archived. */
async function reviseContract(id: number, source: Source, columnsOf: ColumnNames): Promise<boolean> {
  return db.transaction(async (tx) => {
    const templates = await loadTemplates(tx, source.projectId);
    return reviseRules(tx, id, {
      author: async (links) => systemAs(await nameOf(tx, links)),
      next: (table, written, links) =>
        completed(templates, {
          ...{ table, columns: columnsOf(table), dialect: dialectFor(source.kind) },
          ...{ written, links, kept: followed(links) },
        }),
    });
  });
}

type Next = (
  table: Table,
  written: ReturnType<typeof writtenRule>[],
  links: readonly Link[],
) => ReturnType<typeof completed> | Promise<ReturnType<typeof completed>>;

/**
 * Replaces only a contract's rules, with an edit and a version. The author may depend on the links that have changed.
 * False if nothing differs, or the contract is archived.
 */
export async function reviseRules(
  tx: Transaction,
  id: number,
  { author, next }: { author: Author | ((links: readonly Link[]) => Promise<Author>); next: Next },
): Promise<boolean> {
  const [current] = await tx
    .select()
    .from(contracts)
    .where(and(eq(contracts.id, id), isNull(contracts.archivedAt)))
    .for("update");
  if (!current) return false;
  const stored = await tx.select().from(rules).where(eq(rules.contractId, id)).orderBy(asc(rules.position));
  const written = stored.map(writtenRule);
  const links = (await loadLinks(tx, [id])).get(id) ?? [];
  const complete = await next(current, written, links);
  await storeLinks(tx, id, complete.links);
  if (isDeepStrictEqual(complete.rules, written)) return complete.links.length > 0;
  const before = await contentOf(tx, id);
  const revision = current.revision + 1;
  await tx.update(contracts).set({ revision }).where(eq(contracts.id, id));
  await replaceRules(tx, id, complete.rules, { isOtherTable: false });
  const touched = touchedLinks([...links, ...complete.links], written, complete.rules);
  const by = typeof author === "function" ? await author(touched) : author;
  await storeRevision(tx, by, { ...current, revision, before, restoredFrom: null });
  if ("principal" in by) return true;
  const detail = `${current.name}: ${by.name}`;
  await recordEntry(
    { by, address: "", action: "dataQuality.applyTemplates", objectKind: "contract", objectId: id, detail },
    tx,
  );
  return true;
}

/** The links whose rules differ. */
function touchedLinks(
  links: readonly Link[],
  before: readonly { key: string }[],
  after: readonly { key?: string | undefined }[],
): Link[] {
  const [was, is] = [before, after].map(
    (list) => new Map<string, unknown>(list.map((rule) => [rule.key ?? "", rule])),
  );
  return links.filter(({ key }) => !isDeepStrictEqual(was?.get(key), is?.get(key)));
}

/** The templates behind some links, as the author of what they change. */
async function nameOf(tx: Transaction, links: readonly Link[]): Promise<string> {
  const ids = links.map(({ templateId }) => templateId);
  const rows = await tx
    .select({ name: ruleTemplates.name })
    .from(ruleTemplates)
    .where(inArray(ruleTemplates.id, ids))
    .orderBy(asc(ruleTemplates.id));
  const [first] = rows;
  if (!first) return "Rule templates";
  return rows.length === 1
    ? `Rule template “${first.name}”`
    : `Rule template “${first.name}” and ${rows.length - 1} more`;
}

/**
 * Creates contracts for tables that match a template which asks for them. A table that ever had a contract gets none:
 * whoever archived it decided so. Returns how many were created.
 */
async function createMissing(source: Source, columnsOf: ColumnNames): Promise<number> {
  const creators = (await templatesOf(source.projectId))
    .filter(({ removedAt, enabled, newContracts }) => removedAt === null && enabled && newContracts !== null)
    .toSorted((a, b) => a.id - b.id);
  if (creators.length === 0) return 0;
  const templates = await loadTemplates(db, source.projectId);
  const tagsOf = await tagsFor(db, source.projectId, creators);
  const known = (await listKnownTables([source.id])).get(source.id)?.tables ?? [];
  const dialect = dialectFor(source.kind);
  let created = 0;
  for (const { schemaName, tableName, kind } of known) {
    const table = { dataSourceId: source.id, schemaName, tableName };
    const creator = creators.find(({ selector }) => matcherOf(selector, tagsOf).isForTable(table));
    if (kind !== "Table" || !creator?.newContracts) continue;
    const write = completed(templates, {
      ...{ table, columns: columnsOf(table), dialect, written: [], links: [], kept: [] },
    });
    if (!write.links.some(({ templateId }) => templateId === creator.id)) continue;
    const { newContracts, createdById: ownerId, name } = creator;
    const isCreated = await db.transaction(async (tx) => {
      // One at a time for a data source, so that two runs do not create a table's contract twice.
      await tx.execute(
        sql`select pg_advisory_xact_lock(hashtextextended('template contracts', ${source.id}))`,
      );
      if (await hadContract(tx, source, table)) return false;
      const by = systemAs(`Rule template “${name}”`);
      const contract = createContractInput.parse({
        ...{ name: `${schemaName}.${tableName}`.slice(0, 200), ...table, ...newContracts },
        rules: write.rules,
      });
      const id = await insertContract(tx, { by, ownerId }, { ...contract, ...write, target: table });
      const change = { action: "dataQuality.applyTemplates", objectKind: "contract", objectId: id };
      await recordEntry({ by, address: "", ...change, detail: `${contract.name}: ${by.name}` }, tx);
      return true;
    });
    if (isCreated) created += 1;
  }
  return created;
}

/** Whether a table has or had a contract, by the names that the server takes for the same. */
async function hadContract(tx: Transaction, source: Source, table: Table): Promise<boolean> {
  const rows = await tx
    .select({ schemaName: contracts.schemaName, tableName: contracts.tableName })
    .from(contracts)
    .where(
      and(
        eq(contracts.dataSourceId, source.id),
        sql`lower(${contracts.tableName}) = lower(${table.tableName})`,
      ),
    );
  return rows.some((row) => keyIn(source.kind, row) === keyIn(source.kind, table));
}

/** Removes templates whose rules are gone now, and notes which revisions every contract has. */
async function markApplied(applied: readonly (typeof ruleTemplates.$inferSelect)[]): Promise<void> {
  await db.transaction(async (tx) => {
    for (const { id, revision } of applied) {
      const isSame = and(eq(ruleTemplates.id, id), eq(ruleTemplates.revision, revision));
      await tx
        .update(ruleTemplates)
        .set({ appliedRevision: revision, updatedAt: sql`updated_at` })
        .where(isSame);
    }
    const gone = applied.filter(({ removedAt }) => removedAt !== null).map(({ id }) => id);
    if (gone.length > 0)
      await tx
        .delete(ruleTemplates)
        .where(and(inArray(ruleTemplates.id, gone), isNotNull(ruleTemplates.removedAt)));
  });
}
