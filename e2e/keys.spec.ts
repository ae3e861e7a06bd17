import { join } from "node:path";
import { expect } from "@playwright/test";
import postgres, { type Sql } from "postgres";
import { type Api, signIn } from "./api.ts";
import { type Service, scratch, startService } from "./service.ts";
import { test } from "./test.ts";

/** API keys across two services on one database, and where a raw key must never be found. */
const databaseName = "keys_of_two_services";
let server: Sql;
let database: Sql;
let services: [Service, Service];
let admin: Api;

test.beforeAll(async () => {
  const adminUrl = process.env.TEST_DATABASE_URL ?? "";
  server = postgres(adminUrl, { max: 1, onnotice: () => {} });
  await server.unsafe(`drop database if exists ${databaseName} with (force)`);
  await server.unsafe(`create database ${databaseName}`);
  const url = Object.assign(new URL(adminUrl), { pathname: `/${databaseName}` }).href;
  database = postgres(url, { max: 1 });
  const start = () =>
    startService(join(scratch, "unused"), {
      DATABASE_URL: url,
      ENCRYPTION_KEY: "44".repeat(32),
      NEXTAUTH_SECRET: "a secret that only this test uses, 32+ characters",
      LOG_LEVEL: "trace",
      // This test needs the load.
      RATE_LIMIT_PRINCIPAL: "off",
      RATE_LIMIT_ADDRESS: "off",
      RATE_LIMIT_REFUSED: "off",
    });
  services = await Promise.all([start(), start()]);
  admin = await signIn(services[0].url);
});

test.afterAll(async () => {
  for (const service of services ?? []) expect(await service.stop()).toBe(0);
  await database?.end();
  await server?.unsafe(`drop database if exists ${databaseName} with (force)`);
  await server?.end();
});

type Created = { id: number; prefix: string; rawKey: string };

async function aKey(): Promise<Created> {
  const { status, body } = await admin("POST", "/api-keys", { name: "Load", scopes: ["Admin"] });
  expect(status).toBe(201);
  return body as Created;
}

const get = (service: Service, path: string, rawKey: string) =>
  fetch(`${service.url}/svc/api${path}`, { headers: { authorization: `Bearer ${rawKey}` } });

test("once a revocation returns, no process accepts the key anymore", async () => {
  const { id, rawKey } = await aKey();
  type Answered = { service: Service; began: number; status: number };
  const answered: Answered[] = [];
  let isOver = false;
  const client = async (service: Service) => {
    while (!isOver) {
      const began = performance.now();
      const response = await get(service, "/projects", rawKey);
      await response.arrayBuffer();
      answered.push({ service, began, status: response.status });
    }
  };
  const clients = services.flatMap((service) => Array.from({ length: 10 }, () => client(service)));
  /** How many requests of each service, started at or after this time, had this status. */
  const answers = (status: number, since = 0) =>
    services.map(
      (service) =>
        answered.filter((each) => each.service === service && each.status === status && each.began > since)
          .length,
    );
  await expect.poll(() => Math.min(...answers(200))).toBeGreaterThan(20);
  const revocation = await admin("POST", `/api-keys/${id}/revoke`);
  const revokedAt = performance.now();
  expect(revocation.status).toBe(200);
  await expect.poll(() => Math.min(...answers(401, revokedAt))).toBeGreaterThan(20);
  isOver = true;
  await Promise.all(clients);

  for (const service of services) {
    const own = answered.filter((each) => each.service === service);
    const statuses = (list: Answered[]) => [...new Set(list.map(({ status }) => status))];
    // It was under load until then, and is afterwards; requests started in between may have either result.
    expect(statuses(own.filter(({ began }) => began > revokedAt))).toEqual([401]);
    expect(own.filter(({ status }) => status === 200).length).toBeGreaterThan(20);
    expect(statuses(own).sort()).toEqual([200, 401]);
  }
});

test("a raw key appears only in the response that created it, in no table and in no output", async () => {
  const { id, prefix, rawKey } = await aKey();
  const seen: string[] = [];
  const see = async (response: Response) => {
    seen.push(JSON.stringify([...response.headers]), await response.text());
    return response.status;
  };
  for (const service of services) {
    for (const path of ["/auth/me", "/api-keys", "/projects", "/nothing-here", "/projects?page=1"])
      await see(await get(service, path, rawKey));
    // Rejected, incomplete, and misplaced keys.
    expect(await see(await get(service, "/projects", `${rawKey}x`))).toBe(401);
    expect(await see(await get(service, "/projects", rawKey.slice(0, -1)))).toBe(401);
    await see(await fetch(`${service.url}/svc/api/projects`, { headers: { "x-api-key": rawKey } }));
    await see(await fetch(`${service.url}/`, { headers: { authorization: `Bearer ${rawKey}` } }));
    await see(
      await fetch(`${service.url}/svc/trpc/apiKeys.list`, { headers: { authorization: `Bearer ${rawKey}` } }),
    );
    const broken = await fetch(`${service.url}/svc/api/projects`, {
      method: "POST",
      headers: { authorization: `Bearer ${rawKey}`, "content-type": "application/json" },
      body: JSON.stringify({ name: "", rawKey }),
    });
    expect(await see(broken)).toBe(400);
    const byMcp = await fetch(`${service.url}/svc/mcp`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${rawKey}`,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
      },
      body: JSON.stringify({
        ...{ jsonrpc: "2.0", id: 1, method: "tools/call" },
        params: { name: "query", arguments: { sql: `select '${rawKey}'` } },
      }),
    });
    expect(await see(byMcp)).toBe(200);
  }
  for (const path of ["/api-keys", "/auth/me"]) seen.push(JSON.stringify((await admin("GET", path)).body));
  seen.push(JSON.stringify((await admin("POST", `/api-keys/${id}/revoke`)).body));
  expect(await see(await get(services[1], "/projects", rawKey))).toBe(401);

  const tables = await database<{ name: string }[]>`
    select format('%I.%I', schemaname, tablename) as name from pg_tables
    where schemaname not in ('pg_catalog', 'information_schema')`;
  const dump = [];
  for (const { name } of tables)
    dump.push(await database.unsafe(`select string_agg(t::text, e'\\n') as rows from ${name} t`));
  const stored = JSON.stringify(dump);
  // The search covers the right places: what may be there is found.
  expect(stored).toContain(prefix);
  expect(seen.join()).toContain(prefix);

  const random = rawKey.slice("sk-svc_".length);
  const printed = services.map((service) => service.output()).join();
  expect(printed).toContain("Plumbline is at ");
  for (const place of [stored, seen.join(), printed]) {
    expect(place).not.toContain(rawKey);
    expect(place).not.toContain(random);
    // Neither in full nor nearly so.
    expect(place).not.toContain(random.slice(0, 20));
    expect(place).not.toContain(Buffer.from(rawKey).toString("hex"));
    expect(place).not.toContain(Buffer.from(rawKey).toString("base64").slice(0, 40));
  }
});
