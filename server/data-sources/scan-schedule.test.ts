import { afterAll, beforeAll, expect, test } from "vitest";
import { sql } from "../db/client.ts";
import { aProject, ownConnection } from "../test/factories/data-sources.ts";
import { aSession } from "../test/factories/sessions.ts";
import { rest } from "../test/rest-client.ts";
import { closeSources } from "./service/connected-sources.ts";

let cookie: string;
let projectId: number;

beforeAll(async () => {
  cookie = await aSession("Admin");
  projectId = (await aProject()).id;
});
afterAll(closeSources);

const write = (more: object = {}) => ({ name: "Warehouse", connection: ownConnection(), ...more });
const create = (more: object = {}) =>
  rest("POST", "/data-sources", { cookie, json: { projectId, kind: "PostgreSql", ...write(more) } });
const update = (id: number, more: object) =>
  rest("PUT", `/data-sources/${id}`, { cookie, json: write(more) });

test("a data source is only scanned automatically on request, and shows its next scan", async () => {
  const plain = await create();
  expect([plain.status, plain.body.scanSchedule]).toEqual([201, null]);

  const { body } = await create({ scanSchedule: { cronExpression: "30 2 * * *" } });
  const [row] = await sql`
    with today as (select date_trunc('day', now(), 'UTC') + interval '2 hours 30 minutes' as scan)
    select now()::text as now, to_char(
      (case when scan > now() then scan else scan + interval '1 day' end) at time zone 'UTC',
      'YYYY-MM-DD"T"HH24:MI:SS.000"Z"') as next
    from today`;
  const stored = { cronExpression: "30 2 * * *", timezone: "UTC", nextRunAt: row?.next };
  expect(body.scanSchedule).toEqual(stored);

  // Omitted settings stay, and setting the same schedule again does not move a due scan.
  expect((await update(body.id, { name: "Renamed" })).body.scanSchedule).toEqual(stored);
  const due = "2026-01-01T02:30:00.000Z";
  await sql`update scan_schedules set next_run_at = ${due} where id = ${body.id}`;
  const same = await update(body.id, { scanSchedule: { cronExpression: "30 2 * * *", timezone: "UTC" } });
  expect(same.body.scanSchedule).toEqual({ ...stored, nextRunAt: due });

  const other = await update(body.id, {
    scanSchedule: { cronExpression: "0 3 * * 1", timezone: "Europe/Berlin" },
  });
  expect(other.body.scanSchedule).toMatchObject({ cronExpression: "0 3 * * 1", timezone: "Europe/Berlin" });
  const monday = new Date(other.body.scanSchedule.nextRunAt);
  expect([monday > new Date(row?.now), monday.getUTCDay(), [1, 2].includes(monday.getUTCHours())]).toEqual([
    true,
    1,
    true,
  ]);

  expect((await update(body.id, { scanSchedule: null })).body.scanSchedule).toBe(null);
  const listed = await rest("GET", `/data-sources?projectId=${projectId}`, { cookie });
  expect(listed.body.items.map((each: { scanSchedule: unknown }) => each.scanSchedule)).toEqual([null, null]);
});

test("an invalid schedule is rejected, and so is one for a REST API", async () => {
  const invalid = await create({ scanSchedule: { cronExpression: "30 2 * *" } });
  expect([invalid.status, invalid.body.errors[0].path]).toEqual([400, "scanSchedule.cronExpression"]);

  const api = { kind: "RestApi", connection: { baseUrl: "http://127.0.0.1:9/" } };
  const scanSchedule = { cronExpression: "30 2 * * *" };
  const message = "must be empty for a REST API, which is not scanned";
  const created = await create({ ...api, scanSchedule });
  expect([created.status, created.body.errors]).toEqual([400, [{ path: "scanSchedule", message }]]);
  const { body } = await create({ ...api, scanSchedule: null });
  const updated = await update(body.id, { connection: api.connection, scanSchedule });
  expect([updated.status, updated.body.errors]).toEqual([400, [{ path: "scanSchedule", message }]]);
});
