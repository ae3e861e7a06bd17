import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { DuckDBInstance } from "@duckdb/node-api";
import { afterAll, beforeAll, expect, test } from "vitest";
import { scanLocally } from "../service/scan-locally.ts";
import { openFile } from "./file-source.ts";
import { csv, faulty, inShort, orders, plantedInFile } from "./orders.fixture.ts";

/** Files of every kind, read as a scan of them reads them. */

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "plumbline-files-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const file = (name: string, content: string | Uint8Array) => {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
};
const scan = (target: string) =>
  scanLocally({ target, tables: [], minConfidence: 0.8, isFull: false, onProgress: () => {} });

const dayAfter = (days: number) =>
  new Date(Date.UTC(2024, 0, 1) + days * 86_400_000).toISOString().slice(0, 10);

const jsonLines = () =>
  faulty()
    .trim()
    .split("\n")
    .slice(1)
    .map((line) => {
      const [id, order_no, price, city, placed] = line.split(",");
      return JSON.stringify({ id: Number(id), order_no, price, city, placed });
    })
    .join("\n");

async function aParquetFile() {
  const connection = await (await DuckDBInstance.create(":memory:")).connect();
  const [from, to] = [file("source.csv", faulty()), join(folder, "orders.parquet")];
  await connection.run(`copy (from read_csv('${from}')) to '${to}' (format parquet)`);
  connection.closeSync();
  return to;
}

test.each<[string, () => Promise<string> | string]>([
  ["commas", () => file("orders.csv", faulty())],
  ["tabs", () => file("orders.tsv", faulty().replaceAll(",", "\t"))],
  ["semicolons", () => file("semicolons.csv", faulty().replaceAll(",", ";"))],
  ["lines that end as on Windows", () => file("windows.csv", faulty().replaceAll("\n", "\r\n"))],
  ["UTF-16", () => file("utf16.csv", Buffer.from(`\ufeff${faulty()}`, "utf16le"))],
  ["JSON lines", () => file("orders.jsonl", jsonLines())],
  ["Parquet", aParquetFile],
  ["a name with a quote", () => file("it's 50% [new].csv", faulty())],
])("of %s, what is planted is found", async (_, make) => {
  const { findings, notes } = await scan(await make());
  expect(inShort(findings)).toEqual(plantedInFile);
  expect(notes).toEqual([]);
});

// The sample's row counts from 1.
test("columns that stay texts because of a few values are compared as the numbers and dates that the others are", async () => {
  const rows = Array.from({ length: 500 }, (_, index) => {
    const day = (index * 7) % 200;
    const price = index === 77 ? "abc" : index === 300 ? "48000.5" : `${20 + ((index * 13) % 60)}.5`;
    const opened = index === 40 ? "01/02/2024" : dayAfter(day);
    return [index, price, opened, dayAfter(index === 350 ? day - 30 : day + 1 + (index % 9))].join();
  });
  const { findings } = await scan(file("cases.csv", `id,price,opened,closed\n${rows.join("\n")}\n`));
  expect(inShort(findings)).toEqual([
    ["Format", "opened", ["41"]],
    ["Impossible", "opened", ["351"]],
    ["OutOfRange", "price", ["301"]],
    ["Type", "price", ["78"]],
  ]);
});

test("a total that is not the sum of its parts is found: columns without a bad value are numbers", async () => {
  const rows = orders((order, id) => {
    const [price, quantity] = [20 + ((id * 13) % 60), 1 + (id % 7)];
    order.price = `${price}.50`;
    order.quantity = `${quantity}`;
    order.total = ((price + 0.5) * quantity + (id === 400 ? 10 : 0)).toFixed(2);
  });
  const { findings } = await scan(file("totals.csv", csv(rows)));
  expect(findings).toMatchObject([{ kind: "Impossible", columns: ["total"], failingRows: 1 }]);
  expect(inShort(findings)[0]?.[2]).toEqual(["400"]);
});

