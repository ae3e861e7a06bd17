import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { parse } from "yaml";
import packageJson from "../package.json" with { type: "json" };
import { closeSources } from "../server/data-sources/service/connected-sources.ts";
import { sql } from "../server/db/client.ts";
import { faulty, inShort, plantedInFile } from "../server/findings/files/orders.fixture.ts";
import { aKey } from "../server/test/factories/api-keys.ts";
import { aContract, aRule } from "../server/test/factories/contracts.ts";
import { aDataSource } from "../server/test/factories/data-sources.ts";
import { drivers } from "./drivers.mjs";
import { startRest } from "./service.fixture.ts";

/**
 * The command as pipelines get it: packed, installed into an empty folder, and run by the GitHub Action and the GitLab
 * template, whose steps are run as their runners do, against REST on an HTTP port.
 */
const root = join(import.meta.dirname, "..");
let service: Awaited<ReturnType<typeof startRest>>;
let rawKey: string;
let folder: string;
let tarball: string;
let installed: string;
let dataSourceId: number;
let contractId: number;

beforeAll(async () => {
  service = await startRest();
  rawKey = (await aKey()).rawKey;
  folder = mkdtempSync(join(tmpdir(), "plumbline-pipelines-"));
  dataSourceId = (await aDataSource({ name: "Shop" })).id;
  await sql.unsafe(
    "create table public.orders (id int, code text); insert into orders values (1, 'a'), (2, null)",
  );
  const rules = [
    aRule("Volume", { minRows: 1 }, { name: "Some rows" }),
    aRule("NullRate", { column: "code", maxNullPercent: 0 }, { name: "Code | <there>" }),
  ];
  contractId = (await aContract({ name: "Orders", dataSourceId, tableName: "orders", rules })).id;

  execFileSync(process.execPath, [join(root, "scripts/command-package.mjs"), join(folder, "package")]);
  const packed = execFileSync("npm", ["pack", "--json", "--pack-destination", folder], {
    cwd: join(folder, "package"),
    encoding: "utf8",
  });
  tarball = join(folder, (JSON.parse(packed) as [{ filename: string }])[0].filename);
  installed = join(folder, "empty");
  mkdirSync(installed);
  writeFileSync(join(installed, "package.json"), "{}");
  execFileSync("npm", ["install", "--offline", "--no-audit", "--no-fund", tarball], { cwd: installed });
}, 120_000);
afterAll(async () => {
  service.close();
  rmSync(folder, { recursive: true, force: true });
  await closeSources();
});

type Run = { code: number | null; stdout: string; stderr: string };

async function run(program: string, args: string[], options: { cwd: string; env?: Record<string, string> }) {
  const child = spawn(program, args, {
    ...{ cwd: options.cwd, stdio: ["ignore", "pipe", "pipe"] },
    env: { ...process.env, PLUMBLINE_URL: service.url, PLUMBLINE_API_KEY: rawKey, ...options.env },
  });
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout as never),
    text(child.stderr as never),
    once(child, "close") as Promise<[number | null]>,
  ]);
  return { code, stdout, stderr } satisfies Run;
}
const command = (...args: string[]) =>
  run(join(installed, "node_modules/.bin/plumbline"), args, { cwd: installed });

const aFile = (name: string, text: string) => {
  writeFileSync(join(installed, name), text);
  return name;
};

