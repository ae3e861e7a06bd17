import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { SignedIn } from "../../auth/principal.ts";
import { closeSources } from "../../data-sources/service/connected-sources.ts";
import { sql } from "../../db/client.ts";
import { aDataSource } from "../../test/factories/data-sources.ts";
import { aFinding } from "../../test/factories/findings.ts";
import { asEditor } from "../../test/factories/principals.ts";
import { acceptFinding, dismissFinding } from "./decide-findings.ts";
import { findFaults } from "./find-faults.ts";
import { findingsOf, scanned } from "./finds-planted-faults.fixture.ts";
import { getFinding } from "./list-findings.ts";
import { shop } from "./warehouse.fixture.ts";

let ctx: SignedIn;
let source: { id: number; projectId: number };

beforeAll(async () => {
  ctx = await asEditor();
});
beforeEach(async () => {
  source = await aDataSource();
});
afterAll(closeSources);

const variant = (dataSourceId: number, tableName: string, of: Parameters<typeof aFinding>[0] | object = {}) =>
  aFinding({
    ...{ dataSourceId, tableName, kind: "Variant", columns: ["country"], confidence: 0.9 },
    ...{ severity: "Low", rank: 0.9 * 0.001 },
    ...of,
  });

test("each dismissal lowers open findings like it at once, and the finding says so", async () => {
  const left = await variant(source.id, "customers");
  const other = await aFinding({ dataSourceId: source.id, kind: "Orphan" });
  const dismissed = [];
  for (const name of ["a", "b", "c"]) dismissed.push(await variant(source.id, name));
  for (const { id } of dismissed.slice(0, 2)) await dismissFinding(ctx, { id });
  // logit(0.9) − 6 · 1.8 / 8.3, and with a third one − 6 · 2.7 / 9.2.
  expect((await getFinding(ctx, left.id)).confidence).toBeCloseTo(0.7101, 4);
  await dismissFinding(ctx, { id: dismissed[2]?.id ?? 0 });
  const { confidence, learned } = await getFinding(ctx, left.id);
  expect(confidence).toBeCloseTo(0.6074, 4);
  expect(learned).toEqual({ accepted: 0, dismissed: 3, from: "DataSource", unlearned: 0.9 });
  expect(await getFinding(ctx, other.id)).toMatchObject({ confidence: 0.9, learned: null });
  expect(await getFinding(ctx, dismissed[0]?.id ?? 0)).toMatchObject({ confidence: 0.9, learned: null });

  // It is no longer listed unless one asks for it, and stands where its confidence puts it.
  expect((await findingsOf(ctx, { dataSourceId: source.id, status: "Open" })).map(({ id }) => id)).toEqual([
    other.id,
  ]);
  const all = await findingsOf(ctx, { dataSourceId: source.id, status: "Open", minConfidence: 0.3 });
  expect(all.map(({ id }) => id).sort()).toEqual([left.id, other.id].sort());
  const [row] = await sql`select rank from findings where id = ${left.id}`;
  expect(row?.rank).toBeCloseTo(0.6074 * (2 / 2000), 6);
});

test("accepting what was dismissed before turns the answer round, from the same confidence", async () => {
  const left = await variant(source.id, "customers");
  const { id } = await variant(source.id, "a");
  await dismissFinding(ctx, { id });
  expect((await getFinding(ctx, left.id)).confidence).toBeCloseTo(0.8127, 4);
  await acceptFinding(ctx, { id });
  // logit(0.9) + 6 · 0.25 / 6.75
  const { confidence, learned } = await getFinding(ctx, left.id);
  expect(confidence).toBeCloseTo(0.9183, 4);
  expect(learned).toEqual({ accepted: 1, dismissed: 0, from: "DataSource", unlearned: 0.9 });
});

test("another data source of the project learns less, one of another project nothing", async () => {
  const [beside, elsewhere] = [await aDataSource({ projectId: source.projectId }), await aDataSource()];
  const [near, far] = [await variant(beside.id, "customers"), await variant(elsewhere.id, "customers")];
  await dismissFinding(ctx, { id: (await variant(source.id, "a")).id });
  const { confidence, learned } = await getFinding(ctx, near.id);
  // logit(0.9) − 6 · 0.36 / 6.86
  expect(confidence).toBeCloseTo(0.8679, 4);
  expect(learned).toMatchObject({ dismissed: 1, from: "Project" });
  expect(await getFinding(ctx, far.id)).toMatchObject({ confidence: 0.9, learned: null });
});

test("scans and what looks for faults without one follow the answers, and never twice", async () => {
  await sql.unsafe("drop schema if exists shop cascade; create schema shop");
  for (const statement of shop((name) => `shop.${name}`)) await sql.unsafe(statement);
  const tables = [{ schemaName: "shop", tableName: "customers" }];
  for (const name of "abcdefghijklmnopqrst") await variant(source.id, name, { status: "Dismissed" });
  const found = async () => {
    await scanned(ctx, source.id, tables);
    const asked = { dataSourceId: source.id, tableName: "customers", kind: "Variant" as const };
    expect(await findingsOf(ctx, asked)).toEqual([]);
    const [one] = await findingsOf(ctx, { ...asked, minConfidence: 0 });
    return { confidence: one?.confidence ?? 0, learned: one?.learned };
  };
  const first = await found();
  expect(first.learned).toMatchObject({ dismissed: 20, accepted: 0, from: "DataSource" });
  const logit = (share: number) => Math.log(share / (1 - share));
  // −6 · 18 / (18 + 6.5)
  expect(logit(first.confidence) - logit(first.learned?.unlearned ?? 0)).toBeCloseTo(-4.4082, 4);
  expect(await found()).toEqual(first);

  const table = {
    ...{
      schemaName: "shop",
      tableName: "customers",
      kind: "Table" as const,
      rowEstimate: 400,
      comment: null,
    },
    columns: ["id", "email", "country"].map((name) => ({
      ...{ name, type: name === "id" ? "integer" : "character varying" },
      ...{ nullable: name !== "id", comment: null, isPrimaryKey: name === "id" },
    })),
  };
  const { faults } = await findFaults(source.id, [table], [table], { totalMs: 60_000, priority: "person" });
  expect(faults.map(({ kind }) => kind)).toEqual(["MissingValue"]);
});
