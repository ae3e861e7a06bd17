import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { closeSources } from "../server/data-sources/service/connected-sources.ts";
import { db, sql } from "../server/db/client.ts";
import {
  csv,
  type Found,
  faulty,
  inShort,
  orders,
  plantedInFile,
} from "../server/findings/files/orders.fixture.ts";
import { planted, shop } from "../server/findings/service/warehouse.fixture.ts";
import { findingScans } from "../server/findings/tables.ts";
import { aKey } from "../server/test/factories/api-keys.ts";
import { aDataSource } from "../server/test/factories/data-sources.ts";
import { programEnv } from "../server/test/program-env.ts";
import type { ScanCommand } from "./arguments.mjs";
import { type Finding, failing } from "./scan.mjs";
import { scanReportOf } from "./scan-report.mjs";
import { startRest } from "./service.fixture.ts";

/** The command in its own process, on files, on a real PostgreSQL, and against REST. */

let folder: string;
let address: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "plumbline-scan-"));
  const { host, port, database, user, pass } = sql.options;
  address = `postgres://${user}:${pass}@${host[0]}:${port[0]}/${database}`;
  await sql.unsafe("create schema shop");
  for (const statement of shop((name) => `shop.${name}`)) await sql.unsafe(statement);
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await closeSources();
});

type Ended = { code: number; out: string; err: string };

const plumbline = (args: string[], environment: Record<string, string> = {}) =>
  new Promise<Ended>((resolve) => {
    const command = join(import.meta.dirname, "plumbline.mjs");
    const env = { NODE_ENV: "test" as const, PATH: process.env.PATH ?? "", ...programEnv, ...environment };
    execFile(process.execPath, [command, ...args], { cwd: folder, env }, (error, out, err) =>
      resolve({ code: typeof error?.code === "number" ? error.code : error ? -1 : 0, out, err }),
    );
  });

const file = (name: string, content: string | Uint8Array) => {
  writeFileSync(join(folder, name), content);
  return name;
};

