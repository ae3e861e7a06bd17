import { setTimeout as delay } from "node:timers/promises";
import postgres, { type Sql } from "postgres";
import { migrateDatabase } from "../server/db/migrate.ts";
import { addressOf, givenOrOwnServer } from "./database.ts";
import { gxValidation } from "./evaluate/gx.ts";
import { compareNewRows } from "./evaluate/new-rows.ts";
import { onMariaDb } from "./evaluate/on-mariadb.ts";
import { buildOrders, type Check, checks } from "./evaluate/orders.ts";
import type { Service } from "./evaluate/service.ts";
import { sodaScan } from "./evaluate/soda.ts";
import { interleave, median, printFigures, ratio, type Say, timed } from "./measure.ts";
import { serverCpu } from "./server-cpu.ts";

/**
 * Measures an evaluation: the service evaluates a contract on a large table, in turns with the best session that one
 * could write by hand (a single scan for all aggregates, everything else concurrently on a second connection) and with
 * running the queries one by one. The service's time covers the whole evaluation, including storing the result.
 *
 * It also compares the database's CPU: with SODA, the path of Soda Core's program (`pip install soda-core-postgres`), and with
 * GX, the path of a Python that has Great Expectations (`pip install great_expectations sqlalchemy psycopg2-binary`), with theirs too.
 *
 * BENCH_MYSQL_URL is an administrator's address of a MariaDB on this machine, to measure the same there.
 * BENCH_DATABASE_URL is a superuser's address of a PostgreSQL to use, else one is started and kept in .test. ROWS (5
 * million) is the size of the table; ROUNDS (5) is how often each is measured.
 */
const rows = Number(process.env.ROWS ?? 5_000_000);
const rounds = Number(process.env.ROUNDS ?? 5);

export async function run(say: Say): Promise<void> {
  const server = await givenOrOwnServer("bench-evaluate");
  const watched = addressOf(server.adminUrl, "plumbline_bench_watched");
  const own = addressOf(server.adminUrl, "plumbline_bench");
  await makeDatabases(server.adminUrl, [watched, own]);
  await migrateDatabase(own);
  const client = postgres(watched, { max: 2, onnotice: () => {} });
  try {
    await buildOrders(client, rows, say);
    Object.assign(process.env, {
      DATABASE_URL: own,
      ENCRYPTION_KEY: "11".repeat(32),
      NEXTAUTH_SECRET: "a secret of the benchmark's, 32+ characters",
      LOG_LEVEL: "silent",
    });
    const { openService } = await import("./evaluate/service.ts");
    const service = await openService(watched);
    try {
      await compareCpu(say, client, service, watched);
      const cost = costBy(await serverCpu(client));
      await compareNewRows(say, { client, service, rows, rounds: Math.min(rounds, 3), cost });
      await compare(say, client, service);
      const adminUrl = process.env.BENCH_MYSQL_URL;
      if (adminUrl) await onMariaDb(say, { service, adminUrl, rows, rounds: Math.min(rounds, 3) });
      else say("MariaDB is left out: BENCH_MYSQL_URL is not set");
    } finally {
      await service.close();
    }
  } finally {
    await client.end();
    await server.stop();
  }
}

/** What each costs the database, in CPU seconds, whatever else the machine does. */
async function compareCpu(say: Say, client: Sql, service: Service, address: string): Promise<void> {
  const cpu = await serverCpu(client);
  const { SODA: soda, GX: python } = process.env;
  const twelve = await service.contract(checks);
  const cost = costBy(cpu);
  const ways = {
    "an evaluation": () => service.evaluate(twelve, { failing: 0 }),
    "the best session by hand": () => bestSession(client, checks),
    "one query after the other": () => separately(client, checks),
    ...(soda && { "Soda Core": () => sodaScan(soda, address) }),
    ...(python && { "Great Expectations": () => gxValidation(python, address) }),
  };
  const figures = await interleave(Object.values(ways).map(cost), Math.min(rounds, 3));
  say(`${rows.toLocaleString("en")} rows, 12 rules: CPU seconds of PostgreSQL, median`);
  const [ours = []] = figures;
  for (const [place, name] of Object.keys(ways).entries()) {
    const each = median(figures[place] ?? []);
    say(
      `  ${name.padEnd(30)}${each.toFixed(2).padStart(7)}   an evaluation costs ${(median(ours) / each).toFixed(2)} of it`,
    );
  }
  if (!soda) say("  SODA is not set, so Soda Core was not compared");
  if (!python) say("  GX is not set, so Great Expectations was not compared");
}

