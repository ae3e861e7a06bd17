import { beforeAll, describe, expect, test } from "vitest";
import { sql } from "../../db/client.ts";
import { aNotification, aRecipient } from "../../test/factories/notifications.ts";
import { aQuery } from "../../test/factories/queries.ts";
import { aSession } from "../../test/factories/sessions.ts";
import { aSubscription } from "../../test/factories/subscriptions.ts";
import { rest } from "../../test/rest-client.ts";

/** A list longer than a page is searched and sorted as a whole, not page by page. */

let cookie: string;
let projectId: number;

/**
 * 300 subscriptions inserted by SQL, to queries Watch 001 to Watch 300. Every tenth is disabled, every seventh failed
 * last, every 50th has an open incident. Those up to 250 have run, higher numbers later; they are due in order of their
 * numbers, each with its own country.
 */
beforeAll(async () => {
  cookie = await aSession("Viewer");
  const first = await aSubscription({ query: await aQuery({ name: "The first" }) });
  projectId = first.projectId;
  await sql`
    with made as (
      insert into queries (project_id, name, created_by_id)
      select ${projectId}, 'Watch ' || lpad(n::text, 3, '0'), null from generate_series(1, 300) n
      returning id, name
    ), watched as (
      insert into subscriptions (query_id, project_id, cron_expression, timeout_seconds, condition_kind, create_tasks,
        anomaly_enabled, anomaly_method, anomaly_sensitivity, anomaly_metric, enabled, next_run_at, parameters)
      select id, ${projectId}, '0 6 * * *', 60, 'RowsFound', false, false, 'Iqr', 1.5, 'RowCount',
        right(name, 1) <> '0',
        case when right(name, 1) <> '0' then timestamptz '2030-01-01' + right(name, 3)::int * interval '1 minute' end,
        jsonb_build_object('country', 'C' || right(name, 3), 'share', '50%', 'since', null)
      from made
      returning id, query_id
    ), numbered as (
      select watched.id, right(name, 3)::int as n from watched join made on made.id = query_id
    ), ran as (
      insert into subscription_state (subscription_id, total, ok, last_execution_id, last_status, last_at)
      select id, 1, 1, 1, case when n % 7 = 0 then 'Failed' else 'NoResults' end::execution_status,
        timestamptz '2025-01-01' + n * interval '1 minute'
      from numbered where n <= 250
    )
    insert into subscription_incidents (subscription_id, kind, reason)
    select id, 'Stalled', 'No run came to an end' from numbered where n % 50 = 0`;
  await sql`update subscriptions set silenced_until = now() + interval '1 day'
    where query_id = (select id from queries where name = 'Watch 299')`;
  await sql`update subscriptions set silenced_until = now() - interval '1 day'
    where query_id = (select id from queries where name = 'Watch 298')`;
  await sql`update queries set name = 'Rate of 100% in a_b\\c' where name = 'Watch 297'`;
});

const path = (query: object) => {
  const given = Object.entries({ projectId, pageSize: 100, ...query });
  return `/subscriptions?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`;
};

async function list(query: object): Promise<{ names: string[]; total: number }> {
  const { status, body } = await rest("GET", path(query), { cookie });
  expect(status).toBe(200);
  const items = body.items as { queryName: string }[];
  return { names: items.map(({ queryName }) => queryName.replace("Watch ", "")), total: body.totalCount };
}

const range = (from: number, to: number, step = 1) =>
  Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, index) =>
    String(from + index * step).padStart(3, "0"),
  );

describe("a search", () => {
  test("finds matches on any page, by name or by parameter value", async () => {
    expect(await list({ search: "watch 271" })).toEqual({ names: ["271"], total: 1 });
    expect(await list({ search: "c272" })).toEqual({ names: ["272"], total: 1 });
    expect(await list({ search: " 27 WATCH ", sortBy: "Name" })).toMatchObject({
      names: ["027", "127", "227", ...range(270, 279)],
    });
    expect(await list({ search: "watch invoices" })).toEqual({ names: [], total: 0 });
  });

  test("takes special characters literally", async () => {
    const odd = { names: ["Rate of 100% in a_b\\c"], total: 1 };
    expect(await list({ search: "0% a_b" })).toEqual(odd);
    expect(await list({ search: "b\\c" })).toEqual(odd);
    expect(await list({ search: "w%h" })).toEqual({ names: [], total: 0 });
    expect(await list({ search: "w_tch" })).toEqual({ names: [], total: 0 });
    expect((await list({ search: "50%" })).total).toBe(300);
    expect((await list({ search: "null" })).total).toBe(0);
  });
});

