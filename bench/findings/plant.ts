import { Random } from "../../faults/random.ts";
import type { FindingKind } from "../../server/findings/kinds.ts";
import { type CorpusDatabase, copyOf, type Row } from "./corpus.ts";
import { plantDuplicate } from "./plant/duplicate.ts";
import { plantEncoding } from "./plant/encoding.ts";
import { plantFormat } from "./plant/format.ts";
import { plantImpossible } from "./plant/impossible.ts";
import { plantInconsistent } from "./plant/inconsistent.ts";
import { plantStale, plantTruncated } from "./plant/loads.ts";
import { plantDisguisedMissing, plantMissingValue } from "./plant/missing.ts";
import { plantOrphan } from "./plant/orphan.ts";
import { plantOutOfRange } from "./plant/out-of-range.ts";
import { type CleanDatabase, cleanDatabase, type Gap, type Place, type Planter } from "./plant/place.ts";
import { plantType } from "./plant/type.ts";
import { plantVariant } from "./plant/variant.ts";

/** A fault that was planted: what is true of it. */
export type Planted = {
  kind: FindingKind;
  tableName: string;
  columns: readonly string[];
  /** Empty where what is missing are rows. */
  rows: Int32Array;
  how: string;
  /** When the missing rows came. */
  gap?: Gap;
};

/** Copies come last, so that nothing changes them; but before them all, rows are taken away. */
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
  Stale: plantStale,
  Truncated: plantTruncated,
} satisfies Partial<Record<FindingKind, Planter>>;

export const plantedKinds = Object.keys(planters) as (keyof typeof planters)[];
/** Few databases have tables that are loaded: so many more are planted in these. */
const timesAsMany: Partial<Record<FindingKind, number>> = { Stale: 2, Truncated: 3 };

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
  const takesRows = (kind: FindingKind) => Number(kind in timesAsMany);
  const inOrder = [...plantedKinds.entries()].toSorted(([, a], [, b]) => takesRows(b) - takesRows(a));
  for (const [at, kind] of inOrder) {
    // Each kind draws for itself: a planter that changes leaves the others' faults as they were.
    const random = new Random(seed * 1009 + at * 7919 + hash(database.name));
    for (let count = 0; count < ofEachKind * (timesAsMany[kind] ?? 1); count++) {
      const fault = plantOne(copy, places.get(kind) ?? [], taken, random);
      if (fault) done.push(fault);
    }
  }
  const positions = new Map(
    copy.tables.map(({ name, rows }) => [name, new Map(rows.map((row, index) => [row, index]))]),
  );
  const faults = done.map(({ rows, ...fault }) => {
    const all = fault.kind === "Orphan" ? [...rows, ...lostParents(copy, fault)] : rows;
    const indexes = all.flatMap((row) => positions.get(fault.tableName)?.get(row) ?? []);
    return { ...fault, rows: Int32Array.from(new Set(indexes)).toSorted() };
  });
  return { database: copy, faults };
}

/** Rows whose parent got another key by a fault that was planted there: they are orphans, too. */
function lostParents(
  { tables }: CorpusDatabase,
  { tableName, columns }: Pick<Planted, "tableName" | "columns">,
): Row[] {
  const child = tables.find(({ name }) => name === tableName);
  const at = child?.columns.findIndex(({ name }) => name === columns[0]) ?? -1;
  const to = child?.columns[at]?.references;
  const parent = tables.find(({ name }) => name === to?.table);
  const key = parent?.columns.findIndex(({ name }) => name === to?.column) ?? -1;
  if (!child || !parent || key < 0) return [];
  const known = new Set(parent.rows.map((row) => row[key]));
  return child.rows.filter((row) => (row[at] ?? "") !== "" && !known.has(row[at]));
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
    const place = random.pick(here.filter((each) => each.columns.join() === columns));
    const all = tables.find(({ name }) => name === tableName)?.rows ?? [];
    const before = [...all];
    const rows = place.apply(all, random);
    if (place.gap ? all.length === before.length : rows.length === 0) continue;
    for (const key of keysOf(place)) taken.add(key);
    if (place.gap) for (const key of relativesOf(tableName, tables)) taken.add(key);
    const { kind, how } = place;
    const gap = place.gap?.(before, all);
    return { kind, tableName, columns: place.columns, how, rows, ...(gap && { gap }) };
  }
  return null;
}

/** Copies of rows doubt all columns and take none; of one table, rows are taken away once. */
const keysOf = ({ tableName, columns, how, gap }: Somewhere): string[] =>
  gap
    ? [`${tableName} less`]
    : how.includes("twice") && columns.length > 1
      ? [`${tableName} twice`]
      : columns.map((column) => `${tableName}.${column}`);

/** If a table loses rows, those that reference it become orphans: nothing else is planted there. */
const relativesOf = (tableName: string, tables: CorpusDatabase["tables"]): string[] =>
  tables.flatMap(({ name, columns }) =>
    columns.flatMap(({ name: column, references }) =>
      references?.table === tableName
        ? [`${name} less`, `${name}.${column}`]
        : name === tableName && references
          ? [`${references.table} less`, `${tableName}.${column}`]
          : [],
    ),
  );

const hash = (text: string) => [...text].reduce((sum, char) => (sum * 31 + char.charCodeAt(0)) | 0, 7);
