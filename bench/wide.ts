import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import postgres from "postgres";
import { type Api, sessionCookie, signIn } from "../e2e/api.ts";
import { type Service, scratch, startService } from "../e2e/service.ts";
import { migrateDatabase } from "../server/db/migrate.ts";
import { emptyDatabase, givenOrOwnServer } from "./database.ts";
import type { Say } from "./measure.ts";

/**
 * A data source of many tables, from its connection to a search: how long each step takes, for how long the process answers
 * nobody meanwhile, and how much memory it has then.
 *
 * TABLES (10,000) of COLUMNS (30) columns and two rows each. BENCH_DATABASE_URL is a superuser's address of a PostgreSQL to
 * use, else one is started.
 */
const tables = Number(process.env.TABLES ?? 10_000);
const columns = Number(process.env.COLUMNS ?? 30);
const tablesAtOnce = 250;
const types = ["text", "int", "numeric", "timestamptz"];

export async function run(say: Say): Promise<void> {
  const server = await givenOrOwnServer("bench-wide");
  try {
    const watched = await emptyDatabase(server.adminUrl, "plumbline_bench_wide_watched");
    await makeTables(watched);
    const database = await emptyDatabase(server.adminUrl, "plumbline_bench_wide");
    await migrateDatabase(database);
    const folder = join(scratch, "bench-wide-data");
    rmSync(folder, { recursive: true, force: true });
    const service = await startService(folder, {
      ...{ DATABASE_URL: database, RATE_LIMIT_PRINCIPAL: "off", OUTBOUND_ALLOW: "127.0.0.1" },
      ...{ ENCRYPTION_KEY: "11".repeat(32), NEXTAUTH_SECRET: "a secret of the benchmark's, 32+ characters" },
    });
    try {
      await measure(say, service, new URL(watched));
    } finally {
      await service.stop();
    }
  } finally {
    await server.stop();
  }
}

async function makeTables(url: string): Promise<void> {
  const client = postgres(url, { max: 1, onnotice: () => {} });
  const rest = Array.from({ length: columns - 2 }, (_, place) => `column_${place} ${types[place % 4]}`);
  const make = (name: string) =>
    `create table ${name} (${["id int primary key", ...rest, "at timestamptz default now()"].join()});
     insert into ${name} (id) values (1), (2);`;
  for (let from = 0; from < tables; from += tablesAtOnce)
    await client.unsafe(
      Array.from({ length: Math.min(tablesAtOnce, tables - from) }, (_, place) =>
        make(`t_${from + place}`),
      ).join(""),
    );
  await client.end();
}

async function measure(say: Say, service: Service, watched: URL): Promise<void> {
  const api = await signIn(service.url);
  const cookie = await sessionCookie(service.url);
  const source = await connected(api, watched);
  const at = `/data-sources/${source}`;
  const ask = (path: string) => ok(api("GET", path));
  const show = async (path: string) => {
    const answer = await fetch(service.url + path, { headers: { cookie } });
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
    await answer.text();
  };
  const stalls = watchStalls(service.url);
  const step = async (name: string, work: () => Promise<unknown>) => {
    stalls.begin();
    const began = performance.now();
    await work();
    const took = performance.now() - began;
    // A stall is seen when it is over.
    await delay(100);
    say(
      `  ${name.padEnd(44)}${took.toFixed(0).padStart(7)} ${stalls.longest().toFixed(0).padStart(9)} ${memoryOf(service).toFixed(0).padStart(7)}`,
    );
  };
  say(`${tables.toLocaleString("en")} tables of ${columns} columns`);
  say(`  ${"".padEnd(44)}     ms  stall, ms  MB then`);
  await step("their schema is read", () => ask(`${at}/schema`));
  await step("a search right then, which indexes it", () => ask("/search?q=t_77"));
  await step("another search", () => ask("/search?q=column_3"));
  for (const path of ["/catalog", `/catalog/${source}/public/t_77`, at, "/data-quality"])
    for (const again of ["", " again"]) await step(`${path}${again}`, () => show(path));
  const described = { schemaName: "public", tableName: "t_5", description: "Some zebras" };
  await step("a table is described", () => ok(api("PUT", `${at}/descriptions`, described)));
  await step("a search after that", () => ask("/search?q=zebras"));
  await step("the schema is read again", () => ok(api("POST", `${at}/refresh-schema`)));
  await step("a search after that", () => ask("/search?q=zebras"));
  await stalls.stop();
}

async function connected(api: Api, { hostname, port, pathname, username, password }: URL): Promise<number> {
  const project = await ok(api("POST", "/projects", { name: "Wide" }));
  const connection = {
    ...{ host: hostname, port: Number(port), database: pathname.slice(1), user: username, ssl: false },
    password: decodeURIComponent(password),
  };
  const source = { projectId: project.id, name: "Wide", kind: "PostgreSql", connection };
  return (await ok(api("POST", "/data-sources", source))).id;
}

async function ok(answer: ReturnType<Api>): Promise<{ id: number }> {
  const { status, body } = await answer;
  if (status >= 300) throw new Error(`It answered ${status}: ${JSON.stringify(body).slice(0, 300)}`);
  return body as { id: number };
}

/** Asks the process for nothing all the time, and remembers the longest answer. */
function watchStalls(url: string) {
  let longest = 0;
  let isOver = false;
  const watching = (async () => {
    while (!isOver) {
      const began = performance.now();
      await fetch(`${url}/health`);
      longest = Math.max(longest, performance.now() - began);
      await delay(20);
    }
  })();
  return {
    begin() {
      longest = 0;
    },
    longest: () => longest,
    async stop() {
      isOver = true;
      await watching;
    },
  };
}

/** Resident, in MB. */
function memoryOf({ pid }: Service): number {
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kilobytes) / 1024;
}