describe("the package", () => {
  test("is the command alone: small, with nothing else to install", async () => {
    const inside = readdirSync(join(installed, "node_modules/plumbline"), { recursive: true }).map(String);
    expect(inside.filter((name) => !/^(cli|dist)[\\/]/.test(name)).sort()).toEqual([
      ...["LICENSE", "README.md", "cli", "dist", "package.json"],
    ]);
    expect(inside.filter((name) => /test|fixture|\.ts$/.test(name))).toEqual([]);
    // Most of it is what scans and evaluates without a service.
    expect(readFileSync(tarball).length).toBeLessThan(800_000);
    expect(readdirSync(join(installed, "node_modules")).filter((name) => !name.startsWith("."))).toEqual([
      "plumbline",
    ]);
    expect((await command("--version")).stdout).toBe(`${packageJson.version}\n`);
    expect((await command("contract", "evaluate", "x", "--nothing")).code).toBe(2);
  });

  test("reads a folder of files, and applies it", async () => {
    mkdirSync(join(installed, "stack"));
    aFile("stack/plumbline.yaml", "stack: acme/checks\n");
    aFile("stack/shop.yaml", "projects:\n  - name: Shop\n    descripton: Misspelled\n");
    expect(await command("diff", "stack")).toMatchObject({
      ...{ code: 2, stderr: "plumbline: shop.yaml:3: descripton is not a known field\n" },
    });
    aFile("stack/shop.yaml", "projects:\n  - name: A shop of its own\n");
    expect((await command("diff", "stack")).code).toBe(1);
    expect((await command("apply", "stack")).stdout).toContain("created project A shop of its own\n");
    expect((await command("diff", "stack")).code).toBe(0);
  });

  test("evaluates, with reports for machines and people", async () => {
    const files = ["--junit", "out.xml", "--sarif", "out.sarif", "--summary", "out.md"];
    const { code, stdout } = await command(
      "contract",
      "evaluate",
      String(contractId),
      "--fail-under",
      "90",
      ...files,
    );
    expect([code, stdout]).toEqual([1, expect.stringContaining("FAILED  Code | <there>")]);
    const written = (name: string) => readFileSync(join(installed, name), "utf8");
    expect(written("out.xml")).toContain('failures="1"');
    expect(written("out.md")).toContain("| ❌ failed | Orders | public.orders | ");
    expect(written("out.md")).toContain("| Orders | Code &#124; &lt;there> | ");
    const sarif = JSON.parse(written("out.sarif"));
    expect(sarif).toMatchObject({
      version: "2.1.0",
      runs: [
        {
          tool: { driver: { name: "Plumbline", version: packageJson.version, rules: [{ id: "NullRate" }] } },
          results: [
            {
              ...{ ruleId: "NullRate", ruleIndex: 0, level: "warning" },
              message: { text: expect.stringMatching(/^Orders: Code \| <there>: score /) },
              locations: [{ physicalLocation: { artifactLocation: { uri: "public.orders" } } }],
              partialFingerprints: { "plumbline/v1": "Orders: Code | <there>" },
            },
          ],
        },
      ],
    });
    expect((await command("contract", "evaluate", String(contractId), "--fail-under", "10")).code).toBe(0);
  });

  test("a file is compared and applied; applied again, it changes nothing", async () => {
    const source = String((await aDataSource({ name: "Applied" })).id);
    const exported = await command("contract", "export", String(contractId));
    const file = aFile("orders.odcs.yaml", exported.stdout);
    const of = [file, "--data-source", source];
    const before = await command("contract", "diff", ...of);
    expect([before.code, before.stdout]).toEqual([
      1,
      "+ Orders (orders)\n1 to create, 0 to change, 0 as in the file\n",
    ]);
    expect((await command("contract", "apply", ...of)).code).toBe(0);
    const same = await command("contract", "diff", ...of);
    expect([same.code, same.stdout]).toEqual([
      0,
      expect.stringMatching(
        /^ {2}Orders \(public\.orders\) #\d+: as in the file\n0 to create, 0 to change, 1 as in the file\n$/,
      ),
    ]);

    aFile("orders.odcs.yaml", exported.stdout.replace(/(mustBeGreaterOrEqualTo|mustBeBetween): .*/, "$1: 2"));
    const changed = await command("contract", "diff", ...of);
    expect([changed.code, changed.stdout]).toEqual([
      1,
      expect.stringContaining("~ rule Some rows: configuration"),
    ]);
    expect((await command("contract", "apply", ...of)).code).toBe(0);
    expect((await command("contract", "diff", ...of)).code).toBe(0);
    expect((await command("contract", "apply", ...of)).stdout).toContain(
      "0 to create, 0 to change, 1 as in the file",
    );
    const [{ count } = { count: 0 }] = await sql<{ count: number }[]>`
      select count(*)::int as count from contracts where data_source_id = ${source}`;
    expect(count).toBe(1);
  });

  test("scans a data source", async () => {
    const scanned = await command(
      "scan",
      "Shop",
      "--table",
      "orders",
      "--sarif",
      "scan.sarif",
      "--summary",
      "scan.md",
    );
    expect(scanned.code, scanned.stderr).toBe(0);
    expect(JSON.parse(readFileSync(join(installed, "scan.sarif"), "utf8")).version).toBe("2.1.0");
    expect(readFileSync(join(installed, "scan.md"), "utf8")).toContain("### What looks wrong in Shop");
  });

  test("lists incidents", async () => {
    // The contract of the tests before is below its threshold.
    const incidents = (...more: string[]) => command("incidents", "--summary", "incidents.md", ...more);
    await expect
      .poll(async () => (await incidents()).stdout, { timeout: 30_000 })
      .toMatch(/^\d+ High, Open, since \S+Z: Orders: score 75, below 80\n$/);
    expect(readFileSync(join(installed, "incidents.md"), "utf8")).toMatch(
      /\| \[\d+\]\(http:\S+\/incidents\/\d+\) \| High \| Open \| \S+ \| Orders: score 75, below 80 \|/,
    );
    expect([(await incidents()).code, (await incidents("--fail-on", "critical")).code]).toEqual([0, 0]);
    expect((await incidents("--fail-on", "high")).code).toBe(1);

    const elsewhere = String((await aDataSource()).projectId);
    const none = await incidents("--project", elsewhere, "--fail-on", "low");
    expect([none.code, none.stdout]).toEqual([0, "No current incidents\n"]);
    expect(readFileSync(join(installed, "incidents.md"), "utf8")).toBe("### Current incidents\n\nNone.\n");
    expect((await command("incidents", "--fail-on", "3")).code).toBe(2);
  });
});

