import { readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { gzipSync, zstdCompressSync } from "node:zlib";
import { DuckDBInstance } from "@duckdb/node-api";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { env } from "../../env.ts";
import { allowedTestFolder, filesConnection, writeFiles } from "../../test/files.ts";
import { until } from "../../test/listening.ts";
import { fulfillsContract } from "./contract.fixture.ts";
import type { Limits, Source, Statement } from "./engine.ts";
import { isOutward } from "./files/functions.ts";
import { readingProcesses, startReading } from "./files/reading-process.ts";
import { files } from "./files.ts";

const ample: Limits = { timeoutMs: 10_000, maxRows: 1000, maxBytes: 1_000_000 };
const folder = allowedTestFolder();
const target = filesConnection(folder);
let source: Source;
const readOn = (from: Source, sql: string, parameters: Statement["parameters"] = [], limits = {}) =>
  from.session((session) => session.read({ sql, parameters }, { ...ample, ...limits }));
const read = (sql: string, parameters: Statement["parameters"] = [], limits = {}) =>
  readOn(source, sql, parameters, limits);
const tablesOf = async (from: Source) =>
  Object.fromEntries(
    (await from.introspect()).items.flatMap(({ schemaName, tables }) =>
      tables.map(({ tableName, columns, rowEstimate }) => [
        schemaName === "main" ? tableName : `${schemaName}.${tableName}`,
        [rowEstimate, ...columns.map(({ name, type }) => `${name} ${type}`)],
      ]),
    ),
  );

/** Runs SQL in DuckDB itself, to write what tests read. */
async function inDuckDb(file: string, ...statements: string[]): Promise<void> {
  const instance = await DuckDBInstance.create(file);
  const connection = await instance.connect();
  for (const sql of statements) await connection.run(sql);
  connection.closeSync();
  instance.closeSync();
}

beforeAll(async () => {
  writeFiles(folder, {
    "orders.csv": "id,amount\n1,10.50\n2,\n3,7.00\n",
    "secret.txt": "hunter2",
    ".env": "KEY=1",
  });
  source = files.open(target);
});
afterAll(() => source.close());

const isRunning = async (text: string) => readingProcesses().some(({ sql }) => sql?.includes(text));
const end = (pid: number) => process.kill(pid, "SIGKILL");

describe("as every engine", () => {
  fulfillsContract({
    engine: files,
    target,
    connectionId: "select current_setting('custom_user_agent')",
    numbers: (count) => `(select n::integer as n from range(${count}) as t(n)) as numbers`,
    repeated: (text, times) => `repeat('${text}', ${times})`,
    content: async () =>
      readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => [entry.name, readFileSync(join(entry.parentPath, entry.name)).toString("base64")]),
    isRunning,
    openTransactions: async () => 0,
    values: {
      sql: `select 9007199254740993 as big, 1.10::decimal(38, 20) as exact, 7::integer as small, 1.5::double as float,
        0.1::float as single, 'NaN'::double as nan, true as yes, null::varchar as nothing,
        timestamptz '2024-03-31 02:30:00.123456+02' as zoned, timestamp '2024-03-31 02:30' as local,
        timestamp_ns '2024-03-31 02:30:00.123456789' as fine, date '2024-03-31' as day, [1, 2] as list,
        '\\x00\\xFF'::blob as bytes, 170141183460469231731687303715884105727::hugeint as huge,
        uuid '61F0C404-5CB3-11E7-907B-A6006AD3DBA0' as id`,
      answer: [
        ["big", "bigint", "9007199254740993"],
        ["exact", "decimal(38,20)", "1.10000000000000000000"],
        ["small", "integer", 7],
        ["float", "double", 1.5],
        ["single", "float", 0.1],
        ["nan", "double", "NaN"],
        ["yes", "boolean", true],
        ["nothing", "varchar", null],
        ["zoned", "timestamp with time zone", "2024-03-31 00:30:00.123456+00"],
        ["local", "timestamp", "2024-03-31 02:30:00"],
        ["fine", "timestamp_ns", "2024-03-31 02:30:00.123456789"],
        ["day", "date", "2024-03-31"],
        ["list", "INTEGER[]", "[1, 2]"],
        ["bytes", "blob", "\\x00ff"],
        ["huge", "hugeint", "170141183460469231731687303715884105727"],
        ["id", "uuid", "61f0c404-5cb3-11e7-907b-a6006ad3dba0"],
      ],
    },
    twins: {
      sql: "select 1 as a, 2 as a",
      row: [1, 2],
      empty: "select 1 as a, 2 as a where false",
      types: ["integer", "integer"],
    },
    bound: {
      sql: "select $1::text, $2::bigint + 1, $3::decimal(38, 20), $4::boolean, $5::boolean, $6::date",
      parameters: ["it's; drop table x --", 41, "0.10000000000000000001", true, null, "2024-02-29"],
      row: ["it's; drop table x --", "42", "0.10000000000000000001", true, null, "2024-02-29"],
    },
    writing: [
      ["insert into orders values (4, 1)", "refused"],
      ["copy orders to 'orders.csv'", "refused"],
      ["create table t as select 1", "refused"],
      ["attach 'orders.duckdb'", "refused"],
      ["install httpfs", "refused"],
      ["load httpfs", "refused"],
      ["pragma database_list", "refused"],
      ["set memory_limit = '100GB'", "refused"],
      ["export database 'out'", "refused"],
      ["call pragma_version()", "refused"],
      ["explain analyze select 1", "refused"],
      ["select 1; copy orders to 'orders.csv'", "refused"],
      ["select * from main.orders; select 2", "refused"],
      ["", "refused"],
      ["with x as (insert into orders values (4, 1) returning *) select * from x", "statement"],
    ],
    ungated: {
      async connect() {
        const reader = startReading({ ...target, memoryMb: 1024 });
        return {
          read: (statement, limits) => reader.ask({ say: "read", statement, limits }, limits),
          drop: reader.drop,
        };
      },
      refused: [
        ["copy (select 1) to 'orders.csv'", "refused"],
        ["create table t (a integer)", "refused"],
        ["set memory_limit = '100GB'", "refused"],
        ["select 1; select 2", "refused"],
      ],
    },
    mistakes: [
      ["select missing from orders", [], /^Referenced column "missing" not found in FROM clause!/],
      ["select 1 from missing", [], /^Table with name missing does not exist!/],
      ["select\n 1 from from", [], /^syntax error at or near "from"/],
      ["select $1::integer", ["x"], /^Could not convert string 'x' to INT32/],
    ],
    upTo: { sql: "select n::integer as n from range(1, $1::bigint + 1) as t(n)", type: "integer" },
    huge: {
      length: 50_000_000,
      // One such value, not several: DuckDB and the process hold each more than once, within a limit of memory.
      partly:
        "select n::integer as n, repeat('x', case when n = 6 then 20000000 else 1 end) as x from range(1, 10) as t(n)",
      types: [{ type: "integer" }, { type: "varchar" }],
    },
    slow: "select count(*) from range(100000000000) as t(n) where n % 7 = 8",
    endless: "select n from range(100000000000) as t(n)",
    check: {
      mistakes: [
        ["select missing from orders", [], /^Referenced column "missing" not found/],
        ["select 1 from missing", [], /^Table with name missing does not exist/],
      ],
      refused: [
        "insert into orders values (4, 1)",
        "select 1; select 2",
        "select * from read_csv('orders.csv')",
      ],
      notRun: ["select count(*) from range(100000000000) as t(n) where n % 7 = 8"],
      plans: [
        ["select id from orders where id = $1", [1], true],
        ["select count(*) from main.orders", [], true],
      ],
    },
    kill: {
      running: async (text) => {
        for (const { pid, sql } of readingProcesses()) if (sql?.includes(text)) end(pid);
      },
      resting: async () => {
        const resting = readingProcesses().filter(({ sql }) => sql === null);
        for (const { pid } of resting) end(pid);
        const isThere = (pid: number) => readingProcesses().some((each) => each.pid === pid);
        await until(async () => !resting.some(({ pid }) => isThere(pid)));
      },
    },
  });
});

