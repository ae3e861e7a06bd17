import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { closeSources } from "../server/data-sources/service/connected-sources.ts";
import { db, sql } from "../server/db/client.ts";
import { taughtCells } from "../server/findings/tables.ts";
import { aKey } from "../server/test/factories/api-keys.ts";
import { aDataSource } from "../server/test/factories/data-sources.ts";
import { programEnv } from "../server/test/program-env.ts";
import { startRest } from "./service.fixture.ts";

/** The command in its own process, against REST. */

let service: Awaited<ReturnType<typeof startRest>>;
let key: string;

beforeAll(async () => {
  service = await startRest();
  key = (await aKey({ scopes: ["Admin"] })).rawKey;
});
afterAll(async () => {
  service.close();
  await closeSources();
});
beforeEach(async () => {
  await sql.unsafe("drop schema if exists taught cascade; create schema taught");
  await sql.unsafe("create table taught.parcels (id int primary key, weight text, town text)");
  // A third of the weights have their unit behind them: too many for a finding.
  await sql.unsafe(`
    insert into taught.parcels
    select n, case when n % 3 = 0 then n % 40 || '.5 kg' else n % 37 || '.5' end,
      (array['Bremen', 'Kiel', 'Ulm'])[1 + n % 3]
    from generate_series(1, 300) as n`);
});

/** Runs the command. `press` says which key each question gets, by the column and the value that it marks. */
async function teach(args: string[], press: (column: string, value: string, question: number) => string) {
  const child = spawn(process.execPath, [join(import.meta.dirname, "plumbline.mjs"), "teach", ...args], {
    env: {
      NODE_ENV: "test",
      ...programEnv,
      PLUMBLINE_URL: service.url,
      PLUMBLINE_API_KEY: key,
      COLUMNS: "80",
    },
  });
  let [out, err, read, question] = ["", "", 0, 0];
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    err += text;
  });
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    out += text;
    for (;;) {
      const asked = /^> (\S+) +\[(.*)\]$[\s\S]*?^r right .*\n/m.exec(out.slice(read));
      if (!asked) return;
      read += asked.index + asked[0].length;
      child.stdin.write(press(asked[1] ?? "", asked[2] ?? "", ++question));
    }
  });
  const [code] = await once(child, "close");
  return { code, out, err };
}

const whoKnows = (column: string, value: string) => (column === "weight" && value.includes("kg") ? "w" : "r");

test("asks one cell after the other, and says what the answers have changed", async () => {
  await aDataSource({ name: "Parcels" });
  const { code, out, err } = await teach(["Parcels", "parcels"], whoKnows);
  expect([code, err]).toEqual([0, ""]);
  expect(out).toMatch(/^Are these cells of taught\.parcels right\?/);
  expect(out).toMatch(/^1 of at most 20: is this \S+ right\?\n {2}id +\d+\n/m);
  expect(out).toMatch(/\nNo more questions\.\nNew, \d\d% sure: 100 /);
  expect(Math.max(...out.split("\n").map((line) => line.length))).toBeLessThanOrEqual(110);
});

test("an answer can be taken back, other keys are ignored, and the end of the input stops", async () => {
  const { id } = await aDataSource({ name: "Again" });
  const { code, out } = await teach([String(id), "taught.parcels"], (_, __, question) =>
    question === 1 ? "x r" : question === 2 ? "z" : "q",
  );
  expect(code).toBe(0);
  expect(out.match(/^1 of at most 20: /gm)).toHaveLength(2);
  expect(out).toContain("\n  Right\n");
  expect(out).toContain("\n  Undone\n");
  expect(out).toMatch(/Your answers changed no finding\.\n$/);
  expect((await db.select().from(taughtCells)).filter(({ dataSourceId }) => dataSourceId === id)).toEqual([]);
});

test("who stops at once changes nothing, and nothing is scanned", async () => {
  const { id } = await aDataSource({ name: "Untouched" });
  const { code, out } = await teach(["Untouched", "parcels"], () => "q");
  expect([code, out.endsWith("\nNothing was answered.\n")]).toEqual([0, true]);
  expect(await sql`select 1 from finding_scans where data_source_id = ${id}`).toHaveLength(0);
});

test.each<[string[], RegExp]>([
  [["Parcels"], /teach needs a data source of the service and one of its tables/],
  [["Parcels", "parcels", "weight"], /weight is one argument too many/],
  [["Parcels", "parcels", "--json"], /teach takes no --json/],
  [["Nowhere", "parcels"], /There is no data source Nowhere\n$/],
])("%s ends with 2, and says why", async (args, message) => {
  const { code, out, err } = await teach(args, () => "q");
  expect([code, out]).toEqual([2, ""]);
  expect(err).toMatch(message);
});