describe("the package, without a service", () => {
  let address: string;
  let withDrivers: string;

  beforeAll(async () => {
    const { host, port, database, user, pass } = sql.options;
    address = `postgres://${user}:${pass}@${host[0]}:${port[0]}/${database}`;
    await sql.unsafe(
      "create table public.prices as select id, case id when 90 then 48000 else 10 + id % 7 end as price from generate_series(1, 300) as id",
    );
    // As if they were installed beside it.
    withDrivers = join(folder, "with-drivers");
    cpSync(installed, withDrivers, { recursive: true, verbatimSymlinks: true });
    mkdirSync(join(withDrivers, "node_modules/@duckdb"));
    mkdirSync(join(withDrivers, "node_modules/@clickhouse"));
    for (const name of drivers)
      symlinkSync(join(root, "node_modules", name), join(withDrivers, "node_modules", name));
    writeFileSync(join(withDrivers, "orders.csv"), faulty());
    writeFileSync(join(installed, "orders.csv"), "id\n1\n");
  });
  afterAll(() => sql.unsafe("drop table public.prices"));

  const local = (cwd: string, ...args: string[]) =>
    run(join(cwd, "node_modules/.bin/plumbline"), args, {
      ...{ cwd, env: { PLUMBLINE_URL: "", PLUMBLINE_API_KEY: "" } },
    });

  test("scans PostgreSQL with nothing else installed", async () => {
    const scan = ["scan", address, "--table", "public.prices", "--fail-on", "high", "--json"];
    const { code, stdout, stderr } = await local(installed, ...scan);
    expect([code, stderr]).toEqual([1, ""]);
    const { findings, rowsRead } = JSON.parse(stdout);
    expect([rowsRead, findings.length]).toEqual([300, 1]);
    expect(findings[0]).toMatchObject({
      ...{ kind: "OutOfRange", tableName: "prices", columns: ["price"], failingRows: 1 },
      sample: { rows: [expect.arrayContaining([90, 48000])] },
    });
  });

  test.each([
    [["scan", "orders.csv"], "A file is read by @duckdb/node-api"],
    [["contract", "evaluate", "--file", "orders.csv", "--contract", "any.yaml"], "read by @duckdb/node-api"],
    [["scan", "mysql://a:b@localhost/shop"], "This database is read by mysql2"],
    [["scan", "sqlserver://a:b@localhost/shop"], "This database is read by tedious"],
    [["scan", "clickhouse://a:b@localhost/shop"], "This database is read by @clickhouse/client"],
  ])("%j says which package to install", async (args, message) => {
    writeFileSync(join(installed, "any.yaml"), "kind: DataContract\n");
    const { code, stdout, stderr } = await local(installed, ...args);
    const name = message.split(" ").at(-1);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(`${message}, which is not installed. Run: npm install plumbline ${name}\n`);
  });

  test("scans and evaluates a file where DuckDB is installed, and databases where their drivers are", async () => {
    const scanned = await local(withDrivers, "scan", "orders.csv", "--json");
    expect([scanned.code, scanned.stderr]).toEqual([0, ""]);
    expect(inShort(JSON.parse(scanned.stdout).findings)).toEqual(plantedInFile);

    const shop = new DatabaseSync(join(withDrivers, "shop.sqlite"));
    const prices = Array.from(
      { length: 300 },
      (_, at) => `(${at + 1}, ${at === 89 ? 48_000 : 20 + (at % 60)})`,
    );
    shop.exec(
      `create table prices (id integer primary key, price real); insert into prices values ${prices}`,
    );
    shop.exec("create table empty (id integer)");
    shop.close();
    const inShop = await local(withDrivers, "scan", "shop.sqlite", "--table", "prices", "--json");
    const { findings, tables } = JSON.parse(inShop.stdout);
    expect(tables).toMatchObject([{ tableName: "prices", rows: 300 }]);
    expect(findings).toMatchObject([{ kind: "OutOfRange", columns: ["price"], failingRows: 1 }]);

    // Of 1,000 rows, 499 and 500 have the same number, and nothing is missing.
    writeFileSync(
      join(withDrivers, "orders.odcs.yaml"),
      `apiVersion: v3.1.0
kind: DataContract
id: orders
version: 1.0.0
status: active
schema:
  - name: orders
    properties:
      - name: order_no
        quality: [{ type: library, metric: duplicateValues, mustBe: 0 }]
      - name: id
        quality: [{ type: library, metric: nullValues, mustBe: 0 }]
`,
    );
    const file = ["--file", "orders.csv", "--contract", "orders.odcs.yaml", "--json"];
    const evaluated = await local(withDrivers, "contract", "evaluate", ...file);
    expect(evaluated.code, evaluated.stderr).toBe(1);
    expect(JSON.parse(evaluated.stdout).contracts).toMatchObject([{ passedCount: 1, failedCount: 1 }]);

    const mysql = new URL(inject("mysql").adminUrl);
    mysql.pathname = "/mysql";
    const nowhere = await local(withDrivers, "scan", mysql.href, "--table", "nowhere");
    expect([nowhere.code, nowhere.stderr]).toEqual([2, expect.stringContaining("There is no such table")]);
    for (const scheme of ["sqlserver", "clickhouse"])
      expect((await local(withDrivers, "scan", `${scheme}://a:b@127.0.0.1:1/shop`)).stderr).toContain(
        "cannot be scanned: Connection refused",
      );
  });
});

