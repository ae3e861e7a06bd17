import type { SignedIn } from "../auth/principal.ts";
import { nextRun } from "../jobs/cron.ts";
import { createFolder, listFolders } from "../queries/service/folders.ts";
import { listQueries } from "../queries/service/queries.ts";
import { createQuery } from "../queries/service/save-query.ts";
import { createSubscriptionInput } from "../subscriptions/schema.ts";
import { replayExecution } from "../subscriptions/service/execute.ts";
import { listSubscriptions } from "../subscriptions/service/list-subscriptions.ts";
import { createSubscription, updateSubscription } from "../subscriptions/service/subscriptions.ts";
import { alreadyNumbered, numberFlights, replayFlights } from "./feed.ts";
import { type DemoQuery, demoQueries } from "./subscriptions.ts";
import { connectToWarehouse, type WarehouseNames } from "./warehouse.ts";

/** How many days of departures are replayed, with subscriptions running as they would have. */
const days = 4;

const everything = { page: 0, pageSize: 500 };

type Place = { projectId: number; dataSourceId: number };
type Kept = Awaited<ReturnType<typeof createSubscription>>;

/**
 * Creates the demo's queries and subscriptions with a four-day history: departures are replayed, and each run that would
 * have been due runs on the data of its time. Nothing is made up.
 */
export async function loadSubscriptions(
  ctx: SignedIn,
  place: Place,
  databaseUrl: string,
  names: WarehouseNames,
): Promise<void> {
  const made: Kept[] = [];
  for (const query of demoQueries) made.push(await subscribe(ctx, place, query));
  await playAgain(made, databaseUrl, names);
  // Their schedules start only now.
  for (const { id, ...subscription } of made) await updateSubscription(ctx, enabled(id, subscription));
}

async function playAgain(made: readonly Kept[], databaseUrl: string, names: WarehouseNames): Promise<void> {
  const warehouse = connectToWarehouse(databaseUrl, names);
  try {
    await warehouse`truncate departures`;
    await numberFlights(warehouse);
    for (const { at, subscriptions } of timetable(made, new Date())) {
      await replayFlights(warehouse, at, alreadyNumbered);
      await Promise.all(subscriptions.map(({ id }) => replayExecution(id, at)));
    }
    await replayFlights(warehouse, new Date(), alreadyNumbered);
  } finally {
    await warehouse.end();
  }
}

/** Which subscriptions were due at which times, in order. */
function timetable(made: readonly Kept[], now: Date): { at: Date; subscriptions: Kept[] }[] {
  const runs = made.flatMap((subscription) => {
    const times: Date[] = [];
    const { cronExpression, timezone } = subscription;
    let at = nextRun(cronExpression, timezone, new Date(now.getTime() - days * 86_400_000));
    for (; at !== null && at < now; at = nextRun(cronExpression, timezone, at)) times.push(at);
    return times.map((time) => ({ time, subscription }));
  });
  const byTime = Map.groupBy(runs, ({ time }) => time.getTime());
  return [...byTime]
    .sort(([a], [b]) => a - b)
    .map(([time, own]) => ({
      at: new Date(time),
      subscriptions: own.map(({ subscription }) => subscription),
    }));
}

/** A disabled subscription of a demo query; reuses one left by an interrupted start. */
async function subscribe(
  ctx: SignedIn,
  { projectId, dataSourceId }: Place,
  { folder, name, description, steps, subscription }: DemoQuery,
): Promise<Kept> {
  const existing = (await listQueries(ctx, { projectId, search: name, ...everything })).items.find(
    (query) => query.name === name,
  );
  const query =
    existing ??
    (await createQuery(
      ctx,
      {
        ...{ projectId, name, description, folderId: await folderAt(ctx, projectId, folder) },
        steps: steps.map((step) => (step.sql.includes("@@result") ? step : { ...step, dataSourceId })),
      },
      // The demo's queries have a history, so they count as approved.
      { approval: { needsApproval: false } },
    ));
  const [subscribed] = (await listSubscriptions(ctx, { queryId: query.id, ...everything })).items;
  const write = createSubscriptionInput.parse({ ...subscription, queryId: query.id, enabled: false });
  return subscribed ?? createSubscription(ctx, write);
}

async function folderAt(ctx: SignedIn, projectId: number, path: readonly string[]): Promise<number | null> {
  let parentId: number | null = null;
  for (const name of path) {
    const { items } = await listFolders(ctx, { projectId });
    const existing = items.find((folder) => folder.parentId === parentId && folder.name === name);
    parentId = (existing ?? (await createFolder(ctx, { projectId, parentId, name }))).id;
  }
  return parentId;
}

function enabled(id: number, { queryId, condition, anomalyDetection, ...kept }: Omit<Kept, "id">) {
  const { cronExpression, timezone, parameters, timeoutSeconds, createTasks, recipientIds } = kept;
  return {
    ...{ id, queryId, cronExpression, timezone, parameters, timeoutSeconds, createTasks, recipientIds },
    ...{ condition, anomalyDetection, enabled: true, silencedUntil: null },
  };
}