describe("what statements can reach", () => {
  test.each([
    "select * from read_csv('/etc/passwd')",
    "select * from read_text('/etc/passwd')",
    "select * from read_blob('secret.txt')",
    "select * from \"read_text\"('/etc/passwd')",
    "select * from orders, glob('/etc/*')",
    "select * from parquet_metadata('/etc/passwd')",
    "select * from sniff_csv('/etc/passwd')",
    "select * from duckdb_settings()",
    "select * from query('select 1')",
    "select * from query_table('orders')",
    "select * from pragma_table_info('orders')",
    "select write_log('x')",
    "select * from json_execute_serialized_sql('{}')",
  ])("%s is refused by the gate", async (sql) => {
    await expect(read(sql)).rejects.toMatchObject({ kind: "refused" });
  });

  describe("even without the gate", () => {
    let reader: ReturnType<typeof startReading>;
    beforeAll(() => {
      reader = startReading({ ...target, memoryMb: 1024 });
    });
    afterAll(() => reader.drop());
    const attack = (sql: string) =>
      reader.ask({ say: "read", statement: { sql, parameters: [] }, limits: ample }, ample);

    test.each([
      `select * from read_csv('/etc/passwd')`,
      `select * from read_text('/etc/passwd')`,
      `select * from read_text('${folder}/secret.txt')`,
      `select * from read_text('${folder}/.env')`,
      `select * from orders, read_text('${folder}/secret.txt')`,
      `select * from read_text('${folder}/../../etc/passwd')`,
      `select * from read_text('file://${folder}/secret.txt')`,
      `select * from '/etc/passwd'`,
      `select * from '${folder}/secret.csv'`,
      `select * from glob('${folder}/*')`,
      `select * from query('select * from read_text(''/etc/passwd'')')`,
      `select * from read_csv('https://example.com/x.csv')`,
      `select * from read_parquet('s3://bucket/x.parquet')`,
      `select * from read_duckdb('${folder}/x.duckdb')`,
      "select * from sqlite_scan('x.db', 't')",
      "select getenv('HOME')",
    ])("%s reaches nothing", async (sql) => {
      await expect(attack(sql)).rejects.toMatchObject({ name: "SourceError" });
    });

    test("settings are locked, and the process has no secrets in its environment", async () => {
      await expect(attack("set allowed_paths = ['/etc/passwd']")).rejects.toMatchObject({ kind: "refused" });
      await expect(attack("select setseed(0.5), nextval('x')")).rejects.toMatchObject({ kind: "statement" });
      expect((await attack("select current_setting('lock_configuration')")).rows).toEqual([[true]]);
      expect((await attack("select current_setting('enable_external_access')")).rows).toEqual([[false]]);
    });
  });

  test("every function of DuckDB that could reach out, or has side effects, is known", async () => {
    const instance = await DuckDBInstance.create(":memory:");
    const connection = await instance.connect();
    const reader = await connection.runAndReadAll(
      `select distinct function_name from duckdb_functions()
       where function_type in ('table', 'table_macro') or has_side_effects order by 1`,
    );
    const open = reader
      .getRows()
      .map(([name]) => String(name))
      .filter((name) => !isOutward(name));
    connection.closeSync();
    instance.closeSync();
    // These make rows or values from their arguments, or name things of the process that are no secret.
    expect(open).toEqual(
      `current_connection_id current_query current_query_id current_transaction_id error gen_random_uuid generate_series
       histogram histogram_values icu_calendar_names json_each json_tree pg_timezone_names random range repeat repeat_row
       summary test_all_types test_vector_types unnest uuid uuidv4 uuidv7`.split(/\s+/),
    );
  });

  test("memory is limited, also where DuckDB does not count it, and the next statement works", async () => {
    env().FILES_MEMORY_MB = 512;
    const small = files.open(target);
    try {
      for (const sql of ["select length(repeat('x', 2000000000))", "select len(range(500000000))"])
        await expect(readOn(small, sql, [], { timeoutMs: 50_000 })).rejects.toMatchObject({
          kind: "statement",
          message: "The statement needs more memory than allowed",
        });
      expect((await readOn(small, "select count(*) from orders")).rows).toEqual([["3"]]);
    } finally {
      env().FILES_MEMORY_MB = 1024;
      await small.close();
    }
  });

  test("nothing is left behind in the temporary folder", async () => {
    const before = readdirSync(tmpdir()).filter((name) => name.startsWith("plumbline-files-")).length;
    const other = files.open(target);
    await readOn(other, "select count(*) from (select n from range(1000000) as t(n) order by hash(n))");
    await other.close();
    await expect
      .poll(() => readdirSync(tmpdir()).filter((name) => name.startsWith("plumbline-files-")).length)
      .toBeLessThanOrEqual(before);
  });
});