describe("the GitHub Action", () => {
  const action = parse(readFileSync(join(root, "deploy/github-action/action.yml"), "utf8")) as {
    inputs: Record<string, { default?: string; required?: boolean }>;
    outputs: Record<string, { value: string }>;
    runs: { steps: { id: string; shell: string; env: Record<string, string>; run: string }[] };
  };

  /** As the runner does: expressions are filled in, and each step is a script for bash. */
  async function runAction(given: Record<string, string>) {
    const temp = mkdtempSync(join(folder, "runner-"));
    const files = { GITHUB_STEP_SUMMARY: join(temp, "summary.md"), GITHUB_OUTPUT: join(temp, "output") };
    for (const file of Object.values(files)) writeFileSync(file, "");
    const inputs = { url: service.url, "api-key": rawKey, ...given };
    const filled = (text: string) =>
      text.replaceAll(/\$\{\{ inputs\.([\w-]+) \}\}/g, (_, name: string) => {
        expect(Object.keys(action.inputs)).toContain(name);
        return (inputs as Record<string, string>)[name] ?? action.inputs[name]?.default ?? "";
      });
    const [step] = action.runs.steps as [(typeof action.runs.steps)[0]];
    const script = join(temp, "step.sh");
    writeFileSync(script, filled(step.run));
    const env = Object.fromEntries(Object.entries(step.env).map(([name, value]) => [name, filled(value)]));
    const result = await run("bash", ["--noprofile", "--norc", "-eo", "pipefail", script], {
      cwd: temp,
      env: {
        ...{ ...files, ...env, RUNNER_TEMP: temp },
        GITHUB_ACTION_PATH: join(root, "deploy/github-action"),
      },
    });
    const outputs = readFileSync(files.GITHUB_OUTPUT, "utf8");
    return { ...result, temp, outputs, summary: readFileSync(files.GITHUB_STEP_SUMMARY, "utf8") };
  }

  test("fails below the score, with a summary and reports", async () => {
    const failed = await runAction({ contract: String(contractId), "fail-under": "90", output: "reports" });
    expect([failed.code, failed.summary]).toEqual([1, expect.stringContaining("❌ failed")]);
    expect(failed.outputs).toBe("junit=reports/plumbline.xml\nsarif=reports/plumbline.sarif\n");
    for (const name of ["plumbline.xml", "plumbline.sarif"])
      expect(existsSync(join(failed.temp, "reports", name))).toBe(true);
    expect(failed.stdout + failed.stderr + failed.summary).not.toContain(rawKey);
    const passed = await runAction({ contract: String(contractId), "fail-under": "10" });
    expect([passed.code, passed.summary]).toEqual([0, expect.stringContaining("✅ passed")]);
  });

  test("scans, and ends with 2 when it cannot find out", async () => {
    expect(await runAction({ scan: "Shop" })).toMatchObject({ code: 0 });
    expect(await runAction({ scan: "Nowhere" })).toMatchObject({ code: 2, summary: "", outputs: "" });
    expect((await runAction({})).code).toBe(2);
    expect((await runAction({ contract: "1", scan: "Shop" })).code).toBe(2);
  });

  test("runs no shell that an input contains", async () => {
    const { code, temp } = await runAction({ contract: '"; touch pwned; "$(touch pwned)`touch pwned`' });
    expect([code, existsSync(join(temp, "pwned"))]).toEqual([2, false]);
  });
});

