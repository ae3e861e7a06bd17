import { Random } from "../../../faults/random.ts";
import type { CorpusDatabase } from "../corpus.ts";
import { exposureTable, framesOf, instrumentTable, publicationTable } from "./observatory-frames.ts";
import { nightsOf, nightTable, weatherTable, zeroPointTable } from "./observatory-nights.ts";
import {
  instituteTable,
  now,
  peopleOf,
  personTable,
  proposalsOf,
  proposalTable,
} from "./observatory-people.ts";
import { targetsOf, targetTable } from "./observatory-targets.ts";

/**
 * A telescope in Chile that four institutes share: names of at most eight capitals as in the headers of its files, nights that
 * are named after the evening before, comets without coordinates, exposures of 0 seconds, a camera that tells kelvin since
 * May, a mirror that goes dim until it is coated, and zero points that were computed again.
 */
export function observatory(seed: number): CorpusDatabase {
  const random = new Random(seed * 197 + 163);
  const people = peopleOf(random);
  const proposals = proposalsOf(random, people);
  const targets = targetsOf(random);
  const nights = nightsOf(random);
  const frames = framesOf(random, nights, targets, proposals);
  return {
    name: "observatory",
    now,
    tables: [
      instituteTable(),
      personTable(random, people),
      proposalTable(random, proposals),
      targetTable(random, targets),
      instrumentTable(),
      nightTable(random, nights, people),
      exposureTable(random, frames),
      weatherTable(random, nights),
      zeroPointTable(random, nights),
      publicationTable(random, proposals),
    ],
  };
}
