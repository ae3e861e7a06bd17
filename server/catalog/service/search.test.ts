import { eq, sql as statement } from "drizzle-orm";
import { afterAll, beforeEach, describe, expect, test, vi } from "vitest";
import type { z } from "zod";
import { actors } from "../../actors/tables.ts";
import type { SignedIn } from "../../auth/principal.ts";
import { tableScores } from "../../data-quality/evaluations/tables.ts";
import { evaluateContract } from "../../data-quality/service/evaluate.ts";
import { contracts } from "../../data-quality/tables.ts";
import type { DatabaseSchema } from "../../data-sources/database-schema.ts";
import { closeSources } from "../../data-sources/service/connected-sources.ts";
import { saveDescription } from "../../data-sources/service/descriptions.ts";
import { deleteDataSource, updateDataSource } from "../../data-sources/service/edit-data-sources.ts";
import { refreshSchema } from "../../data-sources/service/read-schema.ts";
import { catalogDescriptions, dataSourceSchemas } from "../../data-sources/tables.ts";
import { db, sql } from "../../db/client.ts";
import { archiveQuery } from "../../queries/service/archive.ts";
import { queries } from "../../queries/tables.ts";
import { anActor } from "../../test/factories/actors.ts";
import { aKey } from "../../test/factories/api-keys.ts";
import { aContract } from "../../test/factories/contracts.ts";
import { aDataSource, aProject, ownConnection } from "../../test/factories/data-sources.ts";
import { asAdmin, asViewer } from "../../test/factories/principals.ts";
import { aQuery } from "../../test/factories/queries.ts";
import { rest } from "../../test/rest-client.ts";
import { hitKinds, searchInput } from "../schema.ts";
import { catalogEntries, catalogWords } from "../tables.ts";
import { glanceAtCatalog, searchCatalog } from "./search.ts";

let source: Awaited<ReturnType<typeof aDataSource>>;
beforeEach(async () => {
  source = await aDataSource();
});
afterAll(closeSources);

type Tables = Record<string, { comment?: string; columns?: Record<string, string | null> }>;

/** As if introspection had just found these tables, with their columns and comments. */
async function hasRead(
  tables: Tables,
  { id, schemaName = "public" }: { id?: number; schemaName?: string } = {},
) {
  const items: DatabaseSchema["items"] = [
    {
      schemaName,
      tables: Object.entries(tables).map(([tableName, { comment = null, columns = {} }]) => ({
        ...{ tableName, kind: "Table", rowEstimate: null, comment },
        columns: Object.entries(columns).map(([name, comment]) => ({
          ...{ name, type: "text", nullable: true, comment, isPrimaryKey: false },
        })),
      })),
    },
  ];
  const found = { items, readAt: statement`clock_timestamp()` };
  await db
    .insert(dataSourceSchemas)
    .values({ dataSourceId: id ?? source.id, ...found })
    .onConflictDoUpdate({ target: dataSourceSchemas.dataSourceId, set: found });
}

type Filter = Partial<z.input<typeof searchInput>> & { ctx?: SignedIn };

const search = async (q: string, { ctx, ...filter }: Filter = {}) =>
  searchCatalog(
    ctx ?? (await asViewer({ projectIds: [source.projectId] })),
    searchInput.parse({ q, ...filter }),
  );

/** `Table orders`, `Column orders.id`, in the order of the hits. */
async function found(q: string, filter: Filter = {}): Promise<string[]> {
  const { items } = await search(q, filter);
  return items.map(
    ({ kind, name, tableName }) => `${kind} ${kind === "Column" ? `${tableName}.` : ""}${name}`,
  );
}

