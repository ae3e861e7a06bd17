import { randomBytes } from "node:crypto";
import { eq } from "drizzle-orm";
import postgres from "postgres";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import type { SignedIn } from "../auth/principal.ts";
import { closeSources } from "../data-sources/service/connected-sources.ts";
import { refreshSchema } from "../data-sources/service/read-schema.ts";
import { dataSources } from "../data-sources/tables.ts";
import { db } from "../db/client.ts";
import { listIncidentsInput } from "../incidents/schema.ts";
import { getIncident, listIncidents } from "../incidents/service/load-incidents.ts";
import { reportInput } from "../reported-events/schema.ts";
import { reportEvent } from "../reported-events/service.ts";
import { aDataSource } from "../test/factories/data-sources.ts";
import { asAdmin } from "../test/factories/principals.ts";
import { setWatchInput } from "../watch/schema.ts";
import { runLook, runProfile } from "../watch/service/run.ts";
import { setWatch } from "../watch/service/watch.ts";
import { watches } from "../watch/tables.ts";
import { explainWhy } from "./service/why.ts";

/**
 * A week of a shop that nobody wrote a rule for, replayed: 200 orders a day, profiled each night. On the last day the load is
 * cut short; the day after, the rest has been loaded. The clock of the watch moves by days; rows move back instead, since
 * the database has its own.
 */
const name = `shop_${randomBytes(6).toString("hex")}`;
const { adminUrl } = inject("postgres");
const admin = postgres(adminUrl, { max: 1, onnotice: () => {} });
let shop: postgres.Sql;
let ctx: SignedIn;
let source: Awaited<ReturnType<typeof aDataSource>>;
const day = 86_400_000;

beforeAll(async () => {
  await admin.unsafe(`create database ${name}`);
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  shop = postgres(url.href, { max: 1, onnotice: () => {} });
  await shop`create table orders (id int primary key, created_at timestamptz not null, channel text)`;
  await shop`create index on orders (created_at)`;
  // 50 days before the week begins.
  await shop`insert into orders select -n, now() - (n + 0.5) * interval '432 seconds', (array['web', 'shop'])[n % 2 + 1]
    from generate_series(0, 9999) as n`;
  ctx = await asAdmin();
  source = await aDataSource({ connection: { database: name } });
  await db
    .update(dataSources)
    .set({ updatedAt: new Date(0) })
    .where(eq(dataSources.id, source.id));
  await refreshSchema(ctx, source.id);
});
afterAll(async () => {
  await closeSources();
  await shop.end();
  await admin.unsafe(`drop database ${name} with (force)`);
  await admin.end();
});

/** A day goes by, in which 200 orders come, or as many of them as are loaded. */
async function dayWith(orders: number, number: number): Promise<void> {
  await shop`update orders set created_at = created_at - interval '1 day'`;
  await shop`insert into orders select ${(number + 1) * 200} + n, now() - (n + 0.5) * interval '432 seconds',
    (array['web', 'shop'])[n % 2 + 1] from generate_series(${200 - orders}::int, 199) as n`;
}

const incidents = async () =>
  (await listIncidents(ctx, listIncidentsInput.parse({ projectId: source.projectId }))).items;

test("a load that is cut short becomes an incident with its cause, which is over when the rest has come", async () => {
  const now = Date.now();
  await setWatch(ctx, setWatchInput.parse({ id: source.id, enabled: true }));
  /** The night of a day of the week; the sixth is now. */
  async function night(number: number): Promise<void> {
    const at = new Date(now + (number - 6) * day);
    await db
      .update(watches)
      .set({ nextNightAt: new Date(at.getTime() - 1) })
      .where(eq(watches.id, source.id));
    expect(await runLook(source.id, at)).toEqual({ looked: true });
    expect(await runProfile(source.id, at)).toEqual({ looked: true });
  }
  for (let number = 0; number < 6; number++) {
    await dayWith(200, number);
    await night(number);
    expect(await incidents(), `day ${number}`).toEqual([]);
  }

  // The load stops when 120 of 200 orders are there; its tool says so, and somebody deploys something else.
  const report = (hours: number, event: object) =>
    reportEvent(
      ctx,
      reportInput.parse({
        projectId: source.projectId,
        at: new Date(now - hours * 3_600_000).toISOString(),
        ...event,
      }),
    );
  const table = { dataSourceId: source.id, schemaName: "public", tableName: "orders" };
  await report(9.5, { kind: "Load", name: "orders nightly", state: "Failed", outputs: [table] });
  await report(5, { kind: "Deployment", name: "shop front 12" });
  await dayWith(120, 6);
  await night(6);
  const [incident, ...others] = await incidents();
  expect(others).toEqual([]);
  expect(incident).toMatchObject({ state: "Open", title: expect.stringMatching(/public\.orders: .*120/) });
  const incidentId = incident?.id ?? 0;
  const causes = (await explainWhy(ctx, { incidentId })).causes.map(({ statement }) => statement);
  expect(causes).toEqual([
    "Load orders nightly failed.",
    expect.stringMatching(/^With created_at from .+ to .+, 0 rows came; usually (79|80) do\.$/),
    "Deployment shop front 12.",
  ]);

  // The rest is loaded in the morning; the next day is as usual.
  await shop`insert into orders select 7 * 200 + n, now() - (n + 0.5) * interval '432 seconds', (array['web', 'shop'])[n % 2 + 1]
    from generate_series(0, 79) as n`;
  await dayWith(200, 7);
  await night(7);
  const ended = await getIncident(ctx, incidentId);
  expect(ended).toMatchObject({ state: "Resolved", currentCount: 0, resolvedBy: null });
  expect(ended.timeline.map(({ kind }) => kind)).toEqual(["Opened", "Ended", "Resolved"]);
  // What it was is still told.
  expect((await explainWhy(ctx, { incidentId })).causes[0]?.statement).toBe("Load orders nightly failed.");
});
