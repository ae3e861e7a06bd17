import type { Say } from "./measure.ts";
import { printSimulation } from "./watch/simulation.ts";

/** Measures how every table is watched: what is noticed and what is a false alarm, and what it costs. */
export async function run(say: Say): Promise<void> {
  printSimulation(say);
}
