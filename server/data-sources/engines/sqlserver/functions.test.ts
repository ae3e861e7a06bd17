import { expect, test } from "vitest";
import { FunctionRules } from "./functions.ts";

/** Judges the statement, with a catalog that contains functions of these names. */
function judge(sql: string, functions: readonly string[], allowed: readonly string[] = []): void {
  const inquiry = new FunctionRules(allowed).inquiryOn(sql);
  inquiry?.accept(
    inquiry.statement.parameters.filter((name) => functions.includes(String(name))).map((name) => [name]),
  );
}
const refusal = (name: string) => ({
  name: "SourceError",
  kind: "refused",
  message: `The function ${name} is not allowed: an Admin can allow it on the data source`,
});

const own = ["wipe", "sales", "value"];

test.each([
  "select count(*), sum(case when n in (1, 2) then 1 end), cast(n as decimal(5, 2)) from t where exists (select 1)",
  "select row_number() over (partition by a order by b) from (values (1)) as v (n)",
  "select doc.value('(/a)[1]', 'int'), t.place.STDistance(t.other) from orders as t (nolock)",
  "select * from sys.fn_my_permissions(null, 'DATABASE')",
  "select * from sys.dm_db_index_physical_stats(db_id(), null, null, null, 'LIMITED')",
  "select [wipe], wipe from t where 'wipe(' = \"sales\"",
])("lets %j through", (sql) => {
  expect(() => judge(sql, ["wipe", "sales"])).not.toThrow();
});

test.each([
  ["select dbo.wipe(1)", "dbo.wipe"],
  ["select [dbo] . [Wipe] /* so */ (1)", "dbo.wipe"],
  ["select * from sales(2024)", "sales"],
  ["select * from t cross apply dbo.sales(t.year) as s", "dbo.sales"],
  ["with s as (select dbo.wipe(1) as n) select * from s", "dbo.wipe"],
  // A user-defined function can have the name of a value's method.
  ["select dbo.value(1)", "dbo.value"],
  ["select * from sys.fn_dblog(null, null)", "sys.fn_dblog"],
  ["select * from fn_trace_gettable(N'x', 1)", "fn_trace_gettable"],
  ["select * from sys.dm_exec_sql_text(0x00)", "sys.dm_exec_sql_text"],
  ["select * from sys.[fn_trace_gettable](N'x', 1)", "sys.fn_trace_gettable"],
  ["select * from sys.dm_os_file_exists(N'/etc/passwd')", "sys.dm_os_file_exists"],
  ["select * from sys.dm_os_enumerate_filesystem(N'/etc', N'*')", "sys.dm_os_enumerate_filesystem"],
  // This database's catalog says nothing about another's.
  ["select other.dbo.harmless(1)", "other.dbo.harmless"],
  ["select other..harmless(1)", "other.harmless"],
])("refuses %j", (sql, name) => {
  expect(() => judge(sql, own)).toThrow(expect.objectContaining(refusal(name)));
});

test("a function that an Admin has allowed can be called, in any schema or only in the one named", () => {
  expect(() => judge("select dbo.wipe(1), hr.wipe(2)", own, ["wipe"])).not.toThrow();
  expect(() => judge("select dbo.wipe(1)", own, ["dbo.wipe"])).not.toThrow();
  expect(() => judge("select hr.wipe(1)", own, ["dbo.wipe"])).toThrow(
    expect.objectContaining(refusal("hr.wipe")),
  );
  expect(() => judge("select * from sys.fn_dblog(null, null)", own, ["sys.fn_dblog"])).not.toThrow();
});

test("the catalog is queried once per name, and not at all if no function is called", () => {
  const rules = new FunctionRules();
  expect(rules.inquiryOn("select n from t where n > 1")).toBeNull();
  const first = rules.inquiryOn("select count(*), dbo.wipe(1) from t");
  expect(first?.statement.parameters).toEqual(["count", "wipe"]);
  expect(() => first?.accept([["wipe"]])).toThrow(expect.objectContaining(refusal("dbo.wipe")));
  expect(rules.inquiryOn("select count(*) from t")).toBeNull();
  expect(() => rules.inquiryOn("select dbo.wipe(1)")).toThrow(expect.objectContaining(refusal("dbo.wipe")));
});

test("a name with a doubled bracket is looked up by its actual name", () => {
  const inquiry = new FunctionRules().inquiryOn("select dbo.[odd]]name](1)");
  expect(inquiry?.statement.parameters).toEqual(["odd]name"]);
});