describe("what is a table", () => {
  const place = join(folder, "shapes");
  let own: Source;
  beforeAll(async () => {
    writeFiles(place, {
      "customers.csv": "id,name\n1,Ada\n2,Grace\n",
      "codes.tsv": "code\tdone\n007\ttrue\n008\tfalse\n",
      "semicolon.csv": "id;price;at\n1;1.25;2024-01-01T10:00:00Z\n2;10.5;2024-01-02T10:00:00Z\n",
      "no header.csv": "1,2024-01-01\n2,2024-01-02\n",
      "packed.csv.gz": gzipSync("id,name\n1,Ünï\n"),
      "tight.csv.zst": zstdCompressSync(Buffer.from("id,name\n1,x\n")),
      "latin.csv": Buffer.from("id,name\n1,Ünï\n", "latin1"),
      "events.jsonl": '{"id": 1, "tags": ["a"]}\n{"id": 2, "note": "x"}\n',
      "list.json": '[{"id": 1}, {"id": 2}]',
      "sales/2024-01.csv": "id,price\n1,1.5\n",
      "sales/2024-02.csv": "id,price\n2,2.25\n",
      "mixed/orders.csv": "id,price\n1,1.5\n",
      "mixed/people.csv": "id,name\n1,Ada\n",
      "visits/year=2023/month=1/a.csv": "id\n1\n",
      "visits/year=2024/month=2/b.csv": "id\n2\n3\n",
      'we"ird [na]me*?; drop.csv': 'id,"a ""b"", c",select\n1,x,y\n',
      "Ünï – 漢字.csv": "größe\n1\n",
      "Same.csv": "id\n1\n",
      "same.csv": "id\n2\n",
      "same.jsonl": '{"id": 3}\n',
      "wide.csv": "id,ID,id\n1,2,3\n",
      "empty.csv": "",
      "only a header.csv": "id,name\n",
      _SUCCESS: "",
      ".hidden.csv": "id\n1\n",
      "lake/_delta_log/0.json": "{}",
      "lake/part.csv": "id\n1\n",
      "notes.txt": "no data",
    });
    await inDuckDb(
      ":memory:",
      `copy (select n as id, (n / 4)::decimal(10, 2) as price, date '2024-01-01' as day from range(5) as t(n))
       to '${place}/typed.parquet'`,
    );
    own = files.open(filesConnection(place));
  });
  afterAll(() => own.close());

  test("each file, and the files of a folder, with types that keep every value", async () => {
    expect(await tablesOf(own)).toEqual({
      customers: [2, "id bigint", "name varchar"],
      // 007 is a code, not a number.
      codes: [2, "code varchar", "done boolean"],
      semicolon: [2, "id bigint", "price decimal(18,2)", "at timestamp with time zone"],
      "no header": [2, "column0 bigint", "column1 date"],
      packed: [1, "id bigint", "name varchar"],
      tight: [1, "id bigint", "name varchar"],
      latin: [1, "id bigint", "name varchar"],
      events: [2, "id bigint", "tags VARCHAR[]", "note varchar"],
      list: [2, "id bigint"],
      sales: [2, "id bigint", "price decimal(18,2)"],
      "mixed/orders": [1, "id bigint", "price decimal(18,1)"],
      "mixed/people": [1, "id bigint", "name varchar"],
      visits: [3, "id bigint", "month bigint", "year bigint"],
      'we"ird [na]me*?; drop': [1, "id bigint", 'a "b", c varchar', "select varchar"],
      "Ünï – 漢字": [1, "größe bigint"],
      "Same.csv": [1, "id bigint"],
      "same.csv (2)": [1, "id bigint"],
      "same.jsonl": [1, "id bigint"],
      wide: [1, "id bigint", "ID_1 bigint", "id_2 bigint"],
      empty: [0, "no columns varchar"],
      "only a header": [0, "id varchar", "name varchar"],
      typed: [5, "id bigint", "price decimal(10,2)", "day date"],
    });
  });

  test.each([
    [
      "select id, name from customers order by id",
      [
        ["1", "Ada"],
        ["2", "Grace"],
      ],
    ],
    [
      'select * from "main"."SALES" order by id',
      [
        ["1", "1.50"],
        ["2", "2.25"],
      ],
    ],
    [
      "select id, year, month from visits order by id",
      [
        ["1", "2023", "1"],
        ["2", "2024", "2"],
        ["3", "2024", "2"],
      ],
    ],
    ['select sum(c.id), count(*) from customers c join "mixed/people" p on p.id = c.id', [["1", "1"]]],
    ['select "a ""b"", c" from "we""ird [na]me*?; drop"', [["x"]]],
    ["select name from packed union all select name from latin", [["Ünï"], ["Ünï"]]],
    ["from customers where id = (select max(id) from sales)", [["2", "Grace"]]],
    ["select price from semicolon order by price desc", [["10.50"], ["1.25"]]],
    ['select * from "only a header"', []],
    ["with customers as (select 5 as id) select * from customers", [[5]]],
  ])("%s", async (sql, rows) => {
    expect((await readOn(own, sql)).rows).toEqual(rows);
  });

  test("the product finds a table's columns by name, and each table's version", async () => {
    const parameters: string[] = [];
    const sql = files.dialect.tableColumns({
      ...{ schemaName: "main", tableName: "semicolon", table: "" },
      bind: (value) => `$${parameters.push(String(value))}`,
    });
    expect((await readOn(own, sql, parameters)).rows).toEqual([
      ["id", "bigint", "YES"],
      ["price", "decimal(18,2)", "YES"],
      ["at", "timestamp with time zone", "YES"],
    ]);
    const version = async () =>
      (await readOn(own, files.dialect.tableStatistics)).rows.find(([, name]) => name === "customers");
    const before = await version();
    expect(before).toEqual(["main", "customers", 2, expect.any(String)]);
    writeFiles(place, { "customers.csv": "id,name\n1,Ada\n2,Grace\n3,Edsger\n" });
    await expect.poll(async () => (await version())?.[3] !== before?.[3], { timeout: 5000 }).toBe(true);
    expect((await readOn(own, "select count(*) from customers")).rows).toEqual([["3"]]);
  });

  test("files that match a pattern are one table", async () => {
    const by = files.open(filesConnection(place, ["sales/*-01.csv", "same.*"]));
    try {
      const tables = await tablesOf(by);
      expect(tables["sales/*-01.csv"]).toEqual([1, "id bigint", "price decimal(18,1)"]);
      // What no pattern takes stays as it is.
      expect(tables.sales).toEqual([1, "id bigint", "price decimal(18,2)"]);
      await expect(readOn(by, 'select * from "same.*"')).rejects.toMatchObject({
        kind: "statement",
        message: "Its files have several formats: a pattern must match files of one",
      });
      expect((await readOn(by, 'select id from "sales/*-01.csv"')).rows).toEqual([["1"]]);
    } finally {
      await by.close();
    }
  });
});

