import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { mysql as admin, asAdmin, mysqlConnection } from "../../../test/mysql.ts";
import type { Limits, Source } from "../engine.ts";
import { mysql } from "../mysql.ts";
import { type Flavor, rejectOtherFunctions } from "./functions.ts";

const remedy = "an Admin can allow it on the data source";
const judge = (sql: string, allowed: string[] = [], flavor?: Flavor) =>
  rejectOtherFunctions(sql, { allowed, defaultSchema: "Shop" }, flavor);

test.each([
  ["select load_file('/etc/passwd')", "load_file"],
  ["select LOAD_FILE /* */ ('/etc/passwd')", "load_file"],
  ["select `sys_exec`('id')", "sys_exec"],
  ["select mysql . Sys_Eval -- \n ('id')", "mysql.sys_eval"],
  ["select get_lock('a', 1)", "get_lock"],
  ["select release_all_locks()", "release_all_locks"],
  ["select nextval(numbers), setval(numbers, 5)", "nextval"],
  ["select master_pos_wait('a', 1)", "master_pos_wait"],
  ["select wait_for_executed_gtid_set('a')", "wait_for_executed_gtid_set"],
  ["select keyring_key_fetch('a')", "keyring_key_fetch"],
  ["select wipe()", "wipe"],
  ["select max(wipe(a)) from t", "wipe"],
  ["select * from t where (a) in (1) and wipe() = 1", "wipe"],
  // After a schema, even the name of a built-in function refers to a stored one.
  ["select shop.upper('a')", "shop.upper"],
  ["select `shop` . `count` (1)", "shop.count"],
  ["select `in`(1), `values`(2)", "in"],
])("%s is refused by name", (sql, name) => {
  expect(() => judge(sql)).toThrow(
    expect.objectContaining({ kind: "refused", message: `The function ${name} is not allowed: ${remedy}` }),
  );
});

test.each([
  "select count(*), max(a), group_concat(b order by c separator ','), if(a, b, c), coalesce(a, b) from t",
  "select sum(a) over (partition by b order by c rows between 1 preceding and current row), rank() over w from t window w as (order by a)",
  "select * from t where a in (1, 2) and exists (select 1) and b = any (select 2) and not (c) or (d) = all (select 3)",
  "with a (x, y) as (select 1, 2), b (z) as (select 3) select * from a join b using (x)",
  "with recursive n (n) as (select 1 union all select n + 1 from n where n < 3) select * from n",
  "select * from (select 1) as t (a), (select 2) u (b)",
  "select * from t use index (a) ignore index for join (b) where match (c) against ('d') limit 5",
  "select cast(a as decimal(10, 2)), cast(b as char(5)), convert(c, datetime(6)), convert(d using utf8mb4) from t partition (p0)",
  "select interval(1, 2), now() - interval (1) day, date_add(now(), interval 1 day), timestampdiff(day, a, b) from t",
  "select extract(year from a), substring(a from 1 for 2), trim(both ' ' from a), position('a' in b), left(a, 1) from t",
  "select * from json_table('[]', '$[*]' columns (a varchar(10) path '$.a', b int(5) path '$.b')) as j",
  "values (1), (2)",
  "select case (a) when (1) then (2) else (3) end, distinct_ from t group by (a) having (b) > 1",
  "select sleep(1), benchmark(1, 1), 'wipe()', \"wipe()\" /* wipe() */ # wipe()",
])("%s calls nothing but what is built in", (sql) => {
  expect(() => judge(sql)).not.toThrow();
});

test("an Admin allows functions by name, or by schema and name", () => {
  expect(() => judge("select wipe(), shop.Wipe()", ["wipe"])).not.toThrow();
  // A name without a schema is looked up in the data source's own database.
  expect(() => judge("select wipe(), SHOP.wipe()", ["shop.wipe"])).not.toThrow();
  expect(() => judge("select wipe()", ["other.wipe"])).toThrow("The function wipe is not allowed");
  expect(() => judge("select other.wipe()", ["shop.wipe"])).toThrow("The function other.wipe is not allowed");
});

test("a function built into only the other server is a stored function here", () => {
  expect(() => judge("select to_char(a), any_value(b) from t")).not.toThrow();
  expect(() => judge("select to_char(a) from t", [], "MySQL")).toThrow("to_char");
  expect(() => judge("select any_value(a) from t", [], "MariaDB")).toThrow("any_value");
  expect(() => judge("select to_char(a) from t", [], "MariaDB")).not.toThrow();
});

describe("on a server", () => {
  const ample: Limits = { timeoutMs: 10_000, maxRows: 10, maxBytes: 100_000 };
  let source: Source;

  beforeAll(async () => {
    await admin.query(`
      create table fares (amount integer);
      insert into fares values (100);
      create function tax(amount integer) returns integer deterministic return amount * 19 / 100;
      create function any_value(amount integer) returns integer deterministic return 1`);
    source = mysql.open(mysqlConnection);
  });
  afterAll(() => source.close());

  const read = (sql: string, from = source) =>
    from.session(async (session) => (await session.read({ sql, parameters: [] }, ample)).rows);

  test("a stored function runs once it is allowed", async () => {
    await expect(read("select tax(amount) from fares")).rejects.toMatchObject({ kind: "refused" });
    const other = mysql.open(mysqlConnection, { allowedFunctions: [`${mysqlConnection.database}.tax`] });
    try {
      expect(await read("select tax(amount) from fares", other)).toEqual([[19]]);
    } finally {
      await other.close();
    }
  });

  test("all of the server's own functions pass, except for those omitted on purpose", async () => {
    const [version] = (await asAdmin("select version()")).flat();
    if (!/mariadb/i.test(String(version))) return;
    await expect(read("select any_value(amount) from fares")).rejects.toMatchObject({ kind: "refused" });
    const names = (await asAdmin("select lower(function) from information_schema.sql_functions")).map(String);
    expect(names.length).toBeGreaterThan(200);
    const refused = names.filter((name) => {
      try {
        judge(`select ${name}(1)`, [], "MariaDB");
        return false;
      } catch {
        return true;
      }
    });
    // Waits, locks, files, and functions only available in another sql_mode.
    const leftOut =
      `concat_operator_oracle decode_oracle get_lock load_file lpad_oracle ltrim_oracle master_gtid_wait
      master_pos_wait release_all_locks release_lock replace_oracle rpad_oracle rtrim_oracle substr_oracle trim_oracle
      wsrep_sync_wait_upto_gtid`.split(/\s+/);
    expect(refused.filter((name) => !leftOut.includes(name))).toEqual([]);
  });
});
