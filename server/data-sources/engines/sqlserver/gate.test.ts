import { expect, test } from "vitest";
import { processorTimeOf } from "../../../test/processor-time.ts";
import { requireReadOnly } from "./gate.ts";

test.each([
  "select 1",
  "SELECT 1;",
  " select 1 ; -- done\r\n /* really */ ; ",
  "-- first\r\n/* then /* nested */ still */ with a as (select 1 as n) select * from a",
  "with a as (select 1 as n), b (n) as (select n from a union all select 2) select * from b union select 3",
  "((select 1)) union all (select 2)",
  "(select 1 union select 2) except select 3",
  "select ';', N'it''s; delete', \"a;\"\"drop\", [b]]; delete], '\\', 0x1F, 1e5, .5, 1.e, $5, @@version, #t.x from t",
  'select [into], [update], [delete], "exec" from deletions where updated_at > 1 and set_at is null',
  "select (select max(n) from t), case when exists (select 1) then 1 else 0 end from t with (nolock)",
  "select n from t order by n offset 10 rows fetch next 5 rows only option (maxdop 1)",
  "select row_number() over (partition by a order by b), count(*) from t cross apply (select 1 as x) as y",
  "select n from t where n > all (select n from u) and m in (select m from v)",
  "select 5--3;",
  // Only sounds like writing.
  "select output, go from t as go where output > 1",
  "select t.send, t . receive, q..throw, [t].[x].serializable from t",
  "select a.n from a inner merge join b on a.n = b.n left outer merge join c on c.n = a.n",
  "select n from t option (merge join, use hint ('FORCE_LEGACY_CARDINALITY_ESTIMATION'), maxdop 1)",
  "select * from t for json auto",
])("lets %j through", (sql) => {
  expect(() => requireReadOnly(sql)).not.toThrow();
});

const readsOnly = "Only read statements are allowed: SELECT or WITH";
const onlyOne = "Only one statement is allowed";
const no = (word: string) => `Only reading is allowed: no ${word}`;

