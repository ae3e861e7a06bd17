import type { Candidate, Detector, ObservedDatabase } from "./candidate.ts";
import { detectors } from "./detectors/detectors.ts";

/**
 * Every statement that nearly all rows of the tables agree with, with the rows against it; of all tables, or of some
 * beside the others. Not judged yet. Pure.
 */
export function candidatesIn(
  database: ObservedDatabase,
  using: readonly Detector[] = detectors,
  tables = database.tables,
): Candidate[] {
  return tables.flatMap((table) => using.flatMap((detect) => detect(table, database)));
}