describe("results include", () => {
  test("tables, columns, queries, contracts, and actors, each with its location", async () => {
    await hasRead({ projects: { comment: "What belongs together", columns: { project_name: "Its name" } } });
    const query = await aQuery({ name: "Projects by name", description: "All of them", dataSource: source });
    const contract = await aContract({
      name: "Projects: daily",
      dataSourceId: source.id,
      tableName: "projects",
    });
    const actor = await anActor({
      name: "Projects watch",
      instructions: "Watch them",
      dataSourceId: source.id,
    });
    const place = { projectId: source.projectId, dataSourceId: source.id };
    const none = { id: null, schemaName: null, tableName: null, qualityScore: null };
    const table = { schemaName: "public", tableName: "projects" };
    const { items, ...page } = await search("project");
    expect(page).toEqual({ page: 0, pageSize: 100, totalCount: 5 });
    expect(items).toEqual(
      [
        {
          ...none,
          ...place,
          ...table,
          kind: "Table",
          name: "projects",
          description: "What belongs together",
        },
        {
          ...{ ...none, ...place, dataSourceId: null, kind: "Query", id: query.id },
          ...{ name: "Projects by name", description: "All of them" },
        },
        {
          ...none,
          ...place,
          ...table,
          kind: "Contract",
          id: contract.id,
          name: "Projects: daily",
          description: null,
        },
        {
          ...{ ...none, ...place, kind: "Actor", id: actor.id },
          ...{ name: "Projects watch", description: "Watch them" },
        },
        { ...none, ...place, ...table, kind: "Column", name: "project_name", description: "Its name" },
      ].sort(
        (a, b) =>
          items.findIndex(({ kind }) => kind === a.kind) - items.findIndex(({ kind }) => kind === b.kind),
      ),
    );
    expect(items.map(({ kind }) => kind).sort()).toEqual(["Actor", "Column", "Contract", "Query", "Table"]);
    for (const kind of hitKinds)
      expect((await search("project", { kind })).items.map((hit) => hit.kind)).toEqual([kind]);

    await evaluateContract(await asAdmin(), contract.id);
    expect((await search("projects", { kind: "Table" })).items).toMatchObject([{ qualityScore: 100 }]);
    // While its data source is unreachable, it is the last measured score.
    const latest = { score: 96.5, previousScore: null, evaluatedAt: "2026-03-01T06:00:00.000Z" };
    const outage = { since: "2026-03-01T07:00:00.000Z", reason: "Nothing answers" };
    await db.update(tableScores).set({ currentScore: 0, measured: { latest, outage } });
    expect((await search("projects", { kind: "Table" })).items).toMatchObject([{ qualityScore: 96.5 }]);
    expect((await search("projects", { kind: "Contract" })).items).toMatchObject([{ qualityScore: null }]);
  });

  test("objects that users have just created, renamed, described, or archived", async () => {
    const query = await aQuery({ name: "Late parcels", dataSource: source });
    expect(await found("parcels")).toEqual(["Query Late parcels"]);
    await db
      .update(queries)
      .set({ name: "Late letters", description: "Of the morning" })
      .where(eq(queries.id, query.id));
    expect(await found("parcels")).toEqual([]);
    expect(await found("letters")).toEqual(["Query Late letters"]);
    expect(await found("morning")).toEqual(["Query Late letters"]);
    await archiveQuery(await asAdmin(), { id: query.id });
    expect(await found("letters")).toEqual([]);
  });

  test("nothing archived, until it is restored", async () => {
    const contract = await aContract({ name: "Nightly load", dataSourceId: source.id });
    const actor = await anActor({ name: "Nightly watch", dataSourceId: source.id });
    expect(await found("nightly")).toEqual(["Contract Nightly load", "Actor Nightly watch"]);
    await db.update(contracts).set({ archivedAt: new Date() }).where(eq(contracts.id, contract.id));
    await db.update(actors).set({ archivedAt: new Date() }).where(eq(actors.id, actor.id));
    expect(await found("nightly")).toEqual([]);
    await db.update(contracts).set({ archivedAt: null }).where(eq(contracts.id, contract.id));
    expect(await found("nightly")).toEqual(["Contract Nightly load"]);
  });

  test("a schema as it was last read, however long ago", async () => {
    await hasRead({ parcels: {}, letters: {} });
    expect(await found("parcels")).toEqual(["Table parcels"]);
    await hasRead({ letters: { columns: { stamp: null } } });
    expect(await found("parcels")).toEqual([]);
    expect(await found("stamp")).toEqual(["Column letters.stamp"]);
  });

  test("a real data source's tables, but not after it is deleted or points elsewhere", async () => {
    await sql`create table public.lighthouses (id int primary key, height_m numeric)`;
    await sql`comment on column public.lighthouses.height_m is 'Above the water'`;
    const admin = await asAdmin();
    await refreshSchema(admin, source.id);
    expect(await found("lighthouse")).toEqual(["Table lighthouses"]);
    expect(await found("above water")).toEqual(["Column lighthouses.height_m"]);
    const connection = { ...ownConnection(), host: "localhost" };
    await updateDataSource(admin, { id: source.id, name: "Elsewhere", connection });
    expect(await found("lighthouse")).toEqual([]);
    await refreshSchema(admin, source.id);
    expect(await found("lighthouse")).toEqual(["Table lighthouses"]);
    await deleteDataSource(admin, source.id);
    expect(await found("lighthouse", { ctx: await asAdmin() })).toEqual([]);
    const left = await db.select().from(catalogEntries).where(eq(catalogEntries.sourceId, source.id));
    const words = await db.select().from(catalogWords).where(eq(catalogWords.dataSourceId, source.id));
    expect([left, words]).toEqual([[], []]);
  });

  test("people's descriptions of tables and columns, rather than the database's", async () => {
    await hasRead({ t1: { comment: "Legacy", columns: { c1: null } } });
    const admin = await asAdmin();
    const names = { id: source.id, schemaName: "public", tableName: "t1" };
    expect(await found("shipments")).toEqual([]);
    await saveDescription(admin, { ...names, description: "All shipments" });
    await saveDescription(admin, { ...names, columnName: "c1", description: "A shipment's weight" });
    expect((await search("shipments")).items).toMatchObject([
      { kind: "Table", description: "All shipments" },
    ]);
    expect(await found("weight")).toEqual(["Column t1.c1"]);
    expect(await found("legacy")).toEqual(["Table t1"]);
    await saveDescription(admin, { ...names, description: null });
    expect(await found("shipments")).toEqual([]);
    expect((await search("legacy")).items).toMatchObject([{ description: "Legacy" }]);
    // The description of a column that no longer exists.
    await hasRead({ t1: {} });
    expect(await found("weight")).toEqual([]);
    expect(await db.$count(catalogDescriptions, eq(catalogDescriptions.dataSourceId, source.id))).toBe(1);
  });

  test("a schema that is read again: only tables that have changed are indexed again, with their words", async () => {
    const entries = async () => {
      const rows = await db.select().from(catalogEntries).where(eq(catalogEntries.sourceId, source.id));
      return new Map(rows.map(({ id, tableName, kind, name }) => [`${tableName} ${kind} ${name}`, id]));
    };
    const words = async () => {
      const rows = await db.select().from(catalogWords).where(eq(catalogWords.dataSourceId, source.id));
      return rows.map(({ word }) => word).sort();
    };
    await hasRead({
      quays: { columns: { depth: null } },
      cranes: { columns: { depth: null, reach: null } },
      piers: { columns: { length: null } },
    });
    expect(await found("depth")).toHaveLength(2);
    expect(await words()).toEqual(["cranes", "depth", "length", "piers", "quays", "reach"]);
    const first = await entries();

    // Cranes have another column instead, piers are gone, and more rows make no difference.
    await hasRead({ quays: { columns: { depth: null } }, cranes: { columns: { weight: null } } });
    await db.execute(statement`
      update data_source_schemas set items = jsonb_set(items, '{0,tables,0,rowEstimate}', '70')
      where data_source_id = ${source.id}`);
    expect(await found("weight")).toEqual(["Column cranes.weight"]);
    expect(await found("piers")).toEqual([]);
    // Of what has gone, those remain that others have.
    expect(await words()).toEqual(["cranes", "depth", "quays", "weight"]);
    const second = await entries();
    const kept = ["quays Table quays", "quays Column depth"];
    expect(kept.map((key) => second.get(key))).toEqual(kept.map((key) => first.get(key)));
    expect([...second.keys()].sort()).toEqual(
      [...kept, "cranes Table cranes", "cranes Column weight"].sort(),
    );

    await saveDescription(await asAdmin(), {
      ...{ id: source.id, schemaName: "public", tableName: "cranes", description: "They lift" },
    });
    expect(await found("lift")).toEqual(["Table cranes"]);
    const third = await entries();
    expect(kept.map((key) => third.get(key))).toEqual(kept.map((key) => first.get(key)));
    expect(third.get("cranes Table cranes")).not.toBe(second.get("cranes Table cranes"));
    expect(await words()).toEqual(["cranes", "depth", "quays", "weight"]);
  });

  test("twenty concurrent searches keep one copy of each", async () => {
    await hasRead({ beacons: { columns: { id: null, beacon_colour: null } } });
    await aQuery({ name: "Beacon count", dataSource: source });
    const all = await Promise.all(Array.from({ length: 20 }, () => found("beacon")));
    for (const each of all)
      expect(each).toEqual(
        ["Query Beacon count", "Table beacons", "Column beacons.beacon_colour"].sort(byFirst(each)),
      );
    expect(await db.$count(catalogEntries, eq(catalogEntries.sourceId, source.id))).toBe(3);
  });
});

