import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sql } from "../../../db/client.ts";
import { ownConnection } from "../../../test/factories/data-sources.ts";
import type { DatabaseSchema } from "../../database-schema.ts";
import { postgresql } from "../postgresql.ts";

const { database } = ownConnection();
/** Roles are shared by the whole server, so their names contain this file's database. */
const reader = `${database}_reader`;
const owner = `${database}_owner`;

beforeAll(async () => {
  await sql.unsafe(`
    create schema shop;
    comment on schema shop is 'Everything sold';
    create domain shop.percent as numeric(5, 2) not null;
    create table shop.customers (
      id bigint primary key,
      email varchar(200) not null,
      discount shop.percent default 0,
      tags text[]
    );
    comment on table shop.customers is 'Who buys';
    comment on column shop.customers.email is 'Where to write; ask first';
    create table shop.orders (
      customer_id bigint references shop.customers (id),
      line integer,
      amount numeric(10, 2),
      ordered_at timestamp (3) with time zone,
      primary key (customer_id, line)
    );
    create table shop.shipments (
      customer_id bigint, line integer, dropped text,
      foreign key (customer_id, line) references shop.orders (customer_id, line)
    );
    alter table shop.shipments drop column dropped;
    create view shop.big_orders as select amount from shop.orders where amount > 100;
    create materialized view shop.totals as select sum(amount) as total from shop.orders;
    create table shop.events (at date) partition by range (at);
    create table shop.events_2024 partition of shop.events for values from ('2024-01-01') to ('2025-01-01');
    create table shop.nothing ();
    create schema "Odd "".schema";
    create table "Odd "".schema"."a.b""; drop table x --" ("the ""column""." integer, "ünï" text);
    create schema hidden;
    create table hidden.secrets (n integer);
    insert into shop.customers select n, 'c' || n from generate_series(1, 250) n;
    insert into shop.events select '2024-05-01' from generate_series(1, 40);
    analyze shop.customers; analyze shop.events_2024;
    create role ${reader} login password 'only reads';
    grant usage on schema shop to ${reader};
    grant select on shop.orders to ${reader};
    grant select (id) on shop.customers to ${reader};
    grant select on hidden.secrets to ${reader};
  `);
});

afterAll(async () => {
  await sql.unsafe(`drop owned by ${reader}; drop role ${reader}; drop role if exists ${owner}`);
});

async function introspect(connection = ownConnection()): Promise<DatabaseSchema["items"]> {
  const source = postgresql.open(connection);
  try {
    return (await source.introspect()).items;
  } finally {
    await source.close();
  }
}

async function canWrite(user: string, password: string): Promise<boolean | undefined> {
  const source = postgresql.open({ ...ownConnection(), user, password });
  try {
    const tested = await source.test();
    expect(tested.serverVersion).toMatch(/^PostgreSQL \d+(\.\d+)?(, TimescaleDB [\d.]+)?$/);
    return tested.canWrite;
  } finally {
    await source.close();
  }
}

