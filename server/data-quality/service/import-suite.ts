import { and, eq, inArray, sql } from "drizzle-orm";
import type { SignedIn } from "../../auth/principal.ts";
import { recorded } from "../../auth/recorded.ts";
import type { DatabaseSchema } from "../../data-sources/database-schema.ts";
import { loadDescriptions, storeDescriptions } from "../../data-sources/service/descriptions.ts";
import { getSchema, refreshSchema } from "../../data-sources/service/read-schema.ts";
import { loadTags, storeTags } from "../../data-sources/service/table-tags.ts";
import { db, type Transaction } from "../../db/client.ts";
import { dbtOrigin } from "../../lineage/dbt-origin.ts";
import { storeEdges } from "../../lineage/service/store-edges.ts";
import { readProject } from "../imports/dbt/manifest.ts";
import { suiteOf } from "../imports/dbt/suite-of.ts";
import type { CheckedTable } from "../imports/destination.ts";
import { gxSuiteOf } from "../imports/gx/suite-of.ts";
import { planOf } from "../imports/plan.ts";
import { descriptionKey } from "../imports/plan-descriptions.ts";
import type { EarlierTable, Planned, PlanOptions, TableWork } from "../imports/planned.ts";
import type { DbtImport, GxImport, ImportPlan, SodaImport } from "../imports/schema.ts";
import { type SodaDestination, type SodaFile, sodaSuiteOf } from "../imports/soda/suite-of.ts";
import type { Suite } from "../imports/suite.ts";
import { importedRules, importedTables } from "../imports/tables.ts";
import { readYaml } from "../odcs/read-yaml.ts";
import { contracts } from "../tables.ts";
import { contentOf } from "./contract-edits.ts";
import { getContractSource } from "./contract-sources.ts";
import { archiveContract, insertContracts, replaceContract } from "./contracts.ts";

/** Files of a tool as they came: what is planned from them, and by which options. */
type Files = Pick<DbtImport, "dataSourceId" | "again" | "cronExpression" | "timezone">;
type Read<Input> = (input: Input) => Promise<(destination: SodaDestination) => Suite>;

const readDbt: Read<DbtImport> = async (input) => {
  const project = readProject(input);
  return (destination) => suiteOf(project, destination);
};

/** Reads one file after the other: each is parsed by a process of its own. */
const readSoda: Read<SodaImport> = async ({ files, project, variables }) => {
  const read: SodaFile[] = [];
  for (const { path, yaml } of files) read.push({ path, content: await readYaml(yaml, path) });
  return (destination) => sodaSuiteOf(read, destination, { project, variables });
};

const readGx: Read<GxImport> = async ({ files, project }) => {
  const read = files.map(({ path, suite, table }) => ({ path, content: suite, table }));
  return (destination) => gxSuiteOf(read, destination, project);
};

export const importDbt = (ctx: SignedIn, input: DbtImport) => importFiles(ctx, input, readDbt);
export const previewDbt = (ctx: SignedIn, input: DbtImport) => previewFiles(ctx, input, readDbt);
export const importSoda = (ctx: SignedIn, input: SodaImport) => importFiles(ctx, input, readSoda);
export const previewSoda = (ctx: SignedIn, input: SodaImport) => previewFiles(ctx, input, readSoda);
export const importGx = (ctx: SignedIn, input: GxImport) => importFiles(ctx, input, readGx);
export const previewGx = (ctx: SignedIn, input: GxImport) => previewFiles(ctx, input, readGx);

/**
 * Imports another tool's checks: reads its files, plans what changes, and stores that in one transaction. Imported
 * again, it updates what it created, and leaves alone what people changed since. Throws invalid for files that are not
 * the tool's, and like `getContractSource` and `getSchema`.
 */
async function importFiles<Input extends Files>(ctx: SignedIn, input: Input, readFiles: Read<Input>) {
  const read = await readSuite(ctx, input, readFiles);
  const plan = await recorded(ctx, () =>
    db.transaction(async (tx) => {
      // Two imports into one data source at the same time would both create the same contracts.
      await tx.execute(sql`select pg_advisory_xact_lock(hashtext('imports'), ${input.dataSourceId})`);
      const { shown, work } = await planNow(tx, input, read);
      const contractIds = await store(tx, ctx, input.dataSourceId, read.suite, work);
      await storeLineage(tx, read.projectId, input.dataSourceId, read.suite);
      const tables = shown.tables.map((table) => ({
        ...table,
        contractId: contractIds.get(table.id) ?? table.contractId,
      }));
      return { ...shown, tables, dataSourceId: input.dataSourceId };
    }),
  );
  return plan;
}