test("a Parquet file is read where it is, within a limit of memory; one with a column of DuckDB's own name is copied", async () => {
  const facts = async (target: string) => {
    const source = await openFile(target);
    try {
      return await source.withSession(async (session) => {
        const sql =
          "select current_setting('memory_limit') as m, count(*)::integer as copies from duckdb_tables()";
        return (
          await session.read({ sql, parameters: [] }, { timeoutMs: 5_000, maxRows: 1, maxBytes: 1_000 })
        ).rows;
      });
    } finally {
      source.close();
    }
  };
  expect(await facts(await aParquetFile())).toEqual([["512.0 MiB", 0]]);
  const connection = await (await DuckDBInstance.create(":memory:")).connect();
  const own = join(folder, "own.parquet");
  await connection.run(
    `copy (select n as FILE_ROW_NUMBER from range(5) as t(n)) to '${own}' (format parquet)`,
  );
  connection.closeSync();
  expect(await facts(own)).toEqual([["512.0 MiB", 1]]);
});

test("codes with leading zeros stay codes, and a word among days is no date", async () => {
  const rows = orders((order, id) => {
    order.code = `00${10_000 + id}`;
    if (id === 77) order.placed = "soon";
  });
  const { findings } = await scan(file("dates.csv", csv(rows)));
  expect(findings).toMatchObject([{ kind: "Type", columns: ["placed"] }]);
  expect(findings[0]?.statement).toContain("“soon”");
});

test("lines of too few or too many values are left out, and told", async () => {
  const lines = faulty().split("\n");
  lines[700] = "700,ORD-100700";
  lines[800] = `${lines[800]},more`;
  const { findings, rowsRead, notes } = await scan(file("torn.csv", lines.join("\n")));
  expect([findings.length, rowsRead]).toEqual([4, 998]);
  expect(notes).toEqual([expect.stringMatching(/^2 lines were not read, the first is line 701: /)]);
});

test("Latin-1 keeps its letters", async () => {
  const rows = orders((order, id) => {
    order.city = id === 333 ? "mÜnchen" : (["München", "Köln", "Hof"][id % 3] ?? "");
  });
  const { findings, notes } = await scan(file("latin.csv", Buffer.from(csv(rows), "latin1")));
  expect(notes).toEqual([]);
  expect(findings).toMatchObject([{ kind: "Variant" }]);
  expect(findings[0]?.statement).toContain("“mÜnchen” for “München”");
});

test("what Windows writes keeps its dashes and quotes", async () => {
  // In Windows-1252, which has signs where Latin-1 has none: \x93 is “, \x94 is ”, \x96 is –, \xfc is ü.
  const rows = orders((order, id) => {
    order.city =
      id === 333 ? "m\xfcnchen \x96 \x93Ost\x94" : (["M\xfcnchen \x96 \x93Ost\x94", "K\xf6ln"][id % 2] ?? "");
  });
  const { findings, notes } = await scan(file("windows.csv", Buffer.from(csv(rows), "latin1")));
  expect(notes).toEqual([]);
  expect(findings.map(({ statement }) => statement)).toEqual([
    expect.stringContaining("“münchen – “Ost”” for “München – “Ost””"),
  ]);
});

test("a column that is called row keeps its name", async () => {
  const rows = orders((order, id) => {
    order.row = id === 500 ? "" : `${id}`;
  });
  const { findings } = await scan(file("rows.csv", csv(rows)));
  expect(findings.map(({ kind, columns }) => [kind, columns])).toEqual([["MissingValue", ["row"]]]);
  expect(findings[0]?.sample?.columns.slice(0, 2)).toMatchObject([{ name: "row number" }, { name: "row" }]);
  expect(inShort(findings)[0]?.[2]).toEqual(["500"]);
});

test.each<[string, string, number]>([
  ["one row", "id,name\n1,Ann\n", 1],
  ["a header alone", "id,name\n", 0],
  ["no header", "1,2024-01-01\n2,2024-01-02\n", 2],
  ["one word", "word", 0],
  ["the same name twice, and none", "a,a,\n1,2,3\n4,5,6\n", 2],
  ["values over several lines", 'id,note\n1,"a\nb"\n2,"c ""d"""\n', 2],
])("with %s, nothing is wrong", async (_, content, rows) => {
  const { findings, rowsRead, notes } = await scan(file("small.csv", content));
  expect([findings, rowsRead, notes]).toEqual([[], rows, []]);
});

