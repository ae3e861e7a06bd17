import { asc, eq, isNull, sql } from "drizzle-orm";
import { recordAsSystem } from "../audit/service.ts";
import type { SignedIn } from "../auth/principal.ts";
import { users } from "../auth/tables.ts";
import { createContractInput } from "../data-quality/schema.ts";
import { createContract, listContracts } from "../data-quality/service/contracts.ts";
import { evaluateContract } from "../data-quality/service/evaluate.ts";
import { createDataSource, updateDataSource } from "../data-sources/service/edit-data-sources.ts";
import { listDataSources } from "../data-sources/service/load-data-sources.ts";
import { refreshSchema } from "../data-sources/service/read-schema.ts";
import { db, inOneTransaction } from "../db/client.ts";
import { installation } from "../db/tables.ts";
import { listScans, startScan } from "../findings/service/scans.ts";
import { demoSourceName } from "../getting-started/demo-names.ts";
import { createProject, listProjects } from "../projects/service.ts";
import { listManaged } from "../stacks/service.ts";
import { setWatchInput } from "../watch/schema.ts";
import { enableWatch } from "../watch/service/watch.ts";
import { loadActor } from "./actor.ts";
import { demoContracts } from "./contracts.ts";
import { loadSubscriptions } from "./history.ts";
import {
  createWarehouse,
  demoNames,
  placeOf,
  type Reader,
  renewReader,
  tightenWarehouse,
  type WarehouseNames,
} from "./warehouse.ts";

const projectName = "Demo";

/**
 * Loads the demo, once per installation: a project with real public data, evaluated contracts, subscriptions with a
 * history, and an actor that proposes more. An interrupted start is continued by the next one; later starts only update
 * the data source's server address.
 */
export async function loadDemo(databaseUrl: string, names = demoNames): Promise<void> {
  const ctx = await asFirstAdmin();
  if (!ctx) return;
  const [waiting] = await db.select().from(installation).where(isNull(installation.demoLoadedAt));
  if (!waiting) {
    await tightenWarehouse(databaseUrl, names);
    return followServer(ctx, databaseUrl, names);
  }
  const projectId = await project(ctx);
  const dataSourceId = await dataSource(ctx, projectId, await createWarehouse(databaseUrl, names));
  // Read the schema now, for pickers, completion, and coverage.
  await refreshSchema(ctx, dataSourceId);
  const { timezone, nightHour, budgetSeconds } = setWatchInput.parse({ id: dataSourceId, enabled: true });
  await enableWatch(dataSourceId, { timezone, nightHour, budgetSeconds }, ctx.principal.userId);
  const isThere = new Set((await listContracts(ctx, { dataSourceId })).items.map(({ name }) => name));
  for (const contract of demoContracts) {
    if (isThere.has(contract.name)) continue;
    const { id } = await createContract(ctx, createContractInput.parse({ ...contract, dataSourceId }));
    await evaluateContract(ctx, id);
  }
  await loadSubscriptions(ctx, { projectId, dataSourceId }, databaseUrl, names);
  await loadActor(ctx, { projectId, dataSourceId });
  // In the background: its findings are there before anyone has looked around.
  if ((await listScans(ctx, { dataSourceId })).items.length === 0) await startScan(ctx, { dataSourceId });
  await inOneTransaction(async () => {
    await recordAsSystem({
      action: "demo.load",
      objectKind: "project",
      objectId: projectId,
      detail: projectName,
    });
    await db.update(installation).set({ demoLoadedAt: sql`now()` });
  });
}

/** The embedded server may move to another port; the demo's data source follows. */
async function followServer(ctx: SignedIn, databaseUrl: string, names: WarehouseNames): Promise<void> {
  const { host, port } = placeOf(databaseUrl);
  const source = (await listDataSources(ctx)).items.find(
    ({ name, connection }) =>
      name === demoSourceName && "user" in connection && connection.user === names.reader,
  );
  const { connection } = source ?? {};
  if (!source || !connection || !("host" in connection)) return;
  if (connection.host === host && connection.port === port) return;
  const [managed] = (await listManaged(ctx, { kind: "DataSource", id: source.id })).items;
  // Its file says where it is.
  if (managed && !managed.takenOver) return;
  const dataSourceId = await dataSource(ctx, source.projectId, await renewReader(databaseUrl, names));
  // A changed address makes the data source forget its tables, which are the same here, so read them again.
  await refreshSchema(ctx, dataSourceId);
}

/** The demo's objects are created as the first Admin; null before there is one, at /setup. */
async function asFirstAdmin(): Promise<SignedIn | null> {
  const [admin] = await db
    .select()
    .from(users)
    .where(eq(users.role, "Admin"))
    .orderBy(asc(users.id))
    .limit(1);
  if (!admin) return null;
  return {
    principal: {
      kind: "User",
      userId: admin.id,
      name: admin.name,
      role: admin.role,
      scopes: null,
      projectIds: null,
    },
    requestId: "demo",
    address: "",
  };
}

async function project(ctx: SignedIn): Promise<number> {
  const existing = (await listProjects(ctx)).items.find(({ name }) => name === projectName);
  const description =
    "Public data with the flaws it came with: flights, airports, movies, bird strikes, weather";
  return (existing ?? (await createProject({ name: projectName, description }))).id;
}

async function dataSource(ctx: SignedIn, projectId: number, reader: Reader): Promise<number> {
  const existing = (await listDataSources(ctx, { projectId })).items.find(
    ({ name }) => name === demoSourceName,
  );
  const write = { name: demoSourceName, connection: { ...reader, ssl: false } };
  const stored = existing
    ? await updateDataSource(ctx, { id: existing.id, ...write })
    : await createDataSource(ctx, { projectId, kind: "PostgreSql", ...write });
  return stored.id;
}