test("a value that contradicts the first rows of a large table makes its column text, and nothing is lost", async () => {
  const place = join(folder, "large");
  const lines = 1_100_000;
  writeFiles(place, { "late.csv": `id,note\n${`1234567,${"a".repeat(30)}\n`.repeat(lines)}many,x\n` });
  const large = files.open(filesConnection(place));
  try {
    expect(await tablesOf(large)).toEqual({ late: [null, "id bigint", "note varchar"] });
    const { columns, rows } = await readOn(large, "select count(id), max(id) as id from late", [], {
      timeoutMs: 60_000,
    });
    expect(rows).toEqual([[String(lines + 1), "many"]]);
    expect(columns[1]).toEqual({ name: "id", type: "varchar" });
  } finally {
    await large.close();
  }
}, 90_000);

describe("database files", () => {
  const place = join(folder, "databases");
  let own: Source;
  beforeAll(async () => {
    writeFiles(place, { "x.csv": "id\n1\n" });
    await inDuckDb(
      join(place, "shop.duckdb"),
      "create schema stock",
      "create table customers (id integer primary key, name varchar not null)",
      "create table orders (id integer primary key, customer_id integer references customers (id), total decimal(10, 2))",
      "create table stock.items (id bigint)",
      "create view large as select * from orders where total > 100",
      "create view leak as select content from read_text('/etc/passwd')",
      "insert into customers values (1, 'Ada')",
      "insert into orders values (1, 1, 12.50), (2, 1, 200)",
      "comment on table orders is 'what was bought'",
    );
    own = files.open(filesConnection(place));
  });
  afterAll(() => own.close());

  test("schemas, keys, and references are introspected", async () => {
    const { items } = await own.introspect();
    expect(
      items.map(({ schemaName, tables }) => [schemaName, tables.map(({ tableName }) => tableName)]),
    ).toEqual([
      ["main", ["x"]],
      ["shop", ["customers", "large", "leak", "orders"]],
      ["shop.stock", ["items"]],
    ]);
    const orders = items[1]?.tables.find(({ tableName }) => tableName === "orders");
    expect(orders).toMatchObject({ kind: "Table", rowEstimate: 2, comment: "what was bought" });
    expect(orders?.columns).toEqual([
      { name: "id", type: "integer", nullable: false, comment: null, isPrimaryKey: true },
      {
        ...{ name: "customer_id", type: "integer", nullable: true, comment: null, isPrimaryKey: false },
        references: { schemaName: "shop", tableName: "customers", columnName: "id" },
      },
      { name: "total", type: "decimal(10,2)", nullable: true, comment: null, isPrimaryKey: false },
    ]);
  });

  test("tables and views are read beside files, and a view reaches no other file", async () => {
    const sql =
      'select o.id, c.name from "shop"."large" o join shop.customers c on c.id = o.customer_id join x on true';
    expect((await readOn(own, sql)).rows).toEqual([[2, "Ada"]]);
    expect((await readOn(own, 'select count(*) from "shop.stock"."items"')).rows).toEqual([["0"]]);
    await expect(readOn(own, "select * from shop.leak")).rejects.toMatchObject({ name: "SourceError" });
  });

  test("the file can be written to between statements, and is read-only", async () => {
    await readOn(own, "select count(*) from shop.orders");
    await inDuckDb(join(place, "shop.duckdb"), "insert into orders values (3, 1, 5)");
    expect((await readOn(own, "select count(*) from shop.orders")).rows).toEqual([["3"]]);
  });
});