test.each<[string, () => string, RegExp]>([
  ["is missing", () => join(folder, "none.csv"), /^ENOENT$/],
  ["is empty", () => file("empty.csv", ""), /^It is empty$/],
  ["is of no such format", () => file("notes", "a,b\n"), /^It must be CSV, TSV, Parquet, or JSON, /],
  [
    "is a folder",
    () => mkdirSync(join(folder, "a.csv"), { recursive: true }) ?? join(folder, "a.csv"),
    /^It is not a file$/,
  ],
  ["is no Parquet", () => file("broken.parquet", "a,b\n"), /parquet/i],
  ["is no JSON", () => file("broken.jsonl", '{"a": 1}\n{"a": \n'), /./],
])("a file that %s is refused with the reason, and without advice", async (_, make, message) => {
  const error = await scan(make()).catch((thrown) => thrown);
  expect(error).toMatchObject({ name: "SourceError", message: expect.stringMatching(message) });
  expect(error.message).not.toContain("\n");
});

/** Customers, and orders of which one names a customer that does not exist and one has a number twice. */
const shop = [
  "create table customers (id integer, name text)",
  "create table orders (id integer, order_no text, customer_id integer)",
  `insert into customers values ${Array.from({ length: 200 }, (_, at) => `(${at + 1}, 'Customer ${at + 1}')`).join()}`,
  `insert into orders values ${Array.from({ length: 1000 }, (_, at) => `(${at + 1}, 'ORD-${100_000 + (at === 499 ? 498 : at)}', ${at === 76 ? 999 : 1 + ((at * 7) % 200)})`).join()}`,
];

test.each<[string, (path: string) => Promise<void>]>([
  [
    "shop.sqlite",
    async (path) => {
      const database = new DatabaseSync(path);
      for (const statement of shop) database.exec(statement);
      database.close();
    },
  ],
  [
    "shop.duckdb",
    async (path) => {
      const instance = await DuckDBInstance.create(path);
      const connection = await instance.connect();
      for (const statement of shop) await connection.run(statement);
      connection.closeSync();
      instance.closeSync();
    },
  ],
])("a database in a file is scanned with all of its tables: %s", async (name, write) => {
  const path = join(folder, name);
  await write(path);
  // What else is in its folder is left alone.
  file("beside.csv", faulty());
  const found = await scan(path);
  expect(found.tables.map(({ tableName, rows }) => [tableName, rows]).toSorted()).toEqual([
    ["customers", 200],
    ["orders", 1000],
  ]);
  expect(found.findings.map(({ kind, columns }) => [kind, ...columns]).toSorted()).toEqual([
    ["Duplicate", "order_no"],
    ["Orphan", "customer_id"],
  ]);
  const one = await scanLocally({ target: path, tables: ["orders"], minConfidence: 0.8, isFull: false });
  expect(one.tables.map(({ tableName }) => tableName)).toEqual(["orders"]);
});

test("a file that is only called a database says so", async () => {
  await expect(scan(file("wrong.duckdb", faulty()))).rejects.toThrow(
    "It is neither a database of DuckDB nor one of SQLite",
  );
  await expect(scan(join(folder, "missing.sqlite"))).rejects.toThrow("It cannot be read (ENOENT)");
});

test.each([
  ["large.csv", "\n"],
  ["large with a line that is too long.csv", ",too,much\n"],
])("a large text is read as a small one is: %s", async (name, end) => {
  const path = file(name, faulty().replace(/\n(?=700,)/, end));
  const open = async (largeFrom?: { bytes: number; compressed: number }) => {
    const source = await openFile(path, largeFrom);
    const columns = (await source.introspect()).items[0]?.tables[0]?.columns;
    const rows = await source.withSession(async (session, { quote }) => {
      const sql = `select * from ${quote(source.table.name)} order by ${quote(source.table.rowColumn)}`;
      return session.read(
        { sql, parameters: [], ownSql: true },
        { maxRows: 2000, maxBytes: 1e7, timeoutMs: 10_000 },
      );
    });
    source.close();
    return { columns, rows: rows.rows, notes: source.table.notes };
  };
  const small = await open();
  expect(small.rows.length).toBeGreaterThan(990);
  expect(await open({ bytes: 1000, compressed: 1000 })).toEqual(small);
});