const byFirst = (order: readonly string[]) => (a: string, b: string) => order.indexOf(a) - order.indexOf(b);

describe("ranking", () => {
  test("the exact name, its beginning, its words, their beginnings, within a word, a typo, a description", async () => {
    await hasRead({
      harbour: {},
      harbours: {},
      harbour_fees: {},
      old_harbour: {},
      my_harbourmasters: {},
      innerharbourside: {},
      notes: { comment: "What happens in a harbour" },
    });
    expect(await found("harbour")).toEqual([
      "Table harbour",
      "Table harbours",
      "Table harbour_fees",
      "Table old_harbour",
      "Table my_harbourmasters",
      "Table innerharbourside",
      "Table notes",
    ]);
    const mistyped = await found("harbuor");
    expect([mistyped[0], mistyped.at(-1)]).toEqual(["Table harbour", "Table notes"]);
  });

  test("of names that match equally a table precedes what watches it, and columns come last", async () => {
    await hasRead({ berths: { columns: { berths: null } } });
    await aContract({ name: "Berths", dataSourceId: source.id, tableName: "berths" });
    await aQuery({ name: "berths", dataSource: source });
    await anActor({ name: "BERTHS", dataSourceId: source.id });
    expect(await found("Berths")).toEqual([
      ...["Table berths", "Query berths", "Contract Berths", "Actor BERTHS", "Column berths.berths"],
    ]);
  });

  test("pages have a stable order, and end", async () => {
    await hasRead({
      quays: { columns: Object.fromEntries(Array.from({ length: 25 }, (_, n) => [`quay_${n}`, null])) },
    });
    const pages = await Promise.all([0, 1, 2, 3].map((page) => search("quay", { page, pageSize: 10 })));
    expect(pages.map(({ items }) => items.length)).toEqual([10, 10, 6, 0]);
    expect(new Set(pages.flatMap(({ items }) => items.map(({ name }) => name))).size).toBe(26);
    expect(pages.map(({ totalCount }) => totalCount)).toEqual([26, 26, 26, 26]);
    const far = await search("quay", { page: 1_000_000_000, pageSize: 500 });
    expect(far).toEqual({ items: [], page: 1_000_000_000, pageSize: 500, totalCount: 26 });
    const farther = await search("quay", { page: Number.MAX_SAFE_INTEGER });
    expect(farther.items).toEqual([]);
  });
});

