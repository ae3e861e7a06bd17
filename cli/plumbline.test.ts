import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { evaluations } from "../server/data-quality/evaluations/tables.ts";
import { contracts } from "../server/data-quality/tables.ts";
import { closeSources } from "../server/data-sources/service/connected-sources.ts";
import { db, sql } from "../server/db/client.ts";
import { aKey } from "../server/test/factories/api-keys.ts";
import { aContract, aRule } from "../server/test/factories/contracts.ts";
import { aDataSource } from "../server/test/factories/data-sources.ts";
import { aDbtTest, aManifest } from "../server/test/factories/dbt.ts";
import { anOdcsFile } from "../server/test/factories/odcs.ts";
import { programEnv } from "../server/test/program-env.ts";
import { startRest } from "./service.fixture.ts";

/** The command in its own process, against REST on an HTTP port, on a real PostgreSQL. */

let service: Awaited<ReturnType<typeof startRest>>;
let url: string;
let rawKey: string;
let folder: string;
let dataSourceId: number;

beforeAll(async () => {
  service = await startRest();
  url = service.url;
  rawKey = (await aKey()).rawKey;
  folder = mkdtempSync(join(tmpdir(), "plumbline-cli-"));
  dataSourceId = (await aDataSource()).id;
  await sql.unsafe(
    "create table orders (id int, code text); insert into orders values (1, 'a'), (2, 'b'), (2, null), (4, 'd')",
  );
});
afterAll(async () => {
  service.close();
  rmSync(folder, { recursive: true, force: true });
  await closeSources();
});

type Ended = { code: number | null; out: string; err: string };