test.each([
  ["", "The statement is empty"],
  [" -- nothing", "The statement is empty"],
  [";", "The statement is empty"],
  ["delete from flights", readsOnly],
  ["exec wipe", readsOnly],
  ["wipe", readsOnly],
  ["[wipe]", readsOnly],
  ["'select'", readsOnly],
  ["[select] 1", readsOnly],
  ["set nocount on select 1", readsOnly],
  ["values (1)", readsOnly],
  ["COMMIT; DELETE FROM flights", readsOnly],
  ["select 1; select 2", onlyOne],
  ["select 1; delete from flights", onlyOne],
  // One text may contain several statements with nothing between them.
  ["select 1 select 2", onlyOne],
  ["select (1) select 2", onlyOne],
  ["select 1 as a (select 2) select 3", onlyOne],
  ["(select 1) select 2", onlyOne],
  ["with a as (select 1 as n) select * from a select 2", onlyOne],
  ["with a as (select 1 as n select 2) select * from a", onlyOne],
  ["select 1 delete from flights", no("DELETE")],
  ["select 1 DELETE flights", no("DELETE")],
  ["select 'a'delete from flights", no("DELETE")],
  ["select [a]delete from flights", no("DELETE")],
  ["select 1/**/delete/**/from flights", no("DELETE")],
  ["select 1\u00a0delete\u3000from flights", no("DELETE")],
  ["select 1 \uff44\uff45lete from flights", no("DELETE")],
  ["select 1 /* ' /* */ -- */ delete from flights -- '", no("DELETE")],
  ["select '\\' delete from flights -- '", no("DELETE")],
  ['select "a\\" delete from flights -- "', no("DELETE")],
  ["select [a] [b] delete from flights -- ]", no("DELETE")],
  ["with a as (select 1 as n) delete from a", no("DELETE")],
  ["with a as (select 1 as n) merge flights using a on 1 = 1 when matched then delete;", no("MERGE")],
  ["select * into stolen from flights", no("INTO")],
  ["select * from flights insert flights values (1)", no("INSERT")],
  ["select * from (update flights set n = 1 output inserted.n) as x", no("UPDATE")],
  ["select 1 exec('drop table flights')", no("EXEC")],
  ["select 1 execute sp_configure", no("EXECUTE")],
  ["select 1 begin tran", no("BEGIN")],
  ["select 1 commit", no("COMMIT")],
  ["select 1 rollback drop table flights", no("ROLLBACK")],
  ["select 1 if 1 = 1 drop table flights", no("IF")],
  ["select 1 waitfor delay '01:00'", no("WAITFOR")],
  ["select 1 declare @x int", no("DECLARE")],
  ["select 1 set lock_timeout -1", no("SET")],
  ["select 1 use master", no("USE")],
  ["select 1 kill 51", no("KILL")],
  ["select 1 shutdown", no("SHUTDOWN")],
  ["select 1 dbcc freeproccache", no("DBCC")],
  ["select 1 backup database x to disk = 'x'", no("BACKUP")],
  ["select 1 grant control to public", no("GRANT")],
  ["select 1 disable trigger all on database", no("TRIGGER")],
  ["select 1 as a receive top (1) * from q", no("RECEIVE")],
  ["select 1\ngo\ndrop table flights", no("DROP")],
  ["select 1 as a merge flights using b on 1 = 1 when matched then delete;", no("MERGE")],
  ["select n from t option (maxdop 1) use master", no("USE")],
  ["select n from t option (maxdop (1)) merge flights", no("MERGE")],
  ["select 1 as a send on conversation 'x'", no("SEND")],
  // A lone $ is a number, after which a statement may start.
  ["select $.receive from q", no("RECEIVE")],
  ["select 1 . throw", no("THROW")],
  ["select * from openrowset(bulk '/etc/passwd', single_clob) as x", no("OPENROWSET")],
  ["select * from openquery(other, 'delete from t')", no("OPENQUERY")],
  ["select * from opendatasource('x', 'y').a.b.c", no("OPENDATASOURCE")],
  ["select xp_cmdshell", "Procedures are not allowed"],
  ["select 1 as a sp_who", "Procedures are not allowed"],
  ["select next value for s", "Sequences are not allowed"],
  ["select * from flights with (updlock)", "Only reading is allowed: no row locks"],
  ...["tablock", "tablockx", "xlock", "holdlock", "serializable", "repeatableread"].flatMap((hint) => [
    [`select * from flights (${hint})`, "Only reading is allowed: no row locks"],
    [`select * from flights with (nolock, ${hint})`, "Only reading is allowed: no row locks"],
  ]),
  ["select 1into stolen", "A number must not run into a word"],
  ["select 1.into stolen", "A number must not run into a word"],
  ["select $1into stolen", "A number must not run into a word"],
  ["select 0xabinto stolen from flights", "A number must not run into a word"],
  ["select 1 -- \r delete from flights", "A comment must end with an ordinary line break"],
  ["select 1 -- \u2028 delete from flights", "A comment must end with an ordinary line break"],
  ["select 'never ends", "A string is not finished"],
  ["select [never ends]]", "A name is not finished"],
  ['select "never ends""', "A name is not finished"],
  ["select 1 /* /* */", "A comment is not finished"],
  ["select 1\u0000", "The statement contains a NUL character"],
])("refuses %j", (sql, message) => {
  expect(() => requireReadOnly(sql)).toThrow(
    expect.objectContaining({ name: "SourceError", kind: "refused", message }),
  );
});

test("a long statement is judged in time proportional to its length", async () => {
  const time = await processorTimeOf(() => {
    expect(() => requireReadOnly(`select ${"(".repeat(500_000)}`)).not.toThrow();
    expect(() => requireReadOnly(`select '${"''".repeat(500_000)}'`)).not.toThrow();
    expect(() => requireReadOnly(`select [${"]]".repeat(500_000)}]`)).not.toThrow();
    expect(() => requireReadOnly(`select '${"x".repeat(1_000_000)}`)).toThrow("is not finished");
    expect(() => requireReadOnly(`select ${"/*".repeat(500_000)}`)).toThrow("is not finished");
  });
  expect(time).toBeLessThan(3000);
});
