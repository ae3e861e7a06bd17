import type { Candidate, ObservedDatabase } from "../../server/findings/candidate.ts";
import { candidatesIn } from "../../server/findings/detect.ts";
import { detectors } from "../../server/findings/detectors/detectors.ts";
import type { ObservedTable } from "../../server/profile/observed-table.ts";
import { whyAgreed } from "./agreed.ts";
import { type CorpusDatabase, observedDatabase } from "./corpus.ts";
import { type Planted, placesIn, planted } from "./plant.ts";
import { keyOf, type Verdict, verdictOn } from "./score.ts";

/** One database, clean (seed 0) or with planted faults, and every candidate in it with its verdict. */
export type Scan = {
  database: string;
  seed: number;
  faults: readonly Planted[];
  /** Without the columns of their tables, because all scans are kept until the end. */
  candidates: readonly Candidate[];
  verdicts: ReadonlyMap<Candidate, Verdict>;
  msByDetector: ReadonlyMap<string, number>;
};

/** Scans the clean copy, then one copy per seed. */
export function* scansOf(
  database: CorpusDatabase,
  { from, count }: { from: number; count: number },
  ofEachKind: number,
): Generator<Scan> {
  const clean = timedCandidates(observedDatabase(database));
  const known = new Set(clean.candidates.map(keyOf));
  yield scanOf(database.name, 0, [], clean, known);
  const places = placesIn(database);
  for (let seed = from; seed < from + count; seed++) {
    const { database: dirty, faults } = planted(database, places, seed, ofEachKind);
    yield scanOf(database.name, seed, faults, timedCandidates(observedDatabase(dirty)), known);
  }
}

type Timed = Pick<Scan, "candidates" | "msByDetector">;

function timedCandidates(database: ObservedDatabase): Timed {
  const msByDetector = new Map<string, number>();
  const timed = detectors.map((detect): typeof detect => (table, within) => {
    const startedAt = performance.now();
    const found = detect(table, within);
    const before = msByDetector.get(detect.name) ?? 0;
    msByDetector.set(detect.name, before + performance.now() - startedAt);
    return found;
  });
  const light = new Map<ObservedTable, ObservedTable>(
    database.tables.map((table) => [table, { ...table, columns: [] }]),
  );
  const candidates = candidatesIn(database, timed).map((candidate) => ({
    ...candidate,
    table: light.get(candidate.table) ?? candidate.table,
  }));
  return { candidates, msByDetector };
}

function scanOf(
  database: string,
  seed: number,
  faults: readonly Planted[],
  { candidates, msByDetector }: Timed,
  known: ReadonlySet<string>,
): Scan {
  const isAgreed = (candidate: Candidate) => whyAgreed(database, candidate) !== null;
  const verdicts = new Map(
    candidates.map((candidate) => [candidate, verdictOn(candidate, faults, known, isAgreed)]),
  );
  return { database, seed, faults, candidates, verdicts, msByDetector };
}