describe("names are identifiers", () => {
  beforeEach(() =>
    hasRead({
      customer_orders: { columns: { customer_id: null, shippedAt: null } },
      InvoiceLines: { columns: { lineTotal: null } },
    }),
  );

  test.each([
    ["customer orders", "Table customer_orders"],
    ["orders customer", "Table customer_orders"],
    ["customerorders", "Table customer_orders"],
    ["customerOrders", "Table customer_orders"],
    ["CUSTOMER-ORDERS", "Table customer_orders"],
    ["customerord", "Table customer_orders"],
    ["public.customer_orders", "Table customer_orders"],
    ["customer_orders.customer_id", "Column customer_orders.customer_id"],
    ["public.customer_orders.customer_id", "Column customer_orders.customer_id"],
    ["orders customer id", "Column customer_orders.customer_id"],
    ["invoice_lines", "Table InvoiceLines"],
    ["lines", "Table InvoiceLines"],
    ["invoicelines", "Table InvoiceLines"],
    ["shipped at", "Column customer_orders.shippedAt"],
    ["shipped_at", "Column customer_orders.shippedAt"],
    ["line total", "Column InvoiceLines.lineTotal"],
  ])("%s finds %s first", async (q, first) => {
    expect((await found(q))[0]).toBe(first);
  });

  test("a column does not match because of its table, nor a table because of its schema", async () => {
    expect(await found("invoice")).toEqual(["Table InvoiceLines"]);
    expect(await found("public")).toEqual([]);
  });

  test("all words must match", async () => {
    expect(await found("customer invoice")).toEqual([]);
  });
});

