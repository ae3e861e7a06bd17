import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { join } from "node:path";
import postgres from "postgres";
import { signIn } from "../e2e/api.ts";
import { freePort, scratch, startService } from "../e2e/service.ts";
import { addressOf, emptyDatabase, givenOrOwnServer } from "./database.ts";
import { type Load, latencies, loadOf } from "./doors/load.ts";
import { interleave, median, percentile, type Say } from "./measure.ts";
import { cpuOfProcess } from "./server-cpu.ts";

/**
 * Measures what a request costs in the process that answers it: a contract by key over REST, MCP, and tRPC, beside bare
 * node:http with one statement that reads the same contract from the same database. In microseconds of CPU, which
 * hardly depend on what else the machine does; in turns, in one run.
 *
 * BENCH_DATABASE_URL is a superuser's address of a PostgreSQL to use, else one is started. ROUNDS (7) is how often each is
 * measured, REQUESTS (3,000) with how many.
 */
const rounds = Number(process.env.ROUNDS ?? 7);
const requests = Number(process.env.REQUESTS ?? 3000);
const few = 16;
const many = 200;

type Door = { name: string; goal: number | null; load: Load; cpu: () => number };

export async function run(say: Say): Promise<void> {
  const server = await givenOrOwnServer("bench-doors");
  const database = await emptyDatabase(server.adminUrl, "plumbline_bench_doors");
  const dataDir = join(scratch, "bench-doors-service");
  rmSync(dataDir, { recursive: true, force: true });
  const service = await startService(dataDir, {
    DATABASE_URL: database,
    ENCRYPTION_KEY: "11".repeat(32),
    NEXTAUTH_SECRET: "a secret that only this benchmark uses, 32+",
    RATE_LIMIT_PRINCIPAL: "off",
    RATE_LIMIT_ADDRESS: "off",
    // As behind a log collector: every request is a line.
    ACCESS_LOG: "on",
  });
  const bare = await startBare(database);
  try {
    const { key, contractId } = await aContractAndKey(
      service.url,
      addressOf(server.adminUrl, "plumbline_bench_doors"),
    );
    const doors = doorsOf({ service, bare, key, contractId });
    say(
      `CPU microseconds a request in the process, median of ${rounds} rounds of ${requests} in turns, ${few} connections`,
    );
    const ways = doors.map(
      ({ load, cpu }) =>
        () =>
          costOf(load, cpu),
    );
    const figures = await interleave(ways, rounds);
    const floor = figures[0] ?? [];
    for (const [index, { name, goal }] of doors.entries()) {
      const own = figures[index] ?? [];
      const ratios = own.map((cost, round) => cost / (floor[round] ?? Number.NaN));
      const aim = goal === null ? "" : `; goal: at most ${goal}`;
      say(
        `  ${name.padEnd(34)}${median(own).toFixed(0).padStart(6)}   ${median(ratios).toFixed(2)} times bare Node (${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}${aim})`,
      );
    }
    await printPatience(say, doors[1]?.load);
  } finally {
    bare.child.kill();
    await service.stop();
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** How long requests wait when many come at once. */
async function printPatience(say: Say, load: Load | undefined): Promise<void> {
  if (!load) return;
  const ms = await latencies(load, { connections: many, requests: requests * 2 });
  const [middle, late] = [median(ms), percentile(ms, 0.99)];
  say(
    `  ${many} connections, GET by key: median ${middle.toFixed(0)} ms, p99 ${late.toFixed(0)} ms, ${(late / middle).toFixed(1)} times the median (goal: at most 10)`,
  );
}

async function costOf(load: Load, cpu: () => number): Promise<number> {
  const before = cpu();
  await latencies(load, { connections: few, requests });
  return ((cpu() - before) * 1e6) / requests;
}

function doorsOf({
  service,
  bare,
  key,
  contractId,
}: {
  service: { url: string; pid: number | undefined };
  bare: { url: string; child: ChildProcess };
  key: string;
  contractId: number;
}): Door[] {
  const headers = { authorization: `Bearer ${key}` };
  const cpu = cpuOfProcess(service.pid);
  const ours = `${service.url}/svc`;
  const input = encodeURIComponent(JSON.stringify({ id: contractId }));
  const json = {
    ...headers,
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
  };
  const call = JSON.stringify({
    ...{ jsonrpc: "2.0", id: 1, method: "tools/call" },
    params: { name: "get_contract", arguments: { contract_id: contractId } },
  });
  return [
    {
      name: "bare node:http",
      goal: null,
      load: loadOf(`${bare.url}/${contractId}`),
      cpu: cpuOfProcess(bare.child.pid),
    },
    {
      name: "REST, GET by key",
      goal: 2,
      load: loadOf(`${ours}/api/data-quality/contracts/${contractId}`, { headers }),
      cpu,
    },
    {
      name: "tRPC by key",
      goal: 3,
      load: loadOf(`${ours}/trpc/dataQuality.contract?input=${input}`, { headers }),
      cpu,
    },
    {
      name: "MCP, get_contract by key",
      goal: 3,
      load: loadOf(`${ours}/mcp`, { headers: json, body: call }),
      cpu,
    },
  ];
}

async function startBare(database: string): Promise<{ url: string; child: ChildProcess }> {
  const port = await freePort();
  const child = spawn(process.execPath, [join(import.meta.dirname, "doors/bare.mjs")], {
    env: { DATABASE_URL: database, PORT: String(port), NODE_ENV: "production" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(child.stdout, "data");
  return { url: `http://127.0.0.1:${port}`, child };
}

/** A contract with three rules, and a key that may read it. */
async function aContractAndKey(url: string, database: string): Promise<{ key: string; contractId: number }> {
  const client = postgres(database, { max: 1, onnotice: () => {} });
  await client`create table if not exists bench_orders (id int, email text, amount numeric)`;
  await client.end();
  const admin = await signIn(url);
  const project = (await admin("POST", "/projects", { name: "Bench" })).body as { id: number };
  const { hostname, port, username, password } = new URL(database);
  const source = (
    await admin("POST", "/data-sources", {
      ...{ projectId: project.id, name: "Bench", kind: "PostgreSql" },
      connection: {
        ...{ host: hostname, port: Number(port), database: "plumbline_bench_doors", user: username },
        ...{ password: decodeURIComponent(password), ssl: false },
      },
    })
  ).body as { id: number };
  const contract = (
    await admin("POST", "/data-quality/contracts", {
      ...{ name: "Orders", dataSourceId: source.id, schemaName: "public", tableName: "bench_orders" },
      cronExpression: "0 6 * * *",
      rules: [
        { name: "Email given", type: "NullRate", configuration: { column: "email", maxNullPercent: 0 } },
        { name: "One row each", type: "Uniqueness", configuration: { column: "id" } },
        { name: "Not empty", type: "Volume", configuration: { minRows: 1 } },
      ],
    })
  ).body as { id: number };
  const key = (await admin("POST", "/api-keys", { name: "Bench", scopes: ["Read"] })).body as {
    rawKey: string;
  };
  if (!contract.id) throw new Error(`No contract: ${JSON.stringify(contract)}`);
  return { key: key.rawKey, contractId: contract.id };
}
