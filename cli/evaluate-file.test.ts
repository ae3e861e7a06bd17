import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { DuckDBInstance } from "@duckdb/node-api";
import { afterAll, beforeAll, expect, test } from "vitest";
import { programEnv } from "../server/test/program-env.ts";

/** The command in its own process, on data files, with no service, no key, and no settings. */

let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "plumbline-evaluate-"));
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  await connection.run("create table orders (id bigint, amount decimal(10, 2), email varchar)");
  // One id twice, and one amount missing, of 4.
  await connection.run(
    "insert into orders values (1, 10, 'ada@example.com'), (2, null, 'bob@example.com'), (2, 5, 'eve@example.com'), (4, 7, null)",
  );
  await connection.run(`copy orders to '${join(folder, "orders.parquet")}' (format parquet)`);
  await connection.run(`copy orders to '${join(folder, "export of today.csv")}' (format csv, header)`);
  connection.closeSync();
  instance.closeSync();
  writeFileSync(join(folder, "packed.csv.gz"), gzipSync(readFileSync(join(folder, "export of today.csv"))));
  writeFileSync(join(folder, "half.parquet"), "PAR1");
  writeFileSync(join(folder, "notes.txt"), "nothing");
  writeFileSync(join(folder, "contract.yaml"), contractOf("orders"));
  writeFileSync(join(folder, "broken.yaml"), "kind: [");
  writeFileSync(join(folder, "other.yaml"), "kind: DataContract\napiVersion: v3.1.0\n");
  const several = contractOf("orders").replace("schema:\n", "").split("\n").slice(5).join("\n");
  writeFileSync(join(folder, "several.yaml"), `${contractOf("people")}${several}`);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const contractOf = (table: string) => `apiVersion: v3.1.0
kind: DataContract
id: orders
version: 1.0.0
status: active
schema:
  - name: ${table}
    properties:
      - name: id
        quality:
          - type: library
            metric: duplicateValues
            mustBe: 0
      - name: amount
        quality:
          - type: library
            metric: nullValues
            mustBe: 0
      - name: email
        quality:
          - type: sql
            query: select count(*) from ${table} where email like 'eve%'
            mustBe: 1
`;

const evaluate = (...args: string[]) =>
  new Promise<{ code: number; out: string; err: string }>((done) => {
    const command = [join(import.meta.dirname, "plumbline.mjs"), "contract", "evaluate", ...args];
    const env = { NODE_ENV: "test" as const, PATH: process.env.PATH, ...programEnv };
    execFile(process.execPath, command, { cwd: folder, env }, (error, out, err) =>
      done({ code: error ? Number(error.code) : 0, out, err }),
    );
  });

test.each([["orders.parquet"], ["export of today.csv"], ["packed.csv.gz"]])(
  "%s is evaluated: score, verdicts, failing rows, and the exit code",
  async (file) => {
    const { code, out, err } = await evaluate("--file", file, "--contract", "contract.yaml", "--full");
    // (0 + 75 + 100) / 3
    expect(out, err).toMatch(/^orders \(orders\): 58\.33, below 80$/m);
    expect(out).toMatch(/^ {2}FAILED {2}.*id: score 0; .*\n +id: 2, occurrences: 2$/m);
    expect(out).toMatch(/^ {2}FAILED {2}.*amount: score 75; .*\n +amount: NULL, .*bob@example\.com/m);
    expect(out).toMatch(/^ {2}passed {2}/m);
    expect(code).toBe(1);
  },
);

test("personal data is masked by default, and JSON and JUnit have the same results", async () => {
  const args = [
    "contract.yaml",
    "--file",
    "orders.parquet",
    "--json",
    "--junit",
    "out.xml",
    "--fail-under",
    "58",
  ];
  const { code, out } = await evaluate(...args);
  expect(code).toBe(0);
  expect(out).not.toContain("bob@example.com");
  const { contracts } = JSON.parse(out);
  expect(contracts).toMatchObject([
    {
      ...{ name: "orders", table: "orders", overallScore: 58.33, failUnder: 58, passed: true },
      ...{ passedCount: 1, failedCount: 2 },
    },
  ]);
  expect(contracts[0].ruleResults.map(({ score }: { score: number }) => score).toSorted()).toEqual([
    0, 100, 75,
  ]);
  expect(readFileSync(join(folder, "out.xml"), "utf8")).toContain('tests="3" failures="2" errors="0"');
});

test("of several tables in a contract, the one with the file's name", async () => {
  const { out } = await evaluate("--file", "orders.parquet", "--contract", "several.yaml");
  expect(out).toMatch(/\(orders\): 58\.33/);
  const other = await evaluate("--file", "packed.csv.gz", "--contract", "several.yaml");
  expect(other.code).toBe(2);
  expect(other.err).toContain("several tables (people, orders): the file must have the name of one");
});

test.each([
  [["--file", "missing.csv", "--contract", "contract.yaml"], "cannot be read (ENOENT)"],
  [["--file", "half.parquet", "--contract", "contract.yaml"], "too small to be a Parquet file"],
  [["--file", "notes.txt", "--contract", "contract.yaml"], "must be CSV, TSV, Parquet, or JSON"],
  [["--file", "orders.parquet", "--contract", "broken.yaml"], "YAML"],
  [["--file", "orders.parquet", "--contract", "other.yaml"], "Open Data Contract Standard"],
  [["--file", "orders.parquet", "--contract", "none.yaml"], "none.yaml"],
  [["--file", "orders.parquet"], "needs a --contract"],
  [["--file", "orders.parquet", "a.yaml", "--contract", "b.yaml"], "one argument too many"],
  [
    ["--file", "orders.parquet", "--contract", "contract.yaml", "--data-source", "1"],
    "takes no --data-source",
  ],
])("%j could not be found out: 2", async (args, message) => {
  const { code, err } = await evaluate(...args);
  expect([code, err]).toEqual([2, expect.stringContaining(message)]);
});
