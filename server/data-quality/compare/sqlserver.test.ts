import { expect, test } from "vitest";
import { sqlserver } from "../../data-sources/dialects/sqlserver.ts";
import type { Cell, Statement } from "../../data-sources/engines/engine.ts";
import { requireReadOnly } from "../../data-sources/engines/sqlserver/gate.ts";
import { type ComparedTables, compareTables } from "./compare-tables.ts";
import type { Side } from "./sides.ts";

/** The exact T-SQL of a comparison; it is not run here. */

const columns = [
  ["id", "bigint", "NO"],
  ["code", "nchar(5)", "YES"],
  ["name", "nvarchar(40)", "NO"],
  ["price", "decimal(10,2)", "NO"],
  ["paid", "bit", "NO"],
  ["at", "datetimeoffset(7)", "YES"],
  ["uid", "uniqueidentifier", "NO"],
  ["raw", "varbinary(10)", "NO"],
  ["rate", "float", "NO"],
];

async function statementsOf(configuration: ComparedTables["configuration"], others = columns) {
  const sent: string[] = [];
  const side = (name: Side["name"], own: string[][]): Side => ({
    ...{ name, dialect: sqlserver, target: { schemaName: "dbo", tableName: "odd]table" }, where: undefined },
    read: async ({ sql }: Statement) => {
      expect(() => requireReadOnly(sql)).not.toThrow();
      if (name === "this table") sent.push(sql.replace(/\s+/g, " "));
      const rows: Cell[][] = sql.includes("sys.columns") ? own : answers(sql);
      return { columns: [], rows, truncated: false, rowCount: rows.length };
    },
  });
  const answers = (sql: string): Cell[][] =>
    sql.startsWith("select min")
      ? [[1, 1000]]
      : sql.startsWith("select count_big(*) as n from")
        ? [["0"]]
        : [];
  await compareTables({
    sides: [side("this table", columns), side("the other table", others)],
    ...{ configuration, options: {}, otherName: "other", samples: "Off", timeoutMs: 10_000 },
  });
  return sent.slice(1);
}

const utf8 = (value: string) =>
  `cast(cast(${value} as nvarchar(max)) collate Latin1_General_100_BIN2_UTF8 as varchar(max))`;

test("rows by an integer key", async () => {
  const sent = await statementsOf({ by: "Rows", otherTable: "o", key: ["id"] });
  expect(sent[0]).toBe(
    "select min(checked.[id]) as first, max(checked.[id]) as last from [dbo].[odd]]table] as checked",
  );
  const code = utf8("rtrim(checked.[code])");
  const name = utf8("checked.[name]");
  const uid = utf8("lower(convert(varchar(36), checked.[uid]))");
  const parts = [
    "convert(varchar(50), checked.[id], 2)",
    `case when checked.[code] is null then '' else concat(convert(varchar(20), datalength(${code})), ':', ${code}) end`,
    `concat(convert(varchar(20), datalength(${name})), ':', ${name})`,
    "convert(varchar(50), checked.[price], 2)",
    "convert(varchar(50), checked.[paid], 2)",
    "case when checked.[at] is null then '' else replace(replace(rtrim(replace(replace(rtrim(replace(replace(left(convert(varchar(27), cast(switchoffset(checked.[at], '+00:00') as datetime2(7)), 121), 26), ' ', 'T'), '0', ' ')), ' ', '0'), '.', ' ')), ' ', '.'), 'T', ' ') end",
    uid,
    "lower(convert(varchar(max), checked.[raw], 2))",
    "case when checked.[rate] = 0 then '0' else convert(varchar(50), cast(checked.[rate] as float(53)), 3) end",
  ];
  expect(sent[1]).toBe(
    "select concat(cast(cut.part as nvarchar(max)), ':', cast(count_big(*) as nvarchar(max)), ':', " +
      "cast(cast(sum(cast(cut.hash as decimal(38, 0))) as varchar(50)) as nvarchar(max))) as counted " +
      "from ( select ((cast(checked.[id] as bigint)) - (1)) / 1 as part, " +
      `cast(substring(hashbytes('SHA2_256', concat(${parts.join(", '|', ")})), 1, 8) as bigint) & 1152921504606846975 as hash ` +
      "from [dbo].[odd]]table] as checked where checked.[id] >= 1 and checked.[id] <= 63 ) as cut group by cut.part",
  );
});

test("decimals of other places lose the zeros that end them", async () => {
  const others = columns.map(([name = "", type = "", nullable = ""]) => [
    name,
    name === "price" ? "money" : type,
    nullable,
  ]);
  const configuration = { by: "Rows" as const, otherTable: "o", key: ["uid"], columns: ["price"] };
  const [counted = ""] = await statementsOf(configuration, others);
  expect(counted).toContain(
    "replace(rtrim(replace(replace(rtrim(replace(convert(varchar(50), checked.[price], 2), '0', ' ')), ' ', '0'), '.', ' ')), ' ', '.')",
  );
  // The position is a hash of the key.
  expect(counted).toContain(
    `select (((cast(substring(hashbytes('SHA2_256', ${utf8("lower(convert(varchar(36), checked.[uid]))")}), 1, 8) as bigint) & 1152921504606846975)) - (0)) / 1125899906842624 as part`,
  );
});

test("aggregates by group", async () => {
  const [sent] = await statementsOf({
    ...{ by: "Aggregates", otherTable: "o", columns: ["price", "paid"], functions: ["Sum", "Max"] },
    groupBy: ["name"],
  });
  const name = utf8("checked.[name]");
  expect(sent).toBe(
    `select min(${name}) as g0, count_big(*) as a0, null as b0, ` +
      "cast(sum(checked.[price]) as varchar(50)) as a1, count_big(checked.[price]) as b1, " +
      "cast(max(checked.[price]) as varchar(50)) as a2, null as b2, " +
      "cast(sum(cast(checked.[paid] as decimal(38, 0))) as varchar(50)) as a3, count_big(checked.[paid]) as b3, " +
      "cast(max(cast(checked.[paid] as decimal(38, 0))) as varchar(50)) as a4, null as b4 " +
      `from [dbo].[odd]]table] as checked group by cast(cast(${name} as nvarchar(max)) as varbinary(max))`,
  );
});
