import { simulateDays } from "./house/days.ts";
import { measureStarts } from "./house/starts.ts";
import type { Say } from "./measure.ts";

/**
 * What the service takes of a machine: how long it takes to start, for the first time with its demo and from then on, what the
 * first answer of each page takes in a process that has just started, and its memory: idle, and on each of DAYS (7) simulated
 * days of work. DAYS=0 leaves these out, STARTS=0 everything else.
 *
 * The starts are those of `npm start`, with the database that comes with the service. For the days, BENCH_DATABASE_URL is a
 * superuser's address of a PostgreSQL to use, else one is started.
 */
const starts = Number(process.env.STARTS ?? 5);
const days = Number(process.env.DAYS ?? 7);

export async function run(say: Say): Promise<void> {
  if (starts > 0) await measureStarts(say, starts);
  if (days > 0) await simulateDays(say, days);
}
