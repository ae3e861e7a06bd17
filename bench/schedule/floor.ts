import postgres from "postgres";
import { serverCpu } from "../server-cpu.ts";

/** What an evaluation costs: milliseconds of CPU in the process and in the database server, and how many a second. */
export type Costs = { process: number; database: number; perSecond: number };

/** The script with as many in progress as the service, and as one would write it, with one after the other. */
export type Floor = { together: Costs; inTurn: Costs };

/**
 * The least that could be done: a bare script that sends the same statement to the same data sources, two at a time
 * to each, and writes one row for each evaluation. No schedule, no jobs, no rules, no history, no alerts.
 */
export async function measureFloor({
  own,
  watched,
  sourceCount,
  statement,
}: {
  own: string;
  watched: string;
  sourceCount: number;
  statement: string;
}): Promise<Floor> {
  const store = postgres(own, { max: 10, onnotice: () => {} });
  const sources = Array.from({ length: sourceCount }, () => postgres(watched, { max: 2 }));
  try {
    await store`create table if not exists floor_runs (run_of int, found text, at timestamptz)`;
    const evaluate = async (n: number) => {
      const source = sources[n % sources.length] as (typeof sources)[number];
      const [row] = await source.unsafe(statement, [], { prepare: true });
      await store`insert into floor_runs values (${n}, ${Object.values(row ?? {}).join()}, now())`;
    };
    // Opens the connections.
    await inParallel(atOnce, sourceCount * 2, evaluate);
    const database = await serverCpu(store);
    const costsOf = async (workers: number, count: number): Promise<Costs> => {
      const before = { cpu: process.cpuUsage(), database: database(), at: performance.now() };
      await inParallel(workers, count, evaluate);
      const { user, system } = process.cpuUsage(before.cpu);
      return {
        process: (user + system) / 1000 / count,
        database: ((database() - before.database) * 1000) / count,
        perSecond: count / ((performance.now() - before.at) / 1000),
      };
    };
    return { together: await costsOf(atOnce, count), inTurn: await costsOf(1, count / 4) };
  } finally {
    await Promise.all([store, ...sources].map((client) => client.end()));
  }
}

/** Enough for the server's CPU, which is counted in hundredths of a second. */
const count = 20_000;
/** How many are in progress at once, as in the service. */
const atOnce = 48;

async function inParallel(workers: number, count: number, work: (n: number) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: workers }, worker));
}
