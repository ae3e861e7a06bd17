import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect } from "@playwright/test";
import postgres from "postgres";
import { type Api, signIn } from "./api.ts";
import { scratch } from "./service.ts";
import { sharedUrl } from "./shared-service.ts";
import { test } from "./test.ts";

/** A pipeline: the command as `npx` runs it in this repository, against the built service. */
const url = sharedUrl;
const serverUrl = process.env.TEST_DATABASE_URL ?? "";
const database = "e2e_cli";
const root = join(import.meta.dirname, "..");
const folder = join(scratch, "cli");

let api: Api;
let rawKey: string;
let dataSourceId: number;
let contractId: number;

test.describe.configure({ mode: "serial" });

test.beforeAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const server = postgres(serverUrl, { max: 1, onnotice: () => {} });
  await server.unsafe(`drop database if exists ${database} with (force)`);
  await server.unsafe(`create database ${database}`);
  await server.end();
  const address = new URL(serverUrl);
  address.pathname = `/${database}`;
  const shop = postgres(address.href, { max: 1, onnotice: () => {} });
  await shop.unsafe("create table orders (id integer); insert into orders values (1), (2), (2)");
  await shop.end();

  api = await signIn(url);
  const project = await create("/projects", { name: "Pipeline" });
  const { hostname, port, username, password } = address;
  dataSourceId = await create("/data-sources", {
    projectId: project,
    name: "Pipeline database",
    kind: "PostgreSql",
    connection: {
      host: hostname,
      port: Number(port || 5432),
      database,
      user: decodeURIComponent(username),
      password: decodeURIComponent(password),
      ssl: false,
    },
  });
  // Two rules of equal weight, one of which fails: a score of 50.
  contractId = await create("/data-quality/contracts", {
    name: "Orders of the pipeline",
    dataSourceId,
    tableName: "orders",
    cronExpression: "0 6 * * *",
    rules: [
      { name: "There are rows", type: "Volume", configuration: { minRows: 1 } },
      { name: "id is unique", type: "Uniqueness", column: "id" },
    ],
  });
  const key = await api("POST", "/api-keys", { name: "CI", scopes: ["Execute"] });
  rawKey = (key.body as { rawKey: string }).rawKey;
});

async function create(path: string, json: object): Promise<number> {
  const { status, body } = await api("POST", path, json);
  expect(status, JSON.stringify(body)).toBe(201);
  return (body as { id: number }).id;
}

async function plumbline(args: string[], environment: Record<string, string> = {}) {
  const child = spawn("npx", ["plumbline", "contract", ...args], {
    cwd: root,
    env: { ...process.env, PLUMBLINE_URL: url, PLUMBLINE_API_KEY: rawKey, ...environment },
    stdio: ["ignore", "pipe", "ignore"],
  });
  const closed = once(child, "close");
  const out = await text(child.stdout);
  const [code] = await closed;
  return { code: code as number, out };
}

test("a script learns from the exit code whether a contract passes", async () => {
  const id = String(contractId);
  const report = join(folder, "out.xml");
  const holds = await plumbline(["evaluate", id, "--fail-under", "50", "--junit", report]);
  expect(holds).toEqual({
    code: 0,
    out: expect.stringContaining("Orders of the pipeline (public.orders): 50, at least 50"),
  });
  expect(readFileSync(report, "utf8")).toContain(
    '<testsuite name="Orders of the pipeline" tests="2" failures="1"',
  );
  expect((await plumbline(["evaluate", id, "--fail-under", "50.01"])).code).toBe(1);
  expect((await plumbline(["evaluate", id], { PLUMBLINE_API_KEY: "sk-svc_none" })).code).toBe(2);
  expect((await plumbline(["evaluate", id], { PLUMBLINE_URL: "http://127.0.0.1:1" })).code).toBe(2);
});

test("an exported contract file, when tried, has the same score", async () => {
  const file = join(folder, "orders.odcs.yaml");
  expect((await plumbline(["export", String(contractId), "--output", file])).code).toBe(0);
  const source = ["--data-source", String(dataSourceId)];
  expect((await plumbline(["evaluate", file, ...source, "--fail-under", "50"])).code).toBe(0);
  writeFileSync(file, readFileSync(file, "utf8").replace("mustBe: 0", "mustBe: 1"));
  expect((await plumbline(["evaluate", file, ...source, "--fail-under", "51"])).code).toBe(0);
});