describe("SQLite files", () => {
  const place = join(folder, "sqlite");
  let own: Source;
  beforeAll(() => {
    writeFiles(place, {
      "x.csv": "id\n1\n",
      "broken.db": "SQLite format 3\0 and nothing else",
      "no.db": "text",
    });
    const database = new DatabaseSync(join(place, "shop.db"));
    database.exec(`
      create table customers (id integer primary key, name varchar(20) not null, born date, photo blob);
      create table orders (id integer primary key, customer_id integer references customers (id), total decimal(10, 2),
        placed datetime, note text, mixed);
      create table none (id int, at timestamp, word text);
      create view large as select * from orders where total > 100;
      create table "odd ""name" ("a b" text);
      insert into customers values (1, 'Ada', '1815-12-10', x'00ff'), (2, 'Grace', '1906-12-09', null);
      insert into orders values (9007199254740993, 1, 12.5, '2024-02-29 10:00:00', 'a', 1), (2, 1, 200, '2024-03-01T11:30:00.25', 'b', 'x'),
        (3, 2, 7, null, null, 1.5);
      insert into "odd ""name" values ('it''s');
    `);
    database.close();
    own = files.open(filesConnection(place));
  });
  afterAll(() => own.close());

  test("columns have the type of their values, with keys and references", async () => {
    const { items } = await own.introspect();
    const shop = items.find(({ schemaName }) => schemaName === "shop");
    expect(
      shop?.tables.map(({ tableName, kind, rowEstimate, columns }) => [
        ...[tableName, kind, rowEstimate],
        columns.map(({ name, type }) => `${name} ${type}`).join(", "),
      ]),
    ).toEqual([
      ["customers", "Table", 2, "id bigint, name varchar, born date, photo blob"],
      [
        "large",
        "View",
        null,
        "id bigint, customer_id bigint, total bigint, placed timestamp, note varchar, mixed varchar",
      ],
      ["none", "Table", 0, "id bigint, at timestamp, word varchar"],
      ['odd "name', "Table", 1, "a b varchar"],
      [
        "orders",
        "Table",
        3,
        "id bigint, customer_id bigint, total double, placed timestamp, note varchar, mixed varchar",
      ],
    ]);
    const orders = shop?.tables.at(-1);
    expect(orders?.columns.slice(0, 2)).toEqual([
      { name: "id", type: "bigint", nullable: false, comment: null, isPrimaryKey: true },
      {
        ...{ name: "customer_id", type: "bigint", nullable: true, comment: null, isPrimaryKey: false },
        references: { schemaName: "shop", tableName: "customers", columnName: "id" },
      },
    ]);
    expect(items.find(({ schemaName }) => schemaName === "broken")?.tables[0]?.comment).toMatch(
      /^Cannot be read: /,
    );
    expect(items.map(({ schemaName }) => schemaName)).toEqual(["broken", "main", "shop"]);
  });

  test.each([
    [
      "select id, total, placed, mixed from shop.orders order by total",
      [
        ["3", 7, null, "1.5"],
        ["9007199254740993", 12.5, "2024-02-29 10:00:00", "1"],
        ["2", 200, "2024-03-01 11:30:00.25", "x"],
      ],
    ],
    [
      "select o.id, c.name, c.born, c.photo from shop.large o join shop.customers c on c.id = o.customer_id join x on true",
      [["2", "Ada", "1815-12-10", "\\x00ff"]],
    ],
    ['select "a b" from shop."odd ""name"', [["it's"]]],
    ["select count(*) from shop.none", [["0"]]],
  ])("%s", async (sql, rows) => {
    expect((await readOn(own, sql)).rows).toEqual(rows);
  });

  test("what changes in the file counts with the next statement, and a broken one is told", async () => {
    expect((await readOn(own, "select count(*) from shop.orders")).rows).toEqual([["3"]]);
    const database = new DatabaseSync(join(place, "shop.db"));
    database.exec("insert into orders (id) values (4)");
    database.close();
    await expect
      .poll(async () => (await readOn(own, "select count(*) from shop.orders")).rows, { timeout: 5000 })
      .toEqual([["4"]]);
    await expect(readOn(own, "select * from broken.t")).rejects.toMatchObject({ kind: "statement" });
    expect((await readOn(own, "select count(*) from x")).rows).toEqual([["1"]]);
  });
});