describe("sorting spans all pages", () => {
  test("by name", async () => {
    expect((await list({ sortBy: "Name", page: 2, search: "Watch" })).names).toEqual([
      ...range(201, 296),
      ...range(298, 300),
    ]);
    expect((await list({ sortBy: "Name", sortDirection: "Desc", pageSize: 3 })).names).toEqual([
      "300",
      "299",
      "298",
    ]);
  });

  test("by the last run, those that never ran last in both directions", async () => {
    const [latest, earliest] = [
      await list({ sortBy: "LastExecution" }),
      await list({ sortBy: "LastExecution", sortDirection: "Asc" }),
    ];
    expect(latest.names).toEqual(range(151, 250).toReversed());
    expect(earliest.names).toEqual(range(1, 100));
    // 51 never ran, by name: Rate …, The first, 251 to 300 without 297.
    expect((await list({ sortBy: "LastExecution", page: 2 })).names.slice(50, 54)).toEqual([
      "Rate of 100% in a_b\\c",
      "The first",
      "251",
      "252",
    ]);
  });

  test("by the next run, disabled ones last", async () => {
    // The first is due before 2030.
    expect((await list({ sortBy: "NextRun", pageSize: 12 })).names).toEqual([
      "The first",
      ...range(1, 9),
      "011",
      "012",
    ]);
    expect((await list({ sortBy: "NextRun", page: 3, pageSize: 100 })).names).toEqual(["300"]);
  });

  test("by what needs attention", async () => {
    const all = [0, 1, 2, 3].map(async (page) => (await list({ sortBy: "Attention", page })).names);
    const names = (await Promise.all(all)).flat();
    expect(names.slice(0, 6)).toEqual(range(50, 300, 50));
    const failed = range(7, 250, 7).filter((name) => !name.endsWith("0"));
    expect(names.slice(6, 6 + failed.length)).toEqual(failed);
    const off = range(10, 300, 10).filter((name) => Number(name) % 50 !== 0);
    expect(names.slice(-off.length)).toEqual(off);
    expect(new Set(names).size).toBe(301);
  });

  test("by attention, a failed delivery ranks with failed runs", async () => {
    await sql`update subscription_state set last_execution_id = 999 where subscription_id = (
      select s.id from subscriptions s join queries q on q.id = s.query_id where q.name = 'Watch 201')`;
    const failed = range(7, 250, 7).filter((name) => !name.endsWith("0"));
    const first = async () => (await list({ sortBy: "Attention" })).names.slice(6, 6 + failed.length + 1);
    expect(await first()).not.toContain("201");
    const recipient = await aRecipient({ projectId });
    await aNotification({
      ...{ projectId, recipientIds: [recipient.id] },
      cause: { kind: "Execution", id: 999 },
    });
    expect(await first()).not.toContain("201");
    await sql`update deliveries set status = 'Failed', failed_at = now(), next_attempt_at = null where recipient_id = ${recipient.id}`;
    expect(await first()).toEqual([...failed, "201"].sort());
    await sql`delete from deliveries where recipient_id = ${recipient.id}`;
  });

  test("oldest first by default", async () => {
    expect((await list({ pageSize: 2 })).names).toEqual(["The first", "001"]);
  });
});

test("filters count across all pages", async () => {
  expect(await list({ hasIncident: true, sortBy: "Name" })).toEqual({ names: range(50, 300, 50), total: 6 });
  expect((await list({ hasIncident: false })).total).toBe(295);
  expect(await list({ silenced: true })).toEqual({ names: ["299"], total: 1 });
  expect((await list({ silenced: false })).total).toBe(300);
});

test.each([{ sortBy: "name" }, { sortBy: "Id" }, { sortDirection: "up" }, { search: "x".repeat(201) }])(
  "%j is rejected",
  async (query) => {
    const { status, body } = await rest("GET", path(query), { cookie });
    expect({ status, errors: body.errors }).toMatchObject({
      status: 400,
      errors: [{ path: Object.keys(query)[0] }],
    });
  },
);
