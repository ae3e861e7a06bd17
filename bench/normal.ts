import { existsSync } from "node:fs";
import type { Say } from "./measure.ts";
import { printDenseSimulation } from "./normal/dense-simulation.ts";
import { printNabScores } from "./normal/nab.ts";
import { printSimulation } from "./normal/simulation.ts";

/**
 * Measures what is learned as usual: on simulated tables over 120 days, on simulated series of five minutes, and with NAB_DIR, the folder of a checkout of the
 * Numenta Anomaly Benchmark, by its own scorer. NAB_PYTHON (python3) has pandas 2.1 or older, and simplejson.
 */
export async function run(say: Say): Promise<void> {
  printSimulation(say);
  printDenseSimulation(say);
  const folder = process.env.NAB_DIR;
  if (folder && existsSync(folder)) await printNabScores(folder, say);
  else
    say(
      "\nFor the Numenta Anomaly Benchmark: git clone https://github.com/numenta/NAB, install pandas 2.1 and simplejson for Python, and set NAB_DIR to the folder.",
    );
}