describe("files that change, vanish, or are broken", () => {
  const place = join(folder, "broken");
  let own: Source;
  beforeAll(() => {
    writeFiles(place, {
      "short.csv": "id,price\n1,1.5\n2\n3,4,5\n",
      "half.parquet": "PAR1half",
      "bad.jsonl": '{"a": 1}\n{"a":\n',
      "good.csv": "id\n1\n",
      "parts/a.csv": "id\n1\n",
      "parts/b.csv": "id\n2\n",
    });
    own = files.open(filesConnection(place));
  });
  afterAll(() => own.close());

  test("a broken file is listed and says what is wrong, and the others are read", async () => {
    const { items } = await own.introspect();
    const comments = Object.fromEntries(
      items.flatMap(({ tables }) => tables.map(({ tableName, comment }) => [tableName, comment])),
    );
    expect(comments).toMatchObject({
      half: "Cannot be read: File 'half.parquet' too small to be a Parquet file",
      good: "good.csv",
      parts: "2 files",
    });
    expect(comments.bad).toMatch(/^Cannot be read: Malformed JSON in file "bad.jsonl"/);
    for (const [sql, message] of [
      ["select * from short", /^short\.csv, line 3: it has 1 values? instead of 2$/],
      ["select * from half", /^File 'half\.parquet' too small/],
      ["select count(*) from bad", /^Malformed JSON in file "bad\.jsonl"/],
    ] as const)
      await expect(readOn(own, sql)).rejects.toMatchObject({
        kind: "statement",
        message: expect.stringMatching(message),
      });
    expect((await readOn(own, "select count(*) from good")).rows).toEqual([["1"]]);
  });

  test("a file that grows, changes its columns, or vanishes counts as it is with the next statement", async () => {
    const rows = async (sql: string) => (await readOn(own, sql)).rows;
    expect(await rows("select count(*) from parts")).toEqual([["2"]]);
    rmSync(join(place, "parts/b.csv"));
    await expect.poll(() => rows("select count(*) from parts"), { timeout: 5000 }).toEqual([["1"]]);
    writeFiles(place, { "good.csv": "id,name\n1,Ada\n2,Grace\n" });
    await expect
      .poll(() => rows("select * from good"), { timeout: 5000 })
      .toEqual([
        ["1", "Ada"],
        ["2", "Grace"],
      ]);
    renameSync(join(place, "good.csv"), join(place, "better.csv"));
    await expect
      .poll(() => rows("select count(*) from good").catch(({ message }) => message), { timeout: 5000 })
      .toMatch(/good/);
  });
});