describe("typos", () => {
  test.each(["cusotmer_orders", "custmer orders", "customers ordrs", "Custommer Orders", "cutsomer odrers"])(
    "%s",
    async (q) => {
      await hasRead({ customer_orders: {}, invoices: {} });
      await aQuery({ name: "Customer orders by day", dataSource: source });
      expect(await found(q)).toEqual(["Table customer_orders", "Query Customer orders by day"]);
    },
  );

  test("are found in user-created objects if no table has such words", async () => {
    await aQuery({ name: "Lighthouse keepers", dataSource: source });
    await anActor({ name: "Lighthouse watch", dataSourceId: source.id });
    expect(await found("lightouse")).toEqual(
      ["Actor Lighthouse watch", "Query Lighthouse keepers"].sort(byFirst(await found("lightouse"))),
    );
    expect(await found("lightouse keeprs")).toEqual(["Query Lighthouse keepers"]);
  });

  test("are not assumed in an existing word: similar words are excluded", async () => {
    await hasRead({ rates: {}, dates: {} });
    expect(await found("rates")).toEqual(["Table rates"]);
    expect(await found("zates")).toEqual(["Table dates", "Table rates"]);
  });

  test("a word that only another project has does not hide the typo", async () => {
    await hasRead({ customers: {} });
    const other = await aDataSource();
    await hasRead({ cutsomers: {} }, { id: other.id });
    expect(await found("cutsomers")).toEqual(["Table customers"]);
  });

  test("without trigrams everything else is found", async () => {
    await hasRead({ signals: { columns: { signal_colour: null } }, weather_signals: {} });
    expect(await found("singals")).toHaveLength(2);
    // A process that has not seen the extension checks for it.
    vi.resetModules();
    await sql`drop extension pg_trgm cascade`;
    try {
      const { searchCatalog: without } = await import("./search.ts");
      const ctx = await asViewer({ projectIds: [source.projectId] });
      const names = async (q: string) =>
        (await without(ctx, searchInput.parse({ q }))).items.map(({ name }) => name);
      expect(await names("signals")).toEqual(["signals", "weather_signals"]);
      expect(await names("ignal")).toHaveLength(3);
      expect(await names("singals")).toEqual([]);
      expect(await names("%")).toEqual([]);
    } finally {
      await sql`create extension pg_trgm`;
    }
  });
});

describe("special characters", () => {
  test("like %, _, and operators only match themselves", async () => {
    await aQuery({ name: "Share in %", dataSource: source });
    await aQuery({ name: "Plain", dataSource: source });
    expect(await found("%")).toEqual(["Query Share in %"]);
    expect(await found("_")).toEqual([]);
    expect(await found("\\")).toEqual([]);
    expect(await found("share in %")).toEqual(["Query Share in %"]);
    for (const q of [
      "!plain",
      "plain & !share",
      "plain | nothing",
      "share <-> in",
      "pl:*",
      "'plain",
      "plain')); --",
      '"plain"',
    ])
      await expect.soft(search(q), q).resolves.toBeDefined();
    expect(await found("!plain")).toEqual(["Query Plain"]);
    expect(await found("plain | share")).toEqual([]);
    expect(await found("nothing | plain")).toEqual([]);
    expect(await found("pl%n")).toEqual([]);
    expect(await found("pla_n")).toEqual([]);
  });

  test("a literal match precedes an otherwise equal one", async () => {
    await aQuery({ name: "50 of them", dataSource: source });
    await aQuery({ name: "50% of them all", dataSource: source });
    expect(await found("50%")).toEqual(["Query 50% of them all", "Query 50 of them"]);
  });

  test("any script matches, in any case", async () => {
    await hasRead({ Größen: {}, 顧客注文: {}, заказы: {} });
    await aQuery({ name: "\u{1f680} launches", dataSource: source });
    expect(await found("größen")).toEqual(["Table Größen"]);
    expect(await found("GRÖSEN")).toEqual(["Table Größen"]);
    expect(await found("注文客")).toEqual([]);
    expect(await found("顧客")).toEqual(["Table 顧客注文"]);
    expect(await found("客注文")).toEqual(["Table 顧客注文"]);
    expect(await found("ЗАКАЗ")).toEqual(["Table заказы"]);
    expect(await found("\u{1f680}")).toEqual(["Query \u{1f680} launches"]);
  });

  test("long words and long comments cause no problems", async () => {
    const long = "x".repeat(10_000);
    await hasRead({
      blobs: { comment: `${long} ${"word ".repeat(100_000)}`, columns: { [long.slice(0, 128)]: long } },
    });
    expect(await found("blobs")).toEqual(["Table blobs"]);
    expect(await found("x".repeat(200))).toHaveLength(2);
    const [hit] = (await search("blobs")).items;
    expect([...(hit?.description ?? "")]).toHaveLength(301);
    expect(await found("word")).toEqual([]);
  });
});

