import { Random } from "../../faults/random.ts";
import type { FindingKind } from "../../server/findings/kinds.ts";
import { type CorpusDatabase, copyOf, type Row } from "./corpus.ts";
import { plantDuplicate } from "./plant/duplicate.ts";
import { plantEncoding } from "./plant/encoding.ts";
import { plantFormat } from "./plant/format.ts";
import { plantImpossible } from "./plant/impossible.ts";
import { plantInconsistent } from "./plant/inconsistent.ts";
import { plantDisguisedMissing, plantMissingValue } from "./plant/missing.ts";
import { plantOrphan } from "./plant/orphan.ts";
import { plantOutOfRange } from "./plant/out-of-range.ts";
import { type CleanDatabase, cleanDatabase, type Place, type Planter } from "./plant/place.ts";
import { plantType } from "./plant/type.ts";
import { plantVariant } from "./plant/variant.ts";

/** A fault that was planted: what is true of it. */
export type Planted = {
  kind: FindingKind;
  tableName: string;
  columns: readonly string[];
  rows: Int32Array;
  how: string;
};

/** Stale and truncated tables are not told from their rows alone. Copies come last, so that nothing changes them. */
const planters = {
  MissingValue: plantMissingValue,
  DisguisedMissing: plantDisguisedMissing,
  Orphan: plantOrphan,
  OutOfRange: plantOutOfRange,
  Format: plantFormat,
  Type: plantType,
  Variant: plantVariant,
  Inconsistent: plantInconsistent,
  Impossible: plantImpossible,
  Encoding: plantEncoding,
  Duplicate: plantDuplicate,
} satisfies Partial<Record<FindingKind, Planter>>;

export const plantedKinds = Object.keys(planters) as (keyof typeof planters)[];

type Somewhere = Place & { kind: FindingKind; tableName: string };

/** Every place of a clean database for each kind, found once for all seeds. */
export function placesIn(database: CorpusDatabase): Map<FindingKind, Somewhere[]> {
  const clean: CleanDatabase = cleanDatabase(database);
  return new Map(
    plantedKinds.map((kind) => [
      kind,
      clean.tables.flatMap((table) =>
        planters[kind](table, clean).map((place) => ({ ...place, kind, tableName: table.name })),
      ),
    ]),
  );
}

/**
 * A copy with so many faults of each kind, in other places for each seed. No column is at fault twice, and each table
 * has rows twice at most once.
 */
export function planted(
  database: CorpusDatabase,
  places: ReadonlyMap<FindingKind, readonly Somewhere[]>,
  seed: number,
  ofEachKind: number,
): { database: CorpusDatabase; faults: Planted[] } {
  const copy = copyOf(database);
  const taken = new Set<string>();
  const done: (Omit<Planted, "rows"> & { rows: Row[] })[] = [];
  for (const [at, kind] of plantedKinds.entries()) {
    // Each kind draws for itself: a planter that changes leaves the others' faults as they were.
    const random = new Random(seed * 1009 + at * 7919 + hash(database.name));
    for (let count = 0; count < ofEachKind; count++) {
      const fault = plantOne(copy, places.get(kind) ?? [], taken, random);
      if (fault) done.push(fault);
    }
  }
  const positions = new Map(
    copy.tables.map(({ name, rows }) => [name, new Map(rows.map((row, index) => [row, index]))]),
  );
  const faults = done.map(({ rows, ...fault }) => {
    const indexes = rows.flatMap((row) => positions.get(fault.tableName)?.get(row) ?? []);
    return { ...fault, rows: Int32Array.from(new Set(indexes)).toSorted() };
  });
  return { database: copy, faults };
}

function plantOne(
  { tables }: CorpusDatabase,
  places: readonly Somewhere[],
  taken: Set<string>,
  random: Random,
) {
  for (let attempt = 0; attempt < 20; attempt++) {
    const free = places.filter((place) => keysOf(place).every((key) => !taken.has(key)));
    if (free.length === 0) return null;
    // A table first, then a way, then a place: wide tables and long lists of ways get no more than others.
    const tableName = random.pick([...new Set(free.map((place) => place.tableName))]);
    const here = free.filter((place) => place.tableName === tableName);
    const columns = random.pick([...new Set(here.map((place) => place.columns.join()))]);
    const {
      apply,
      kind,
      how,
      columns: names,
    } = random.pick(here.filter((place) => place.columns.join() === columns));
    const rows = apply(tables.find(({ name }) => name === tableName)?.rows ?? [], random);
    if (rows.length === 0) continue;
    for (const key of keysOf({ tableName, columns: names, kind, how, apply })) taken.add(key);
    return { kind, tableName, columns: names, how, rows };
  }
  return null;
}

/** Copies of rows doubt all columns and take none. */
const keysOf = ({ tableName, columns, how }: Somewhere): string[] =>
  how.includes("twice") && columns.length > 1
    ? [`${tableName} twice`]
    : columns.map((column) => `${tableName}.${column}`);

const hash = (text: string) => [...text].reduce((sum, char) => (sum * 31 + char.charCodeAt(0)) | 0, 7);
