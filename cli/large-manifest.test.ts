import { spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { type IncomingMessage, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { closeSources } from "../server/data-sources/service/connected-sources.ts";
import { sql } from "../server/db/client.ts";
import { handleRest } from "../server/doors/rest/dispatch.ts";
import { createLimitedServer } from "../server/process/http-server.ts";
import { sendResponse, webRequest } from "../server/process/web-bridge.ts";
import { aKey } from "../server/test/factories/api-keys.ts";
import { aDataSource } from "../server/test/factories/data-sources.ts";

/**
 * A dbt manifest of 300 MB, most of it macros and compiled models as dbt writes them: the command imports it in bounded
 * memory, REST refuses it at once, and the service answers others meanwhile. Bodies are read as in production.
 */

const models = 1000;
const megabyte = 1024 * 1024;

let server: Server;
let url: string;
let rawKey: string;
let folder: string;
let dataSourceId: number;
let size = 0;

beforeAll(async () => {
  server = createLimitedServer((incoming, response) => {
    const answer = handleRest(webRequest(incoming, incoming.url ?? "/"));
    void answer.then((each) => sendResponse(each, incoming, response));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  rawKey = (await aKey()).rawKey;
  await sql.unsafe("create table model_7 (id int)");
  dataSourceId = (await aDataSource()).id;
  folder = mkdtempSync(join(tmpdir(), "plumbline-large-"));
  mkdirSync(join(folder, "target"));
  await pipeline(Readable.from(manifest()), createWriteStream(join(folder, "target/manifest.json")));
}, 120_000);
afterAll(async () => {
  server.close();
  server.closeAllConnections();
  rmSync(folder, { recursive: true, force: true });
  await closeSources();
});

/** Piece by piece, so that this process does not hold it either. */
function* manifest(): Generator<string> {
  const metadata = {
    dbt_schema_version: "https://schemas.getdbt.com/dbt/manifest/v12.json",
    ...{ dbt_version: "1.10.0", project_name: "large" },
  };
  const piece = (written: string) => {
    size += written.length;
    return written;
  };
  yield piece(`{"metadata": ${JSON.stringify(metadata)}, "nodes": {`);
  const compiled = "select a_column from a_table where another_column = 'a value' union all ".repeat(1500);
  for (let at = 0; at < models; at++) {
    const name = `model_${at}`;
    const shared = { package_name: "large", original_file_path: "models/large.yml", config: {} };
    const model = {
      ...{ resource_type: "model", name, alias: name, schema: "public", ...shared },
      ...{ columns: { id: { name: "id" } }, compiled_code: compiled, raw_code: compiled },
    };
    const tested = {
      ...{ resource_type: "test", name: `unique_${name}_id`, ...shared, column_name: "id" },
      ...{ attached_node: `model.large.${name}`, depends_on: { nodes: [`model.large.${name}`] } },
      test_metadata: { name: "unique", namespace: null, kwargs: {} },
    };
    const nodes = { [`model.large.${name}`]: model, [`test.large.unique_${name}`]: tested };
    yield piece(`${at === 0 ? "" : ","}${JSON.stringify(nodes).slice(1, -1)}`);
  }
  yield piece(`}, "sources": {}, "macros": {`);
  const macro = "{% macro a() %} select 1 {% endmacro %} ".repeat(2500);
  for (let at = 0; size < 300 * megabyte; at++) {
    const written = { name: `macro_${at}`, package_name: "dbt", macro_sql: macro };
    yield piece(`${at === 0 ? "" : ","}"macro.dbt.macro_${at}": ${JSON.stringify(written)}`);
  }
  yield piece("}}");
}

/** Asks for the data sources again and again until something has ended: every answer's status. */
async function answersUntil(ended: Promise<unknown>): Promise<number[]> {
  let isOver = false;
  const over = ended.finally(() => {
    isOver = true;
  });
  const statuses: number[] = [];
  while (!isOver) {
    const asked = await fetch(`${url}/svc/api/data-sources`, {
      headers: { authorization: `Bearer ${rawKey}` },
    });
    await asked.arrayBuffer();
    statuses.push(asked.status);
  }
  await over;
  return statuses;
}

test("the command imports it with little memory, while the service answers others", {
  timeout: 120_000,
}, async () => {
  const given = ["import", "dbt", "target", "--source", String(dataSourceId)];
  const child = spawn(process.execPath, [join(import.meta.dirname, "plumbline.mjs"), ...given], {
    cwd: folder,
    env: { NODE_ENV: "test", PLUMBLINE_URL: url, PLUMBLINE_API_KEY: rawKey },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let kilobytes = 0;
  const watching = setInterval(() => {
    kilobytes = Math.max(kilobytes, peakOf(child.pid));
  }, 20);
  const ended = Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  const statuses = await answersUntil(ended);
  clearInterval(watching);
  const [out, err, [code]] = await ended;
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(out).toContain("large: manifest v12, written by dbt 1.10.0");
  expect(out).toContain(`Carried over 1 of ${models} tests`);
  expect(out).toContain("contracts: 1 new");
  expect(size).toBeGreaterThan(300 * megabyte);
  expect(new Set(statuses)).toEqual(new Set([200]));
  // Where the operating system tells it.
  if (process.platform === "linux") expect(kilobytes / 1024).toBeLessThan(250);
});

test.each([
  ["its length is declared", true],
  ["its length is not declared", false],
])(
  "REST refuses it before it has arrived, if %s, and answers others",
  { timeout: 120_000 },
  async (_, isDeclared) => {
    const before = process.memoryUsage.rss();
    const statuses = answersUntil(refused(isDeclared));
    expect(new Set(await statuses)).toEqual(new Set([200]));
    // At most the limit of 16 MB was kept, although 300 MB were to come.
    expect((process.memoryUsage.rss() - before) / megabyte).toBeLessThan(150);
  },
);

/** Sends a body that would have 300 MB until there is an answer, which must be the refusal. */
async function refused(isDeclared: boolean): Promise<void> {
  const length = 300 * megabyte;
  const sending = request(`${url}/svc/api/data-quality/imports/dbt`, {
    method: "POST",
    headers: {
      ...{ authorization: `Bearer ${rawKey}`, "content-type": "application/json" },
      ...(isDeclared ? { "content-length": length } : { "transfer-encoding": "chunked" }),
    },
  });
  // The server may disconnect while this is still sending.
  sending.on("error", () => {});
  const answered = once(sending, "response") as Promise<[IncomingMessage]>;
  let isAnswered = false;
  void answered.finally(() => {
    isAnswered = true;
  });
  const piece = Buffer.alloc(megabyte / 4, " ");
  for (let sent = 0; sent < length && !isAnswered; sent += piece.length)
    if (!sending.write(piece)) await Promise.race([once(sending, "drain"), answered]);
  const [response] = await answered;
  expect(response.statusCode).toBe(413);
  expect(JSON.parse(await text(response))).toMatchObject({
    detail: expect.stringMatching(/^The body is larger than 16 MB: `npx plumbline import dbt` /),
  });
  sending.destroy();
}

/** The kilobytes that a process has had at most; 0 where that cannot be told. */
function peakOf(pid: number | undefined): number {
  try {
    return Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "latin1"))?.[1] ?? 0);
  } catch {
    return 0;
  }
}