test("the GitLab template runs the package, and its artifacts are what the command writes", async () => {
  const template = parse(readFileSync(join(root, "deploy/gitlab/plumbline.yml"), "utf8"))[".plumbline"] as {
    variables: Record<string, string>;
    script: string[];
    artifacts: { paths: string[]; reports: { junit: string } };
  };
  const job = mkdtempSync(join(folder, "job-"));
  const script = join(job, "script.sh");
  writeFileSync(script, template.script.join("\n"));
  const variables = {
    ...{ ...template.variables, PLUMBLINE_PACKAGE: tarball, npm_config_offline: "true" },
    ...{ PLUMBLINE_CONTRACT: String(contractId), PLUMBLINE_FAIL_UNDER: "90" },
  };
  const failed = await run("sh", ["-e", script], { cwd: job, env: variables });
  expect([failed.code, failed.stdout], failed.stderr).toEqual([1, expect.stringContaining("FAILED")]);
  for (const path of template.artifacts.paths) expect(existsSync(join(job, path)), path).toBe(true);
  expect(template.artifacts.paths).toContain(template.artifacts.reports.junit);
  const passed = await run("sh", ["-e", script], {
    cwd: job,
    env: { ...variables, PLUMBLINE_FAIL_UNDER: "10" },
  });
  expect(passed.code, passed.stderr).toBe(0);
  // What a comment is, pull-request.test.ts tries; here, one that cannot be written fails no job.
  const away = { CI_API_V4_URL: "http://127.0.0.1:1", CI_PROJECT_ID: "1", CI_MERGE_REQUEST_IID: "2" };
  const commented = await run("sh", ["-e", script], {
    cwd: job,
    env: { ...variables, ...away, PLUMBLINE_FAIL_UNDER: "10", PLUMBLINE_COMMENT_TOKEN: "glpat-x" },
  });
  expect([commented.code, commented.stdout]).toEqual([
    0,
    expect.stringContaining("The summary is in the artifacts only"),
  ]);
});
