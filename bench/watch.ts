import type { Say } from "./measure.ts";
import { printCost } from "./watch/cost.ts";
import { printSimulation } from "./watch/simulation.ts";

/**
 * Measures how every table is watched: what is noticed and what is a false alarm, on simulated tables, and what it costs.
 * BENCH_DATABASE_URL is a superuser's address of a PostgreSQL to use, else one is started. TABLES (2,000) and ROWS (2,000)
 * are what is watched; each look is printed beside what one process may take for 10,000.
 */
export async function run(say: Say): Promise<void> {
  printSimulation(say);
  await printCost(say);
}