describe("where the folder may be", () => {
  const failureOf = async (place: string) => {
    const other = files.open(filesConnection(place));
    const failure = await other.test().then(
      () => "worked",
      ({ kind, message }) => `${kind}: ${message}`,
    );
    await other.close();
    return failure;
  };

  test("only in an allowed one, by its real path, and nothing is told of others", async () => {
    writeFiles(folder, { "inner/x.csv": "id\n1\n" });
    symlinkSync("/etc", join(folder, "out"));
    symlinkSync("/nowhere/else", join(folder, "dangling"));
    symlinkSync("/etc/passwd", join(folder, "inner/passwd.csv"));
    symlinkSync(join(folder, "orders.csv"), join(folder, "inner/beyond.csv"));
    symlinkSync(join(folder, "inner/x.csv"), join(folder, "inner/link.csv"));
    const refused =
      "unreachable: The folder must be in a folder that an operator has allowed with FILES_ALLOW";
    for (const place of [
      "/etc",
      "/nowhere",
      "/",
      `${folder}/..`,
      `${folder}/out`,
      `${folder}/dangling`,
      `${folder}x`,
    ])
      expect(await failureOf(place), place).toBe(refused);
    expect(await failureOf(join(folder, "missing"))).toBe(
      "unreachable: The folder does not exist, or may not be read",
    );
    const inner = files.open(filesConnection(join(folder, "inner")));
    // Links out of the folder are no tables.
    expect(Object.keys(await tablesOf(inner))).toEqual(["link", "x"]);
    await inner.close();
    const gone = files.open(filesConnection(join(folder, "going")));
    writeFiles(folder, { "going/x.csv": "id\n1\n" });
    expect((await readOn(gone, "select count(*) from x")).rows).toEqual([["1"]]);
    rmSync(join(folder, "going"), { recursive: true });
    await expect
      .poll(() => readOn(gone, "select count(*) from x").catch(({ kind }) => kind), { timeout: 5000 })
      .toBe("unreachable");
    await gone.close();
    env().FILES_ALLOW = [];
    expect(await failureOf(folder)).toBe(refused);
    env().FILES_ALLOW = [folder];
  });
});