const costBy = (cpu: () => number) => (work: () => Promise<void>) => async () => {
  const before = cpu();
  await work();
  // What a process used is added when it ends.
  await delay(500);
  return cpu() - before;
};

async function compare(say: Say, client: Sql, service: Service): Promise<void> {
  const all = checks;
  const cheap = checks.filter(({ aggregate }) => aggregate !== undefined).slice(0, 7);
  say(`${rows.toLocaleString("en")} rows of 8 columns; milliseconds, median of ${rounds} rounds in turns`);

  const twelve = await service.contract(all);
  const withBroken = await service.contract([...all, service.brokenCheck]);
  const [byHand, oneByOne, evaluated, broken] = await interleave(
    [
      () => timed(() => bestSession(client, all)),
      () => timed(() => separately(client, all)),
      () => timed(() => service.evaluate(twelve, { failing: 0 })),
      () => timed(() => service.evaluate(withBroken, { failing: 1 })),
    ],
    rounds,
  );
  say(`${all.length} rules`);
  printFigures(say, "the best session by hand, two connections", byHand);
  printFigures(say, "one query after the other", oneByOne);
  printFigures(say, "an evaluation", evaluated);
  printFigures(say, "an evaluation with one broken rule more", broken);
  ratio(say, "evaluation ÷ session by hand", evaluated, byHand, "at most 1.3");
  ratio(say, "evaluation ÷ separate queries", evaluated, oneByOne, "at most 0.8");
  ratio(say, "with a broken rule ÷ without", broken, evaluated, "at most 1.05");

  const seven = await service.contract(cheap);
  const [cheapByHand, cheapOneByOne, cheapEvaluated] = await interleave(
    [
      () => timed(() => bestSession(client, cheap)),
      () => timed(() => separately(client, cheap)),
      () => timed(() => service.evaluate(seven, { failing: 0 })),
    ],
    rounds,
  );
  say(`${cheap.length} cheap rules`);
  printFigures(say, "one scan by hand", cheapByHand);
  printFigures(say, "one query after the other", cheapOneByOne);
  printFigures(say, "an evaluation", cheapEvaluated);
  ratio(say, "evaluation ÷ separate queries", cheapEvaluated, cheapOneByOne, "at most 0.45");

  // High enough for the other rules on one connection, as 60 s are.
  const limitMs = Math.round(2 * median(oneByOne ?? []));
  const withEndless = await service.contract([...all, service.endlessCheck]);
  const [limited] = await interleave(
    [() => timed(() => service.evaluate(withEndless, { failing: 1, limitMs }))],
    Math.min(rounds, 3),
  );
  say(`${all.length} rules, and one that never ends, with a limit of ${limitMs} ms a rule`);
  printFigures(say, "an evaluation", limited);
  say(`  beyond the limit of that rule: ${(median(limited ?? []) - limitMs).toFixed(0)} ms (goal: nothing)`);
}

/** One scan for all aggregates, followed by the other checks of its side; the heavier side runs concurrently. */
async function bestSession(client: Sql, wanted: readonly Check[]): Promise<void> {
  const aggregates = wanted.flatMap(({ aggregate }) => aggregate ?? []);
  const side = (number: number) =>
    wanted.filter((check) => check.aggregate === undefined && check.side === number).map(({ sql }) => sql);
  const scan = `select ${aggregates.map((text, index) => `${text} as a${index}`).join(", ")} from orders`;
  await Promise.all([inTurn(client, [scan, ...side(0)]), inTurn(client, side(1))]);
}

async function separately(client: Sql, wanted: readonly Check[]): Promise<void> {
  await inTurn(
    client,
    wanted.map(({ sql }) => sql),
  );
}

async function inTurn(client: Sql, statements: readonly string[]): Promise<void> {
  if (statements.length === 0) return;
  const connection = await client.reserve();
  try {
    for (const statement of statements) await connection.unsafe(statement);
  } finally {
    connection.release();
  }
}

/** The service's own database is recreated; the watched one is kept, because its table takes long to build. */
async function makeDatabases(adminUrl: string, [watched, own]: [string, string]): Promise<void> {
  const nameOf = (url: string) => new URL(url).pathname.slice(1);
  const admin = postgres(adminUrl, { max: 1, onnotice: () => {} });
  try {
    const found = await admin`select from pg_database where datname = ${nameOf(watched)}`;
    if (found.length === 0) await admin.unsafe(`create database ${nameOf(watched)}`);
    await admin.unsafe(`drop database if exists ${nameOf(own)} with (force)`);
    await admin.unsafe(`create database ${nameOf(own)}`);
  } finally {
    await admin.end();
  }
}