describe("introspection", () => {
  test("tables and views have their columns, keys, and comments", async () => {
    const items = await introspect();
    const shop = items.find(({ schemaName }) => schemaName === "shop")?.tables ?? [];
    expect(shop.map(({ tableName, kind }) => `${tableName} ${kind}`)).toEqual([
      "big_orders View",
      "customers Table",
      "events Table",
      "nothing Table",
      "orders Table",
      "shipments Table",
      "totals View",
    ]);
    const plain = { comment: null, isPrimaryKey: false, nullable: true };
    expect(shop.find(({ tableName }) => tableName === "customers")).toEqual({
      tableName: "customers",
      kind: "Table",
      rowEstimate: 250,
      comment: "Who buys",
      columns: [
        { ...plain, name: "id", type: "bigint", nullable: false, isPrimaryKey: true },
        {
          ...plain,
          name: "email",
          type: "character varying(200)",
          nullable: false,
          comment: "Where to write; ask first",
        },
        { ...plain, name: "discount", type: "shop.percent", nullable: false },
        { ...plain, name: "tags", type: "text[]" },
      ],
    });
    expect(shop.find(({ tableName }) => tableName === "orders")?.columns).toEqual([
      {
        ...plain,
        name: "customer_id",
        type: "bigint",
        nullable: false,
        isPrimaryKey: true,
        references: { schemaName: "shop", tableName: "customers", columnName: "id" },
      },
      { ...plain, name: "line", type: "integer", nullable: false, isPrimaryKey: true },
      { ...plain, name: "amount", type: "numeric(10,2)" },
      { ...plain, name: "ordered_at", type: "timestamp(3) with time zone" },
    ]);
    // A composite foreign key is not a reference of either column, and a dropped column is gone.
    expect(shop.find(({ tableName }) => tableName === "shipments")?.columns).toEqual([
      { ...plain, name: "customer_id", type: "bigint" },
      { ...plain, name: "line", type: "integer" },
    ]);
    expect(shop.find(({ tableName }) => tableName === "nothing")?.columns).toEqual([]);
  });

  test("row counts are the server's estimates, for a partitioned table those of its partitions, or unknown", async () => {
    const shop = (await introspect()).find(({ schemaName }) => schemaName === "shop")?.tables;
    const estimates = Object.fromEntries(shop?.map((table) => [table.tableName, table.rowEstimate]) ?? []);
    expect(estimates).toMatchObject({ customers: 250, events: 40, orders: null, big_orders: null });
  });

  test("names with quotes and dots are returned unchanged, and can be quoted", async () => {
    const odd = (await introspect()).find(({ schemaName }) => schemaName === 'Odd ".schema');
    const [table] = odd?.tables ?? [];
    expect(table?.tableName).toBe('a.b"; drop table x --');
    expect(table?.columns.map(({ name }) => name)).toEqual(['the "column".', "ünï"]);
    const { quote } = postgresql.dialect;
    const source = postgresql.open(ownConnection());
    const columns = table?.columns.map(({ name }) => quote(name)).join(", ");
    const text = `select ${columns} from ${quote(odd?.schemaName ?? "")}.${quote(table?.tableName ?? "")}`;
    const result = await source.session((session) =>
      session.read({ sql: text, parameters: [] }, { timeoutMs: 5000, maxRows: 1, maxBytes: 1000 }),
    );
    expect(result.columns.map(({ name }) => name)).toEqual(['the "column".', "ünï"]);
    await source.close();
  });

  test("the engine's own schemas are omitted, and so is what the login cannot read", async () => {
    const all = (await introspect()).map(({ schemaName }) => schemaName);
    expect(all).toEqual(['Odd ".schema', "drizzle", "hidden", "public", "shop"]);
    const items = await introspect({ ...ownConnection(), user: reader, password: "only reads" });
    expect(items).toMatchObject([
      {
        schemaName: "shop",
        tables: [
          { tableName: "customers", columns: [{ name: "id" }] },
          { tableName: "orders", columns: [{}, {}, {}, {}] },
        ],
      },
    ]);
    expect(items[0]?.tables[0]?.columns).toHaveLength(1);
  });

  test("2,000 tables take seconds, not minutes", async () => {
    await sql`create schema wide`;
    const columns = "(id integer primary key, a text, b text, c text, d numeric, e date)";
    for (let first = 0; first < 2000; first += 200) {
      const names = Array.from({ length: 200 }, (_, n) => `wide.t${first + n}`);
      await sql.unsafe(names.map((name) => `create table ${name} ${columns};`).join("\n"));
    }
    const startedAt = performance.now();
    const items = await introspect();
    expect(performance.now() - startedAt).toBeLessThan(5000);
    expect(items.find(({ schemaName }) => schemaName === "wide")?.tables).toHaveLength(2000);
  });
});

describe("whether the login can write", () => {
  test("an administrator can, a login with only SELECT cannot", async () => {
    expect(await canWrite(ownConnection().user, ownConnection().password)).toBe(true);
    expect(await canWrite(reader, "only reads")).toBe(false);
  });

  test.each([
    [
      "insert on a table",
      `grant insert on shop.orders to ${reader}`,
      `revoke insert on shop.orders from ${reader}`,
    ],
    [
      "update of one column",
      `grant update (amount) on shop.orders to ${reader}`,
      `revoke update (amount) on shop.orders from ${reader}`,
    ],
    [
      "create in a schema",
      `grant create on schema shop to ${reader}`,
      `revoke create on schema shop from ${reader}`,
    ],
    [
      "create in the database",
      `grant create on database ${database} to ${reader}`,
      `revoke create on database ${database} from ${reader}`,
    ],
    [
      "a role that it may take on",
      `create role ${owner}; grant delete on shop.orders to ${owner}; alter role ${reader} noinherit;
       grant ${owner} to ${reader}`,
      `revoke ${owner} from ${reader}; drop owned by ${owner}; drop role ${owner}`,
    ],
  ])("%s is enough", async (_, grant, revoke) => {
    await sql.unsafe(grant);
    expect(await canWrite(reader, "only reads")).toBe(true);
    await sql.unsafe(revoke);
    expect(await canWrite(reader, "only reads")).toBe(false);
  });
});
