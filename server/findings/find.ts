import type { Detector, ObservedDatabase } from "./candidate.ts";
import { candidatesIn } from "./detect.ts";
import { detectors } from "./detectors/detectors.ts";
import { calibrated, confidenceOf } from "./judge.ts";
import { type Judged, type Merged, merge } from "./merge.ts";
import { inOneLoad } from "./one-load.ts";

/** What is wrong with the data of a database as it was read, or of some of its tables, the surest first. Pure. */
export const findingsIn = (database: ObservedDatabase, tables = database.tables): Merged[] =>
  findingsOf(judgedIn(database, detectors, tables));

/** What some detectors say, each for itself. Pure. */
export const judgedIn = (
  database: ObservedDatabase,
  using: readonly Detector[],
  tables: ObservedDatabase["tables"],
): Judged[] =>
  candidatesIn(database, using, tables).map((candidate) => ({
    candidate,
    confidence: confidenceOf(candidate),
  }));

/** What the detectors say together, and whether it came in one load; the surest first. Pure. */
export const findingsOf = (judged: readonly Judged[]): Merged[] =>
  merge(judged).map((finding) => ({
    ...finding,
    candidate: inOneLoad(finding.candidate),
    confidence: calibrated(finding.confidence),
  }));