/** What an import would do, without doing it. Throws like `importFiles`. */
async function previewFiles<Input extends Files>(
  ctx: SignedIn,
  input: Input,
  readFiles: Read<Input>,
): Promise<ImportPlan> {
  const read = await readSuite(ctx, input, readFiles);
  const { shown } = await db.transaction((tx) => planNow(tx, input, read));
  return shown;
}

async function readSuite<Input extends Files>(ctx: SignedIn, input: Input, readFiles: Read<Input>) {
  const { dataSourceId } = input;
  const { source, dialect, defaultSchema } = await getContractSource(ctx, dataSourceId);
  const suiteFor = await readFiles(input);
  const suiteIn = ({ items }: DatabaseSchema) =>
    suiteFor({ dialect, defaultSchema, find: finderIn(items), tables: tablesIn(items) });
  const suite = suiteIn(await getSchema(ctx, dataSourceId));
  // A table that is missing may have been created since the schema was last read.
  const isComplete = suite.tables.every(({ exists, rules }) => exists || rules.length === 0);
  return {
    ...{ defaultSchema, projectId: source.projectId },
    suite: isComplete ? suite : suiteIn(await refreshSchema(ctx, dataSourceId)),
  };
}

const tablesIn = (items: DatabaseSchema["items"]): CheckedTable[] =>
  items.flatMap(({ schemaName, tables }) =>
    tables.map(({ tableName, columns }) => ({
      ...{ schemaName, tableName, columns: columns.map(({ name }) => name) },
      catalog: columns.map(({ name, type, nullable }) => ({ name, type, nullable })),
    })),
  );

/** Finds tables by name: as written, otherwise in any case if only one fits. */
function finderIn(items: DatabaseSchema["items"]) {
  const exact = new Map<string, CheckedTable>();
  const similar = new Map<string, CheckedTable | null>();
  const keyOf = (schemaName: string, tableName: string) => JSON.stringify([schemaName, tableName]);
  for (const table of tablesIn(items)) {
    const key = keyOf(table.schemaName, table.tableName);
    const folded = key.toLowerCase();
    exact.set(key, table);
    similar.set(folded, similar.has(folded) ? null : table);
  }
  return (schemaName: string, tableName: string): CheckedTable | null => {
    const key = keyOf(schemaName, tableName);
    return exact.get(key) ?? similar.get(key.toLowerCase()) ?? null;
  };
}

async function planNow(
  tx: Transaction,
  { dataSourceId, again, cronExpression, timezone }: Files,
  { suite, defaultSchema }: { suite: Suite; defaultSchema: string },
): Promise<Planned> {
  const described = await loadDescriptions(dataSourceId);
  const descriptions: PlanOptions["descriptions"] = new Map(
    described.map((each) => [
      descriptionKey(each.schemaName, each.tableName, each.columnName),
      each.description,
    ]),
  );
  const earlier = await loadEarlier(tx, dataSourceId, suite);
  const tags = await loadTags(tx, [dataSourceId]);
  const options: PlanOptions = {
    ...{ dataSourceId, defaultSchema, again, cronExpression, timezone, descriptions },
    tagsOf: (table) => tags({ dataSourceId, ...table }),
    isTaggedElsewhere: await taggedElsewhere(tx, dataSourceId, suite),
  };
  return planOf(suite, earlier, options);
}

async function loadEarlier(tx: Transaction, dataSourceId: number, suite: Suite): Promise<EarlierTable[]> {
  const rows = await tx
    .select({ table: importedTables, archivedAt: contracts.archivedAt })
    .from(importedTables)
    .leftJoin(contracts, eq(contracts.id, importedTables.contractId))
    .where(isOf(dataSourceId, suite));
  const ids = rows.flatMap(({ table }) => table.contractId ?? []);
  const remembered = await tx.select().from(importedRules).where(inArray(importedRules.contractId, ids));
  const rulesOf = Map.groupBy(remembered, ({ contractId }) => contractId);
  const earlier: EarlierTable[] = [];
  for (const { table, archivedAt } of rows) {
    const { contractId: id, ...fields } = table;
    earlier.push({
      ...fields,
      contract: id === null ? null : { id, content: archivedAt === null ? await contentOf(tx, id) : null },
      rules: rulesOf.get(id ?? 0) ?? [],
    });
  }
  return earlier;
}