describe("a file", () => {
  test("reports what is wrong, each fault once, with row numbers", async () => {
    const { code, out, err } = await plumbline(["scan", file("orders.csv", faulty()), "--json"]);
    expect([code, err]).toEqual([0, ""]);
    const { findings, ...rest } = JSON.parse(out);
    expect(inShort(findings)).toEqual(plantedInFile);
    expect(findings[0].sample.columns[0]).toEqual({ name: "row", type: "bigint" });
    // There is no SQL that anyone could run on a file.
    expect(findings.map(({ rowsSql }: Found) => rowsSql)).toEqual([null, null, null, null]);
    const whole = { schemaName: "", tableName: "orders", rows: 1000, totalRows: 1000 };
    expect(rest).toMatchObject({
      tables: [{ ...whole, isWhole: true, columnsLeftOut: 0 }],
      ...{ skipped: [], notes: [], rowsRead: 1000, tableCount: 1 },
    });
  });

  test("as text: a sentence, rows with the suspicious cell marked, and how much was read", async () => {
    const { code, out, err } = await plumbline(["scan", "orders.csv"], { COLUMNS: "90" });
    expect([code, err]).toEqual([0, ""]);
    const lines = out.split("\n");
    expect(lines[0]).toBe("orders: 4 findings in 1,000 rows");
    expect(out).toMatch(
      /^ {2}High {5}9\d% sure {3}The price of 1 row of orders is 48,000\.00; all others are/m,
    );
    expect(out).toMatch(/^ {22}row {2}price {7}id {2}order_no {4}city {4}placed$/m);
    expect(out).toMatch(/^ {22}90 {3}\[48000\.00\] {2}90 {2}ORD-100090 {2}Lisbon {2}2024-01-10$/m);
    expect(out).toMatch(/^ {22}499 {2}\[ORD-100499\] {2}499 /m);
    expect(out).toMatch(/\nRead 1,000 rows of 1 table in \d+\.\d s: 4 findings\n$/);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(90);
    expect(out).not.toContain("\u001b");
  });

  test("exits with 1 for findings in --fail-on, and writes them as JUnit", async () => {
    const { code } = await plumbline(["scan", "orders.csv", "--fail-on", "High", "--junit", "out.xml"]);
    expect(code).toBe(1);
    const junit = readFileSync(join(folder, "out.xml"), "utf8");
    // The duplicate and the price are High; the word and the city are less severe.
    expect(junit).toContain(
      '<testsuites name="plumbline scan orders.csv" tests="4" failures="2" errors="0" skipped="2"',
    );
    expect(junit).toContain(
      '<testcase name="OutOfRange: price" classname="orders">\n      <failure message="The price of',
    );
    expect(junit).toMatch(/<testcase name="Variant: city" classname="orders"><skipped message="Low: /);
  });

  test("without faults says so", async () => {
    const { code, out } = await plumbline([
      ...["scan", file("clean.csv", csv(orders())), "--fail-on", "0", "--junit", "clean.xml"],
    ]);
    expect(code).toBe(0);
    expect(out).toMatch(/^Read 1,000 rows of 1 table in \d+\.\d s: nothing looks wrong\n$/);
    expect(readFileSync(join(folder, "clean.xml"), "utf8")).toMatch(
      /tests="1" failures="0"[\s\S]*<testcase name="nothing looks wrong" classname="clean"\/>/,
    );
  });

  test("is masked like samples, unless --full is given", async () => {
    const rows = orders((order, id) => {
      order.email = `jane${id}@mail.example`;
      if (id === 90) order.price = "48000.00";
    });
    const name = file("people.csv", csv(rows));
    const [masked, full] = await Promise.all([
      plumbline(["scan", name]),
      plumbline(["scan", name, "--full"]),
    ]);
    expect(masked.out).toContain("[48000.00]");
    expect(masked.out).not.toContain("jane90");
    expect(full.out).toContain("jane90@mail.example");
  });

  test("with 2,000 columns is read up to the 200th", async () => {
    const wide = Array.from({ length: 100 }, (_, row) =>
      Object.fromEntries(
        Array.from({ length: 2000 }, (_, column) => [`c${column}`, `${row * 2000 + column}`]),
      ),
    );
    const { code, out } = await plumbline(["scan", file("wide.csv", csv(wide))]);
    expect(code).toBe(0);
    expect(out).toContain("Read 100 rows of 1 table");
    expect(out).toContain("wide has more columns than are read: the last 1,800 were left out.");
  }, 60_000);

  test.each<[string, string, RegExp]>([
    ["missing", "none.csv", /^plumbline: none\.csv cannot be read \(ENOENT\)\n$/],
    ["empty", "empty.csv", /^plumbline: empty\.csv cannot be scanned: It is empty\n$/],
  ])("that is %s ends with 2, and says why", async (_, name, message) => {
    file("empty.csv", "");
    const { code, out, err } = await plumbline(["scan", name]);
    expect([code, out, err]).toEqual([2, "", expect.stringMatching(message)]);
  });

  test("of one row has nothing wrong", async () => {
    const { code, out } = await plumbline(["scan", file("one.csv", "id,name\n1,Ann\n"), "--fail-on", "0"]);
    expect([code, out]).toEqual([
      0,
      expect.stringMatching(/^Read 1 row of 1 table in .* nothing looks wrong\n$/),
    ]);
  });
});

describe("a database", () => {
  test("reports what is wrong in its tables, without ever printing its password", async () => {
    const { code, out, err } = await plumbline([
      ...["scan", address, "--table", "shop.customers", "--table", "orders", "--json", "--junit", "db.xml"],
    ]);
    expect([code, err]).toEqual([0, ""]);
    const { findings, tables } = JSON.parse(out);
    const found = findings.map(({ kind, tableName, columns, sample }: Found) => [
      ...[kind, tableName, columns[0]],
      (sample?.rows ?? []).map(([id]) => Number(id)).sort((a, b) => a - b),
    ]);
    expect(found.sort(([a]: string[], [b]: string[]) => ((a ?? "") < (b ?? "") ? -1 : 1))).toEqual(planted);
    expect(tables.map(({ rows }: { rows: number }) => rows)).toEqual([400, 2000]);
    // Its SQL can be run.
    const orphan = findings.find(({ kind }: Found) => kind === "Orphan");
    expect(await sql.unsafe(orphan.rowsSql)).toHaveLength(3);
    expect(await db.$count(findingScans)).toBe(0);
    for (const text of [out, readFileSync(join(folder, "db.xml"), "utf8")])
      expect(text).not.toContain(String(sql.options.pass ?? "testpw"));
  });

  test("without a requested table says so, and exits with 2 if nothing is left to read", async () => {
    const some = await plumbline(["scan", address, "--table", "shop.customers", "--table", "nowhere"]);
    expect(some.code).toBe(0);
    expect(some.out).toMatch(/^shop\.customers: 2 findings in 400 rows/);
    expect(some.out).toContain("Skipped nowhere: There is no such table, or the login cannot read it");
    const none = await plumbline(["scan", address, "--table", "nowhere"]);
    expect(none).toMatchObject({
      code: 2,
      out: "",
      err: expect.stringContaining("nowhere cannot be scanned: "),
    });
  });

  test.each<[string, (url: URL) => void, RegExp]>([
    ["nobody listens", (url) => (url.port = "1"), /cannot be scanned: Connection refused/],
    [
      "there is no such database",
      (url) => (url.pathname = "/nowhere"),
      /cannot be scanned: The database does not exist/,
    ],
    [
      "the scheme is no database's",
      (url) => (url.protocol = "oracle:"),
      /The address must look like postgres:/,
    ],
  ])("where %s ends with 2, and says why", async (_, change, message) => {
    const url = new URL(address);
    change(url);
    const { code, out, err } = await plumbline(["scan", url.href]);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toMatch(message);
    expect(err).not.toContain(url.password);
  });
});

test("a wrong password is reported, but not repeated", async () => {
  const url = new URL(inject("mysql").adminUrl);
  url.password = "s3cret-w0rd";
  url.pathname = "/mysql";
  const { code, out, err } = await plumbline(["scan", url.href]);
  expect([code, out]).toEqual([2, ""]);
  expect(err).toMatch(/^plumbline: mysql:\/\/root@[^ ]* cannot be scanned: .*(password|login|user)/i);
  expect(err).not.toContain("s3cret");
});

describe("a data source of the service", () => {
  let service: Awaited<ReturnType<typeof startRest>>;
  let environment: Record<string, string>;

  beforeAll(async () => {
    service = await startRest();
    environment = { PLUMBLINE_URL: service.url, PLUMBLINE_API_KEY: (await aKey()).rawKey };
  });
  afterAll(() => service.close());

  test("is scanned by its name or id, and its findings are listed with their rows", async () => {
    const { id } = await aDataSource({ name: "The warehouse" });
    const only = ["--table", "shop.customers", "--table", "shop.orders"];
    const { code, out, err } = await plumbline(
      ["scan", "The warehouse", ...only, "--fail-on", "high"],
      environment,
    );
    expect([code, err]).toEqual([1, ""]);
    expect(out).toMatch(/^shop\.customers: 2 findings in 400 rows$/m);
    expect(out).toMatch(/^shop\.orders: 3 findings in 2,000 rows$/m);
    expect(out).toContain("[48000.00]");
    expect(out).toMatch(/\nRead 2,400 rows of 2 tables in \d+\.\d s: 5 findings\n$/);
    const again = await plumbline(["scan", String(id), ...only, "--json"], environment);
    expect(JSON.parse(again.out).findings).toHaveLength(5);
  });

  test.each<[string, string[], Record<string, string>, RegExp]>([
    ["that is not there", ["nowhere"], {}, /There is no data source nowhere\n$/],
    ["without a key", ["nowhere"], { PLUMBLINE_API_KEY: "" }, /PLUMBLINE_API_KEY is not set/],
    ["with a table that it lacks", ["Two", "--table", "nowhere"], {}, /There is no table nowhere\n$/],
    [
      "of a name that is not the only one",
      ["Twice"],
      {},
      /There are 2 data sources named Twice: use an id \(\d+, \d+\)/,
    ],
    ["that is not reached", ["Away"], {}, /The scan failed: Connection refused/],
    ["in full", ["Two", "--full"], {}, /--full is for files and database URLs/],
  ])("%s ends with 2, and says why", async (_, args, more, message) => {
    if (args[0] === "Two") await aDataSource({ name: "Two" });
    if (args[0] === "Away") await aDataSource({ name: "Away", connection: { host: "127.0.0.1", port: 1 } });
    if (args[0] === "Twice")
      await Promise.all([aDataSource({ name: "Twice" }), aDataSource({ name: "Twice" })]);
    const { code, out, err } = await plumbline(["scan", ...args], { ...environment, ...more });
    expect([code, out]).toEqual([2, ""]);
    expect(err).toMatch(message);
    await sql`delete from data_sources where name in ('Two', 'Away', 'Twice') and not exists
      (select from finding_scans where data_source_id = data_sources.id)`;
  });
});

test.each<[string[], RegExp]>([
  [["scan"], /scan needs to know what/],
  [["scan", "a.csv", "b.csv"], /b\.csv is one argument too many/],
  [["scan", "a.csv", "--table", "a"], /it takes no --table/],
  [
    ["scan", "a.csv", "--fail-on", "urgent"],
    /--fail-on must be a number, or one of low, medium, high, critical/,
  ],
  [["scan", "a.csv", "--min-confidence", "2"], /--min-confidence must be a number from 0 to 1/],
  [["scan", "a.csv", "--fail-under", "80"], /scan takes no --fail-under/],
])("%s is not understood", async (args, message) => {
  const { code, out, err } = await plumbline(args);
  expect([code, out]).toEqual([2, ""]);
  expect(err).toMatch(message);
});

test.each<[ScanCommand["failOn"], number[]]>([
  [undefined, []],
  ["critical", []],
  ["high", [0, 1]],
  ["medium", [0, 1, 2]],
  ["low", [0, 1, 2, 3]],
  [4, []],
  [3, [0, 1, 2, 3]],
  [0, [0, 1, 2, 3]],
])("--fail-on %s is against these of a High, a High, a Medium, and a Low one: %j", (failOn, indexes) => {
  const findings = ["High", "High", "Medium", "Low"].map((severity) => ({ severity }) as Finding);
  expect([...failing(findings, failOn)]).toEqual(indexes.map((index) => findings[index]));
});

test("on a terminal the output has colors and fits its width, without text that the terminal would interpret", () => {
  const finding = {
    ...{ schemaName: "", tableName: "a\u001b[2J", kind: "Variant", columns: ["city"], confidence: 0.999 },
    learned: { accepted: 2, dismissed: 0, unlearned: 0.99 },
    ...{
      severity: "High",
      statement: `A sentence of ${"many ".repeat(12)}words`,
      failingRows: 7,
      totalRows: 90,
    },
    sample: {
      columns: [{ name: "row" }, { name: "city" }, { name: "note" }],
      rows: [
        [1, " 東京", "x".repeat(100)],
        [2, "", null],
      ],
      maskedColumns: [],
    },
  };
  const scan = { findings: [finding], rowsRead: 90, tableCount: 1, seconds: 0.04, notes: [], skipped: [] };
  const plain = scanReportOf(scan, "a.csv", { colors: false, width: 60 });
  expect(plain.split("\n")).toEqual([
    "a [2J: 1 finding in 90 rows",
    "",
    "  High     99% sure   A sentence of many many many many many",
    "                      many many many many many many many",
    "                      words",
    "                      Shown higher: 2 like it were accepted",
    "                      row  city",
    '                      1    [" 東京"]',
    '                      2    [""]',
    "                      and 5 more rows",
    "",
    "Read 90 rows of 1 table in 0.0 s: 1 finding",
    "",
  ]);
  const colored = scanReportOf(scan, "a.csv", { colors: true, width: 60 });
  expect(colored).toContain('\u001b[1;31m[""]     \u001b[0m');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  expect(colored.replaceAll(/\u001b\[[\d;]*m/g, "").replaceAll(/ +$/gm, "")).toBe(plain);
});
