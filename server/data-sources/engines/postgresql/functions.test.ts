import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { sql } from "../../../db/client.ts";
import { ownConnection } from "../../../test/factories/data-sources.ts";
import type { Limits, Source } from "../engine.ts";
import { postgresql } from "../postgresql.ts";
import { FunctionRules } from "./functions.ts";

/** On a real server, with extensions and functions that must not be called. */
const ample: Limits = { timeoutMs: 10_000, maxRows: 10, maxBytes: 100_000 };
let source: Source;

beforeAll(async () => {
  await sql.unsafe(`
    create extension tablefunc;
    create extension dblink;
    create extension if not exists pg_trgm;
    create extension citext;
    create extension "uuid-ossp";
    create extension tsm_system_rows;
    -- xml2 is not everywhere; what it does does not matter here.
    create function xpath_table(text, text, text, text, text) returns text stable language sql as 'select $3';

    create schema shop;
    create table shop.orders (id integer primary key, amount numeric);
    insert into shop.orders values (1, 10.5);
    create function shop.wipe() returns integer language plpgsql as $$ begin delete from shop.orders; return 1; end $$;
    create function shop.tax(numeric) returns numeric immutable language sql as 'select $1 * 0.19';
    -- As PostgREST has people write them: an attribute of a row, one of them named like a table and one like a column.
    create function public.first_line(shop.orders) returns integer volatile language sql as 'select 1';
    create function public.anything(record) returns integer language plpgsql as 'begin return 1; end';
    create function public.orders(shop.orders) returns integer stable language sql as 'select 1';
    create function public.amount(shop.orders) returns integer volatile language sql as 'select 1';
    create function public.length(shop.orders) returns integer language sql as 'select 1';
    create function public."Ünique"() returns integer language sql as 'select 1';
    create function public.${"x".repeat(63)}() returns integer language sql as 'select 1';
    create function shop.equals(integer, text) returns boolean volatile language sql as 'select true';
    create operator shop.=== (leftarg = integer, rightarg = text, function = shop.equals);
    create function shop.matches(integer, text) returns boolean immutable language sql as 'select true';
    create operator shop.=~= (leftarg = integer, rightarg = text, function = shop.matches);
    create type shop.money_text as (value text);
    create function shop.to_money(integer) returns shop.money_text volatile language sql as $$ select row('1')::shop.money_text $$;
    create cast (integer as shop.money_text) with function shop.to_money(integer);
    create view shop.seen as select shop.tax(amount) as tax, clock_timestamp() from shop.orders;`);
  source = postgresql.open(ownConnection());
});
afterAll(() => source.close());

const read = (text: string, from = source) =>
  from.session((session) => session.read({ sql: text, parameters: [] }, ample));

const remedy = "an Admin can allow it on the data source";
const refusal = (name: string) => ({
  kind: "refused",
  message: `The function ${name} is not allowed: ${remedy}`,
});