async function plumbline(
  args: string[],
  environment: Record<string, string | undefined> = {},
): Promise<Ended> {
  const child: ChildProcess = spawn(process.execPath, [join(import.meta.dirname, "plumbline.mjs"), ...args], {
    cwd: folder,
    env: { NODE_ENV: "test", ...programEnv, PLUMBLINE_URL: url, PLUMBLINE_API_KEY: rawKey, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = once(child, "close");
  const [out, err] = await Promise.all(
    [child.stdout, child.stderr].map((stream) => (stream ? text(stream) : "")),
  );
  const [code] = await ended;
  return { code, out: out ?? "", err: err ?? "" };
}

const file = (name: string, content: string) => {
  writeFileSync(join(folder, name), content);
  return name;
};

/** Uniqueness fails: of three rules with equal weights, two pass. */
const aFailingContract = () =>
  aContract({
    ...{ name: `Orders <&"'> \u0007 of "today"`, dataSourceId, tableName: "orders", failureThreshold: 60 },
    rules: [
      aRule("Volume", { minRows: 4 }, { name: "There are four" }),
      aRule("Uniqueness", { column: "id" }, { name: "id ]]> is unique" }),
      aRule("NullRate", { column: "code", maxNullPercent: 25 }),
    ],
  });

describe("contract evaluate <id>", () => {
  test("exits with 0 at the score, and with 1 below it", async () => {
    const { id } = await aFailingContract();
    const at = await plumbline(["contract", "evaluate", String(id), "--fail-under", "66.67"]);
    expect(at).toMatchObject({ code: 0, err: "" });
    expect(at.out).toContain(
      ": 66.67, at least 66.67\n  passed  There are four\n  FAILED  id ]]> is unique: score 0; expected no duplicates;",
    );
    expect(at.out).not.toContain("\u0007");
    const below = await plumbline(["contract", "evaluate", String(id), "--fail-under", "66.68"]);
    expect(below).toMatchObject({ code: 1, err: "" });
    // Its own threshold, 60, is the default.
    expect((await plumbline(["contract", "evaluate", String(id)])).code).toBe(0);
    expect(await db.$count(evaluations)).toBeGreaterThanOrEqual(3);
  });

  test("writes well-formed JUnit XML, and JSON", async () => {
    const { id } = await aFailingContract();
    const { code, out } = await plumbline([
      "contract",
      "evaluate",
      String(id),
      "--json",
      "--junit",
      "out.xml",
      "--fail-under",
      "90",
    ]);
    expect(code).toBe(1);
    const [contract] = JSON.parse(out).contracts;
    expect(contract).toMatchObject({
      contractId: id,
      overallScore: 66.67,
      failUnder: 90,
      passed: false,
      failedCount: 1,
    });
    expect(contract.ruleResults).toHaveLength(3);
    const xml = readFileSync(join(folder, "out.xml"), "utf8");
    expect(xml).toContain(
      '<testsuite name="Orders &lt;&amp;&quot;&apos;&gt; \uFFFD of &quot;today&quot;" tests="3" failures="1" errors="0" skipped="0"',
    );
    expect(xml).toContain('<testcase name="id ]]&gt; is unique"');
    expect(xml.match(/<testcase /g)).toHaveLength(3);
    // PostgreSQL parses XML strictly.
    const [counted] = await sql`select xpath('count(//testcase[failure])', ${xml}::xml)::text as failed`;
    expect(counted?.failed).toBe("{1}");
  });

  test("a rule that could not run is an error of the suite", async () => {
    const { id } = await aContract({
      dataSourceId,
      tableName: "orders",
      rules: [aRule("Uniqueness", { column: "gone" })],
    });
    expect((await plumbline(["contract", "evaluate", String(id), "--junit", "out.xml"])).code).toBe(1);
    expect(readFileSync(join(folder, "out.xml"), "utf8")).toMatch(
      /failures="0" errors="1"[\s\S]*<error message="Execution failed:/,
    );
  });
});

describe("contract evaluate <file>", () => {
  const orders =
    "  - {name: orders, quality: [{metric: rowCount, mustBe: 4}], properties: [{name: id, quality: [{metric: duplicateValues, mustBe: 0, tags: [x]}]}]}\n";

  test("tries its contracts without storing anything", async () => {
    const name = file("contract.odcs.yaml", anOdcsFile(orders));
    const before = [await db.$count(contracts), await db.$count(evaluations)];
    const args = ["contract", "evaluate", name, "--data-source", String(dataSourceId), "--fail-under"];
    expect(await plumbline([...args, "51"])).toMatchObject({
      code: 1,
      out: expect.stringContaining("Shop (orders): 50, below 51"),
      err: expect.stringContaining("not used: schema.0.properties.0.quality.0.tags: "),
    });
    expect((await plumbline([...args, "50"])).code).toBe(0);
    expect([await db.$count(contracts), await db.$count(evaluations)]).toEqual(before);
  });

  test.each<[string, string, RegExp]>([
    ["is no YAML", "a: [", /^plumbline: 400 The body is not valid YAML\n {2}line 1/],
    ["has no rules", anOdcsFile("  - {name: orders}"), /has no table with rules/],
  ])("ends with 2 for one that %s", async (_, content, message) => {
    const name = file("broken.yaml", content);
    const { code, err } = await plumbline([
      "contract",
      "evaluate",
      name,
      "--data-source",
      String(dataSourceId),
    ]);
    expect(code).toBe(2);
    expect(
      err
        .split("\n")
        .filter((line) => !line.startsWith("not used"))
        .join("\n"),
    ).toMatch(message);
  });

  test("exits with 2 if it does not exist", async () => {
    const { code, err } = await plumbline(["contract", "evaluate", "none.yaml", "--data-source", "1"]);
    expect([code, err]).toEqual([2, "plumbline: none.yaml cannot be read (ENOENT)\n"]);
  });
});

test("contract export and import round-trip a file", async () => {
  const { id } = await aFailingContract();
  expect(await plumbline(["contract", "export", String(id), "--output", "orders.yaml"])).toEqual({
    code: 0,
    out: "",
    err: "",
  });
  const exported = readFileSync(join(folder, "orders.yaml"), "utf8");
  expect((await plumbline(["contract", "export", String(id)])).out).toBe(exported);
  const imported = await plumbline([
    "contract",
    "import",
    "orders.yaml",
    "--data-source",
    String(dataSourceId),
  ]);
  expect(imported).toMatchObject({ code: 0, err: "" });
  const copy = imported.out.split(" ")[0] ?? "";
  expect((await plumbline(["contract", "evaluate", copy, "--fail-under", "66.67"])).code).toBe(0);
});

describe("exits with 2 and a reason", () => {
  test.each<[string, string[], Record<string, string | undefined>, RegExp]>([
    ["without a command", [], {}, /There is no such command\n\nUsage:/],
    ["with an unknown one", ["contract", "drop", "1"], {}, /no such command/],
    ["with an unknown option", ["contract", "evaluate", "1", "--fail-over", "1"], {}, /--fail-over/],
    [
      "with an option of another command",
      ["contract", "export", "1", "--junit", "a"],
      {},
      /takes no --junit/,
    ],
    ["with a score that is none", ["contract", "evaluate", "1", "--fail-under", "1e1"], {}, /from 0 to 100/],
    ["with a file and no data source", ["contract", "evaluate", "a.yaml"], {}, /needs a --data-source/],
    [
      "without a key",
      ["contract", "evaluate", "1"],
      { PLUMBLINE_API_KEY: undefined },
      /PLUMBLINE_API_KEY is not set/,
    ],
    [
      "with a key that is refused",
      ["contract", "evaluate", "1"],
      { PLUMBLINE_API_KEY: "sk-svc_nothing" },
      /^plumbline: 401 Invalid or expired API key\n$/,
    ],
    ["for a contract that is not there", ["contract", "evaluate", "2000000000"], {}, /^plumbline: 404 /],
    [
      "without the service",
      ["contract", "evaluate", "1", "--url", "http://127.0.0.1:1"],
      {},
      /cannot be reached \(ECONNREFUSED\)/,
    ],
    [
      "with an address of something else",
      ["contract", "evaluate", "1", "--url", "ftp://a"],
      {},
      /must be an http or https address/,
    ],
  ])("%s", async (_, args, environment, message) => {
    const { code, out, err } = await plumbline(args, environment);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toMatch(message);
    expect(err).not.toContain(rawKey);
  });

  test("with a read-only key", async () => {
    const { id } = await aFailingContract();
    const reader = await aKey({ scopes: ["Read"] });
    const { code, err } = await plumbline(["contract", "evaluate", String(id)], {
      PLUMBLINE_API_KEY: reader.rawKey,
    });
    expect([code, err]).toEqual([2, expect.stringMatching(/^plumbline: 403 /)]);
  });

  test("if its report cannot be written", async () => {
    const { id } = await aFailingContract();
    const { code, err } = await plumbline([
      "contract",
      "evaluate",
      String(id),
      "--junit",
      "no/such/folder.xml",
    ]);
    expect([code, err]).toEqual([2, "plumbline: no/such/folder.xml cannot be written (ENOENT)\n"]);
  });
});

test("a reader that stops early, as `head` does, changes nothing", async () => {
  const child = spawn(process.execPath, [join(import.meta.dirname, "plumbline.mjs"), "--help"]);
  child.stdout.destroy();
  const [err, [code]] = await Promise.all([text(child.stderr), once(child, "close")]);
  expect({ code, err }).toEqual({ code: 0, err: "" });
});

test("--help and --version need nothing else", async () => {
  expect(await plumbline(["--help"], { PLUMBLINE_API_KEY: undefined })).toMatchObject({ code: 0, err: "" });
  expect((await plumbline(["--version"])).out).toMatch(/^\d+\.\d+\.\d+\n$/);
});

describe("import", () => {
  const aRowCount = { type: "expect_table_row_count_to_be_between", kwargs: { min_value: 1 } };

  const target = (manifest: object) => {
    mkdirSync(join(folder, "target"), { recursive: true });
    file("target/manifest.json", JSON.stringify(manifest));
    return "target";
  };

  test("shows what would happen, imports, and changes nothing the second time", async () => {
    const { id, name } = await aDataSource({ name: "Sales warehouse" });
    const tests = { "test.shop.a": aDbtTest("unique", { column: "id" }), "test.shop.b": aDbtTest("is_odd") };
    target(aManifest({ schema: "public", tests }));
    const dry = await plumbline(["import", "dbt", "target/", "--source", name, "--dry-run"]);
    expect(dry).toMatchObject({ code: 0, err: "" });
    expect(dry.out).toContain("shop: manifest v12, written by dbt 1.10.0\nWould carry over 1 of 2 tests");
    expect(dry.out).toContain("not carried over: models/shop.yml › is_odd_orders_: Has no counterpart");
    for (const expected of ["contracts: 1 new", "contracts: 0 new"]) {
      const { code, out } = await plumbline(["import", "dbt", "target", "--source", String(id)]);
      expect([code, out]).toEqual([0, expect.stringContaining(expected)]);
    }
  });

  test("reads folders of Soda's checks, and suites of Great Expectations", async () => {
    const { id } = await aDataSource({ name: "Checks" });
    mkdirSync(join(folder, "soda/nested"), { recursive: true });
    file(
      "soda/a.yml",
      // biome-ignore lint/suspicious/noTemplateCurlyInString: Soda's syntax for variables
      "checks for ghosts:\n  - row_count >= ${LEAST}\n  - change avg last 7 for row_count < 50\n",
    );
    file("soda/nested/b.yaml", "dataset: public/projects\ncolumns: [{name: id, checks: [missing:]}]\n");
    const given = ["import", "soda", "soda", "--source", String(id), "--variable", "LEAST=1"];
    const { code, out } = await plumbline(given);
    expect([code, out]).toEqual([0, expect.stringContaining("Carried over 1 of 3 checks")]);
    expect(out).toContain("no such table: public.ghosts (checks not imported: 1)");
    expect(out.match(/public\.ghosts/g)).toHaveLength(1);

    file("suite.json", JSON.stringify({ name: "nightly", expectations: [aRowCount] }));
    const gx = ["import", "gx", "suite.json", "--source", String(id)];
    expect((await plumbline([...gx, "--dry-run"])).out).toContain("Would carry over 0 of 1 expectations");
    const named = await plumbline([...gx, "--table", "nightly=public.projects"]);
    expect(named.out).toContain("rules: 1 new");
  });

  test.each([
    [["import", "dbt", "target"], "needs a --source"],
    [["import", "deequ", "target"], "import needs to know of what"],
    [["import", "soda", "nowhere.yml", "--source", "1"], "nowhere.yml cannot be read"],
    [["import", "soda", "target", "--source", "1"], "target has no .yml or .yaml file"],
    [["import", "gx", "target", "--source", "1", "--table", "x"], "--table must be <name>=<value>"],
    [["import", "dbt", "nowhere", "--source", "1"], "nowhere/manifest.json cannot be read"],
    [["import", "dbt", "target", "--source", "Nothing"], "There is no data source named Nothing"],
  ])("%j is explained", async (args, message) => {
    target(aManifest());
    const { code, err } = await plumbline(args);
    expect([code, err]).toEqual([2, expect.stringContaining(message)]);
  });
});