test("files in Windows-1252 are read beside others in UTF-8, and again when they change", async () => {
  const place = join(folder, "windows");
  writeFiles(place, { "parts/one.csv": "id,name\n1,Zoë – “x”\n" });
  const two = join(place, "parts/two.csv");
  // \x96 is a dash, and \x80 is €, which Latin-1 does not have.
  writeFileSync(two, Buffer.from("id,name\n2,Zo\xeb \x96 5 \x80\n", "latin1"));
  const source = files.open(filesConnection(place, ["parts/*.csv"]));
  const all = 'select name from "parts/*.csv" order by id';
  expect((await readOn(source, all)).rows).toEqual([["Zoë – “x”"], ["Zoë – 5 €"]]);
  writeFileSync(two, Buffer.from("id,name\n2,Zo\xeb \x96 7 \x80\n", "latin1"));
  await expect
    .poll(() => readOn(source, `${all} desc limit 1`).then(({ rows }) => rows), { timeout: 5000 })
    .toEqual([["Zoë – 7 €"]]);
  await source.close();
});

test("a folder with 2,000 files is introspected", async () => {
  const place = join(folder, "many");
  writeFiles(
    place,
    // Of one column each: how many files there are is what counts here.
    Object.fromEntries(Array.from({ length: 2000 }, (_, n) => [`t${n}.csv`, `name\nNumber ${n}\n`])),
  );
  const many = files.open(filesConnection(place));
  const startedAt = performance.now();
  const { items } = await many.introspect();
  expect(items[0]?.tables).toHaveLength(2000);
  expect(items[0]?.tables.every(({ columns }) => columns.length === 1)).toBe(true);
  expect(performance.now() - startedAt).toBeLessThan(120_000);
  expect((await readOn(many, "select name from t1999")).rows).toEqual([["Number 1999"]]);
  await many.close();
}, 150_000);
