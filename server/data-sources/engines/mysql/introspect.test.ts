import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { mysql as admin, asAdmin, mysqlConnection } from "../../../test/mysql.ts";
import type { DatabaseSchema } from "../../database-schema.ts";
import { mysql } from "../mysql.ts";

const { database } = mysqlConnection;
/** Users, roles, and databases are shared by the whole server, so their names contain this file's database. */
const id = database.slice(-8);
const reader = `reader_${id}`;
const role = `role_${id}`;
const other = `other_${id}`;

beforeAll(async () => {
  await admin.query(`
    create table customers (
      id bigint unsigned primary key,
      email varchar(200) not null comment 'Where to write; ask first',
      discount decimal(5, 2) default 0
    ) comment 'Who buys';
    create table orders (
      customer_id bigint unsigned, line int, amount decimal(10, 2), ordered_at timestamp(3) null,
      primary key (customer_id, line), foreign key (customer_id) references customers (id)
    );
    create table shipments (
      customer_id bigint unsigned, line int,
      foreign key (customer_id, line) references orders (customer_id, line)
    );
    create view big_orders as select amount from orders where amount > 100;
    create database ${other};
    create table ${other}.secrets (n integer);
    create table ${mysql.dialect.quote("a.b`; drop table x -- \"'")} (${mysql.dialect.quote("the `column`.")} integer, ünï text);
    insert into customers with recursive s as (select 1 as n union all select n + 1 from s where n < 250)
      select n, concat('c', n), 0 from s;
    analyze table customers;
    create user ${reader}@'%' identified by 'only reads';
    grant select on ${database}.orders to ${reader}@'%';
    grant select (id) on ${database}.customers to ${reader}@'%';
    grant insert on ${database}.shipments to ${reader}@'%';
  `);
});

afterAll(async () => {
  await admin.query(`drop user ${reader}@'%'; drop database ${other}; drop role if exists ${role}`);
});

async function introspect(connection = mysqlConnection): Promise<DatabaseSchema["items"]> {
  const source = mysql.open(connection);
  try {
    return (await source.introspect()).items;
  } finally {
    await source.close();
  }
}

async function canWrite(user: string, password: string): Promise<boolean | undefined> {
  const source = mysql.open({ ...mysqlConnection, user, password });
  try {
    const tested = await source.test();
    expect(tested.serverVersion).toMatch(/^(MariaDB|MySQL) \d+(\.\d+)+$/);
    return tested.canWrite;
  } finally {
    await source.close();
  }
}

const tablesOf = (items: DatabaseSchema["items"], name = database) =>
  items.find(({ schemaName }) => schemaName === name)?.tables ?? [];

describe("introspection", () => {
  test("tables and views have their columns, keys, and comments", async () => {
    const tables = tablesOf(await introspect());
    expect(tables.map(({ tableName, kind }) => `${tableName} ${kind}`)).toEqual([
      "a.b`; drop table x -- \"' Table",
      "big_orders View",
      "customers Table",
      "orders Table",
      "shipments Table",
    ]);
    const plain = { comment: null, isPrimaryKey: false, nullable: true };
    const find = (name: string) => tables.find(({ tableName }) => tableName === name);
    const bigint = expect.stringMatching(/^bigint(\(20\))? unsigned$/);
    const integer = expect.stringMatching(/^int(\(11\))?$/);
    expect(find("customers")).toEqual({
      tableName: "customers",
      kind: "Table",
      rowEstimate: 250,
      comment: "Who buys",
      columns: [
        { ...plain, name: "id", type: bigint, nullable: false, isPrimaryKey: true },
        {
          ...plain,
          name: "email",
          type: "varchar(200)",
          nullable: false,
          comment: "Where to write; ask first",
        },
        { ...plain, name: "discount", type: "decimal(5,2)" },
      ],
    });
    expect(find("orders")?.columns).toEqual([
      {
        ...plain,
        name: "customer_id",
        type: bigint,
        nullable: false,
        isPrimaryKey: true,
        references: { schemaName: database, tableName: "customers", columnName: "id" },
      },
      { ...plain, name: "line", type: integer, nullable: false, isPrimaryKey: true },
      { ...plain, name: "amount", type: "decimal(10,2)" },
      { ...plain, name: "ordered_at", type: "timestamp(3)" },
    ]);
    // A composite foreign key is not a reference of either column.
    expect(find("shipments")?.columns).toEqual([
      { ...plain, name: "customer_id", type: bigint },
      { ...plain, name: "line", type: integer },
    ]);
    expect(find("big_orders")).toMatchObject({
      rowEstimate: null,
      comment: null,
      columns: [{ name: "amount" }],
    });
    expect(tables[0]?.columns.map(({ name }) => name)).toEqual(["the `column`.", "ünï"]);
  });

  test("the engine's own schemas are omitted, and so is what the login cannot read", async () => {
    const all = (await introspect()).map(({ schemaName }) => schemaName);
    expect(all).toEqual(expect.arrayContaining([database, other]));
    for (const own of ["information_schema", "mysql", "performance_schema", "sys"])
      expect(all).not.toContain(own);
    const items = await introspect({ ...mysqlConnection, user: reader, password: "only reads" });
    expect(items).toMatchObject([
      {
        schemaName: database,
        tables: [
          { tableName: "customers", columns: [{ name: "id" }] },
          { tableName: "orders", columns: [{}, {}, {}, {}] },
        ],
      },
    ]);
    expect(items[0]?.tables[0]?.columns).toHaveLength(1);
  });

  test("2,000 tables take seconds, not minutes", async () => {
    const columns =
      "(id integer primary key, a text, b text, c text, d decimal(10, 2), e date) engine = MyISAM";
    for (let first = 0; first < 2000; first += 200) {
      const names = Array.from({ length: 200 }, (_, n) => `${other}.t${first + n}`);
      await admin.query(names.map((name) => `create table ${name} ${columns};`).join("\n"));
    }
    const startedAt = performance.now();
    const items = await introspect();
    expect(performance.now() - startedAt).toBeLessThan(10_000);
    expect(tablesOf(items, other)).toHaveLength(2001);
  }, 180_000);
});