/** Which tags imports of other projects give to tables of the data source. */
async function taggedElsewhere(
  tx: Transaction,
  dataSourceId: number,
  suite: Suite,
): Promise<PlanOptions["isTaggedElsewhere"]> {
  const rows = await tx
    .select({
      schemaName: importedTables.schemaName,
      tableName: importedTables.tableName,
      tags: importedTables.tags,
    })
    .from(importedTables)
    .where(
      and(
        eq(importedTables.dataSourceId, dataSourceId),
        sql`not (${isOf(dataSourceId, suite)})`,
        sql`${importedTables.tags} <> '{}'`,
      ),
    );
  const keyOf = (...parts: string[]) => JSON.stringify(parts);
  const tagged = new Set(
    rows.flatMap(({ schemaName, tableName, tags }) =>
      Object.keys(tags).map((tag) => keyOf(schemaName, tableName, tag)),
    ),
  );
  return ({ schemaName, tableName }, tag) => tagged.has(keyOf(schemaName, tableName, tag));
}

const isOf = (dataSourceId: number, { tool, project }: Suite) =>
  and(
    eq(importedTables.dataSourceId, dataSourceId),
    eq(importedTables.tool, tool),
    eq(importedTables.project, project),
  );

/** Which table is made from which, in place of what an earlier import of the project said. */
async function storeLineage(
  tx: Transaction,
  projectId: number,
  dataSourceId: number,
  { lineage, project }: Suite,
): Promise<void> {
  if (lineage === null) return;
  const edges = lineage.map(({ from, to }) => ({
    ...{ from: { dataSourceId, ...from }, to: { dataSourceId, ...to }, columns: [], isCertain: true },
  }));
  await storeEdges(tx, { projectId, via: "Dbt", origin: dbtOrigin(dataSourceId, project) }, edges);
}

/** Returns the contracts by the tables' identifiers in the tool. */
async function store(
  tx: Transaction,
  ctx: SignedIn,
  dataSourceId: number,
  suite: Suite,
  work: readonly TableWork[],
): Promise<Map<string, number>> {
  const contractIds = new Map<string, number>();
  for (const table of work) {
    const contractId = await storeContract(ctx, table);
    if (contractId !== null) contractIds.set(table.externalId, contractId);
    await storeDescriptions(
      ctx,
      dataSourceId,
      table.descriptions.map((each) => ({
        ...each,
        ...{ schemaName: table.schemaName, tableName: table.tableName },
      })),
    );
    const { externalId, schemaName, tableName, rememberedDescriptions: descriptions } = table;
    const tags = table.rememberedTags;
    const stored = { contractId, schemaName, tableName, descriptions, tags, importedAt: sql`now()` };
    await tx
      .insert(importedTables)
      .values({ dataSourceId, tool: suite.tool, project: suite.project, externalId, ...stored })
      .onConflictDoUpdate({
        target: [
          importedTables.dataSourceId,
          importedTables.tool,
          importedTables.project,
          importedTables.externalId,
        ],
        set: stored,
      });
    if (contractId !== null) await rememberRules(tx, contractId, table.remembered);
    else if (table.contractId !== null) await rememberRules(tx, table.contractId, []);
  }
  // Of a table that several nodes are about, the last one planned has the tags of all.
  const tagged = work.flatMap(({ tags }) => tags ?? []);
  await storeTags(tx, ctx, dataSourceId, [
    ...new Map(tagged.map((table) => [JSON.stringify([table.schemaName, table.tableName]), table])).values(),
  ]);
  return contractIds;
}

/** Creates, replaces, or archives a table's contract. Returns its id, if there is one afterwards. */
async function storeContract(
  ctx: SignedIn,
  { contractId, write, archive }: TableWork,
): Promise<number | null> {
  if (archive && contractId !== null) {
    await archiveContract(ctx, contractId);
    return null;
  }
  if (write === null) return contractId;
  if (contractId !== null) {
    await replaceContract(ctx, { ...write, id: contractId });
    return contractId;
  }
  const [id] = await insertContracts(ctx, [write]);
  return id ?? null;
}

/** Remembers which rule a test has become. A new rule's key is known only once it is stored. */
async function rememberRules(
  tx: Transaction,
  contractId: number,
  remembered: TableWork["remembered"],
): Promise<void> {
  const { rules } = await contentOf(tx, contractId);
  await tx.delete(importedRules).where(eq(importedRules.contractId, contractId));
  // New rules are the last ones, in the order in which they were planned.
  const fresh = remembered.filter(({ key }) => key === null);
  const keys = rules.slice(rules.length - fresh.length).map(({ key }) => key);
  const values = remembered.flatMap(({ externalId, key, imported }) => {
    const own = key ?? keys.shift();
    return own === undefined ? [] : { contractId, key: own, externalId, imported };
  });
  if (values.length > 0) await tx.insert(importedRules).values(values);
}