describe("rejected by name", () => {
  test.each([
    ["select * from crosstab('select 1, 2, 3') as t(a int, b int)", "public.crosstab"],
    ["select * from crosstab2('select lo_create(0)::text, 1::text, 2::text')", "public.crosstab2"],
    ["select * from crosstab4('select 1')", "public.crosstab4"],
    ["select * from connectby('orders', 'id', 'id', '1', 0) as t(a int, b int, c int)", "public.connectby"],
    ["select * from xpath_table('id', 'doc', 'orders', '/a', 'true') as t(a int)", "public.xpath_table"],
    ["select dblink_exec('dbname=x', 'delete')", "public.dblink_exec"],
    ["select pg_advisory_lock(1)", "pg_advisory_lock"],
    ["select pg_try_advisory_xact_lock_shared(1)", "pg_try_advisory_xact_lock_shared"],
    ["select pg_stat_reset_shared('io')", "pg_stat_reset_shared"],
    ["select pg_log_backend_memory_contexts(1)", "pg_log_backend_memory_contexts"],
    ["select * from pg_ls_logicalmapdir()", "pg_ls_logicalmapdir"],
    ["select * from pg_catalog . LO_Create /* */ -- \n (0)", "lo_create"],
    ["select \"set_config\"('statement_timeout', '0', false)", "set_config"],
    ["select query_to_xml('select 1', true, true, '')", "query_to_xml"],
    ["select * from ts_stat('select to_tsvector(''a'')')", "ts_stat"],
    ["select ts_rewrite('a'::tsquery, 'select 1')", "ts_rewrite"],
    ["with a as (select 1) select nextval('s') from a", "nextval"],
    ["select shop.wipe()", "shop.wipe"],
    ['select "shop" . "wipe" ( )', "shop.wipe"],
    ["select 1 from shop.orders order by (select shop.wipe())", "shop.wipe"],
    ["select shop.tax(amount) from shop.orders", "shop.tax"],
    ["select o.first_line from shop.orders o", "public.first_line"],
    ["select (o).first_line from shop.orders o", "public.first_line"],
    ["select (select o from shop.orders o limit 1).anything", "public.anything"],
    ["select length('of text') as a", "public.length"],
    ['select "Ünique"()', "public.Ünique"],
    [`select ${"x".repeat(70)}()`, `public.${"x".repeat(63)}`],
  ])("%s", async (text, name) => {
    await expect(read(text)).rejects.toMatchObject(refusal(name));
    await expect(
      source.session(async (session) => session.check?.({ sql: text, parameters: [] }, { timeoutMs: 5000 })),
    ).rejects.toMatchObject(refusal(name));
  });

  test.each([
    ["select 1 operator(shop.===) 'a'", "The operator === calls the function shop.equals"],
    ["select 1::shop.money_text", "A cast to shop.money_text calls the function shop.to_money"],
    [
      'select cast(id as shop."money_text") from shop.orders',
      "A cast to shop.money_text calls the function shop.to_money",
    ],
  ])("%s", async (text, message) => {
    await expect(read(text)).rejects.toMatchObject({
      kind: "refused",
      message: `${message}, which is not allowed: ${remedy}`,
    });
  });
});

test.each([
  "select count(*), max(amount), percentile_cont(0.5) within group (order by amount) from shop.orders",
  "select count(*) filter (where id > 0), sum(id) over (partition by amount order by id) from shop.orders group by grouping sets ((id, amount))",
  "select 1 where 1 in (1) and exists (values (1)) and 1 = any (array[1]) and 2 = all (array(select 2))",
  "select cast('a' as varchar(10)), 1.5::numeric(10, 2), interval(0) '1 day', '1'::bit(3), '12:00'::time(3)",
  "select extract(year from now()), substring('abc' from 1 for 2), position('a' in 'abc'), trim(both ' ' from ' a '), overlay('abc' placing 'x' from 2)",
  "with recursive a(x) as (select 1 union all select x + 1 from a where x < 3) select * from a as b(y) join a as c using (x)".replace(
    "b(y) join a as c",
    "b join a as c",
  ),
  "select row(1, 2), (row(1, 2)).f1, coalesce(null, 1), nullif(1, 2), greatest(1, 2), current_date, current_user, current_timestamp(0)",
  "select * from generate_series(1, 3) with ordinality as g(n, place), unnest(array[1, 2]) as u(n), jsonb_to_recordset('[{\"a\": 1}]') as r(a int)",
  "select random() < 2, clock_timestamp() > now(), gen_random_uuid() is not null, pg_sleep(0), pg_total_relation_size('shop.orders') > 0",
  "select * from shop.orders tablesample bernoulli(50)",
  "select similarity('abc', 'abd'), 'a'::citext = 'A', uuid_generate_v4() is null, 'abc' % 'abd'",
  "select * from shop.orders tablesample system_rows(1)",
  "select o.id, o.amount from shop.orders o where 1 operator(shop.=~=) 'a'",
  "select * from shop.seen",
  "select pg_catalog.length('of text')",
  "select 'shop.wipe()', $$ nextval('s') $$ -- lo_create(0)",
])("lets through: %s", async (text) => {
  await expect(read(text)).resolves.toMatchObject({ truncated: false });
});