describe("visibility", () => {
  test("only objects in projects that the caller can see are found", async () => {
    await hasRead({ anchors: { columns: { anchor_kg: null } } });
    await aContract({ name: "Anchors", dataSourceId: source.id, tableName: "anchors" });
    await aQuery({ name: "Anchors", dataSource: source });
    await anActor({ name: "Anchors", dataSourceId: source.id });
    const other = await aDataSource();
    await hasRead({ anchors_elsewhere: {} }, { id: other.id });
    expect(await found("anchors")).toHaveLength(4);
    expect(await found("anchor")).toHaveLength(5);
    const count = async (filter: Filter) => (await search("anchor", filter)).totalCount;
    expect(await count({ ctx: await asViewer({ projectIds: [other.projectId] }) })).toBe(1);
    expect(await count({ ctx: await asViewer({ projectIds: [] }) })).toBe(0);
    expect(await count({ ctx: await asViewer({ projectIds: [other.projectId, source.projectId] }) })).toBe(6);
    const all = await asViewer();
    expect(await count({ ctx: all })).toBe(6);
    expect(await count({ ctx: all, projectId: source.projectId })).toBe(5);
    expect(await count({ projectId: other.projectId })).toBe(0);
    expect(await count({ projectId: 2_000_000_000 })).toBe(0);
    const { items } = await glanceAtCatalog(await asViewer({ projectIds: [other.projectId] }), {
      q: "anchor",
    });
    expect(items.map(({ name }) => name)).toEqual(["anchors_elsewhere"]);
  });

  test("the short list has a few of each kind, however many there are of another", async () => {
    await hasRead({
      masts: { columns: Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`mast_${n}`, null])) },
    });
    await aQuery({ name: "Tallest masts", dataSource: source });
    const { items } = await glanceAtCatalog(await asViewer({ projectIds: [source.projectId] }), {
      q: "mast",
    });
    expect(Map.groupBy(items, ({ kind }) => kind).get("Column")).toHaveLength(6);
    expect(items.map(({ kind }) => kind)).toContain("Query");
  });
});

describe("by REST", () => {
  const get = async (query: string) =>
    rest("GET", `/search?${query}`, await aKey({ scopes: ["Read"], allowedProjectIds: [source.projectId] }));

  test("a Read key of one project", async () => {
    await hasRead({ parcels: {} });
    const other = await aProject();
    const { status, body } = await get("q=parcel&kind=Table&pageSize=5");
    expect([status, body.totalCount, body.items[0].name]).toEqual([200, 1, "parcels"]);
    expect((await get(`q=parcel&projectId=${other.id}`)).body.totalCount).toBe(0);
    expect((await get("q=parcel&page=1000000000")).body).toMatchObject({ items: [], totalCount: 1 });
  });

  test.each([
    "",
    "q=",
    "q=%20%09",
    `q=${"x".repeat(201)}`,
    "q=%00",
    "q=x&kind=Subscription",
    "q=x&page=-1",
    "q=x&page=1e3",
    "q=x&pageSize=0",
    "q=x&pageSize=501",
    "q=x&projectId=0",
    "q=x&limit=5",
    "q=x&q=y",
  ])("%j is a 400", async (query) => {
    expect((await get(query)).status).toBe(400);
  });
});