describe("whether the login can write", () => {
  const onlyReads = `only_${id}`;

  beforeAll(async () => {
    await admin.query(`
      create user ${onlyReads}@'%' identified by 'only reads';
      grant select, show view, create temporary tables on ${database}.* to ${onlyReads}@'%';
      create role ${role}`);
  });
  afterAll(async () => {
    await admin.query(`drop user ${onlyReads}@'%'`);
  });

  test("an administrator can, a login with only SELECT cannot", async () => {
    expect(await canWrite(mysqlConnection.user, mysqlConnection.password)).toBe(true);
    expect(await canWrite(onlyReads, "only reads")).toBe(false);
  });

  test("the right to insert into one table is enough", async () => {
    expect(await canWrite(reader, "only reads")).toBe(true);
  });

  test.each([
    ["update of one column", "update (amount)", `on ${database}.orders`],
    ["create in a database", "create", `on ${database}.*`],
    ["files", "file", "on *.*"],
    ["everything", "all privileges", `on ${database}.*`],
  ])("%s is enough", async (_, right, where) => {
    await admin.query(`grant ${right} ${where} to ${onlyReads}@'%'`);
    expect(await canWrite(onlyReads, "only reads")).toBe(true);
    await admin.query(`revoke ${right} ${where} from ${onlyReads}@'%'`);
    await admin.query(`grant select on ${database}.* to ${onlyReads}@'%'`);
    expect(await canWrite(onlyReads, "only reads")).toBe(false);
  });

  test("a role that it can assume counts by what it grants", async () => {
    await admin.query(`grant ${role} to ${onlyReads}@'%'; grant select on ${database}.* to ${role}`);
    expect(await canWrite(onlyReads, "only reads")).toBe(false);
    await admin.query(`grant delete on ${database}.orders to ${role}`);
    expect(await canWrite(onlyReads, "only reads")).toBe(true);
    await admin.query(`revoke ${role} from ${onlyReads}@'%'`);
  });

  test("names that look like privileges are names", async () => {
    const odd = mysql.dialect.quote("t` on x");
    await admin.query(`
      create table ${odd} (${mysql.dialect.quote("insert, on")} integer);
      grant select (${mysql.dialect.quote("insert, on")}) on ${database}.${odd} to ${onlyReads}@'%'`);
    expect(await canWrite(onlyReads, "only reads")).toBe(false);
    expect(await asAdmin("select 1")).toHaveLength(1);
  });
});