test("of PostgreSQL's own functions, no volatile one passes unless listed here", async () => {
  const functions = await sql<{ name: string; volatile: boolean }[]>`
    select proname as name, bool_or(provolatile = 'v') as volatile from pg_proc
    where pronamespace = 'pg_catalog'::regnamespace and proname <> 'length' group by proname`;
  expect(functions.length).toBeGreaterThan(2000);
  const rules = new FunctionRules();
  const calls = functions.map(({ name }) => `"${name}"(1)`);
  const inquiry = rules.inquiryOn(`select ${calls.join(", ")}`);
  const rows = await sql.unsafe(inquiry?.sql ?? "");
  expect(() => inquiry?.accept(rows)).toThrow("is not allowed");

  const passes = ({ name }: { name: string }) => {
    try {
      return rules.inquiryOn(`select "${name}"(1)`) === null;
    } catch (error) {
      expect(error).toMatchObject(refusal(name));
      return false;
    }
  };
  expect(functions.filter((each) => !each.volatile && !passes(each))).toEqual([]);
  // Newer servers have more of these.
  const known = `array_sample array_shuffle bernoulli clock_timestamp gen_random_uuid pg_blocking_pids
    pg_current_wal_flush_lsn pg_current_wal_insert_lsn pg_current_wal_lsn pg_database_size
    pg_get_wal_replay_pause_state pg_indexes_size pg_is_in_recovery pg_is_wal_replay_paused
    pg_last_wal_receive_lsn pg_last_wal_replay_lsn pg_last_xact_replay_timestamp pg_partition_ancestors
    pg_partition_tree pg_relation_size pg_safe_snapshot_blocking_pids pg_sequence_last_value pg_sleep pg_sleep_for
    pg_sleep_until pg_table_size pg_tablespace_size pg_total_relation_size pg_xact_commit_timestamp random
    random_normal system timeofday uuidv4 uuidv7`.split(/\s+/);
  const passing = functions.filter((each) => each.volatile && passes(each)).map(({ name }) => name);
  expect(passing.filter((name) => !known.includes(name))).toEqual([]);
  expect(passing).toContain("pg_sleep");
});

describe("functions that an Admin allows", () => {
  test.each([[["shop.tax"]], [["tax"]], [["shop.wipe", "public.ünique", "shop.tax"]]])(
    "%j",
    async (allowedFunctions) => {
      const other = postgresql.open(ownConnection(), { allowedFunctions });
      try {
        expect((await read("select shop.tax(100)", other)).rows).toEqual([["19.00"]]);
        if (!allowedFunctions.includes("shop.wipe"))
          await expect(read("select shop.wipe()", other)).rejects.toMatchObject(refusal("shop.wipe"));
        // Allowed or not, the transaction is read-only.
        else await expect(read("select shop.wipe()", other)).rejects.toMatchObject({ kind: "statement" });
      } finally {
        await other.close();
      }
    },
  );

  test("apply to operators and casts, too", async () => {
    const other = postgresql.open(ownConnection(), { allowedFunctions: ["shop.equals", "to_money"] });
    try {
      const { rows } = await read("select 1 operator(shop.===) 'a', (1::shop.money_text).value", other);
      expect(rows).toEqual([[true, "1"]]);
    } finally {
      await other.close();
    }
  });
});

describe("queries to the server", () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["Date"] });
    return () => vi.useRealTimers();
  });

  test("happen once a minute per name, and otherwise not at all", async () => {
    const rules = new FunctionRules();
    const ask = async (text: string) => {
      const inquiry = rules.inquiryOn(text);
      inquiry?.accept(await sql.unsafe(inquiry.sql));
      return inquiry !== null;
    };
    expect(await ask("select count(*) from shop.orders")).toBe(true);
    expect(await ask("select count(*) from shop.orders o where o.id = 1 or count(id) = 2")).toBe(true);
    expect(await ask("select count(*) from shop.orders o where o.id = 2")).toBe(false);
    await sql.unsafe("create function shop.late() returns integer language sql as 'select 1'");
    await sql.unsafe("create function public.count(text) returns integer language sql as 'select 1'");
    expect(await ask("select count(*) from shop.orders")).toBe(false);
    vi.advanceTimersByTime(60_001);
    await expect(ask("select count(*) from shop.orders")).rejects.toMatchObject(refusal("public.count"));
    await expect(ask("select shop.late()")).rejects.toMatchObject(refusal("shop.late"));
    expect(() => rules.inquiryOn("select shop.late()")).toThrow("shop.late");
    await sql.unsafe("drop function public.count(text)");
  });

  test("are bounded in the number of names", () => {
    const names = Array.from({ length: 5001 }, (_, n) => `f${n}()`);
    expect(() => new FunctionRules().inquiryOn(`select ${names.join()}`)).toThrow("too many functions");
  });
});

test("the product's own SQL is not checked for function calls", async () => {
  const own = { sql: "select length('of text') as length", parameters: [], ownSql: true };
  expect((await source.session((session) => session.read(own, ample))).rows).toEqual([[7]]);
});
