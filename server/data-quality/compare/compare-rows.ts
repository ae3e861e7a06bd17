import { performance } from "node:perf_hooks";
import type { Cell, ResultSet } from "../../data-sources/engines/engine.ts";
import { plural } from "../../text.ts";
import type { SqlScope } from "../rules/rule-sql.ts";
import type { Pair } from "./paired-columns.ts";
import {
  batchesToFetch,
  batchesToSplit,
  type Content,
  type Cut,
  contentOf,
  countedParts,
  type Finding,
  factorFor,
  findingBy,
  firstCut,
  next,
  type Part,
  rangesOf,
  rowsIn,
} from "./parts.ts";
import { type Hashing, hashOf, rowText, typedValue } from "./row-hash.ts";
import { type Both, CannotCompare, type Reader } from "./sides.ts";

/**
 * Two tables row by row.
 *
 * A row's position is its key, if that is an integer, and otherwise a hash of the key. The positions are cut into about
 * a thousand parts, and each server counts the rows of each part and adds up their hashes, which are whole numbers, so
 * that the order of the rows does not matter. If all are the same, that was all. Parts that differ are cut again until
 * they have few rows, whose keys and hashes are fetched and compared. So equal tables cost one aggregate each, and others
 * what differs more. No more than a statement's rows are in memory.
 */

export type Difference = "only here" | "only there" | "different";

/** A row that differs, to be read again as a sample. */
export type DifferingRow = { kind: Difference; position: string; identity: string };

export type RowsCompared = {
  /** How many rows of each table were compared. */
  rows: Both<number>;
  differing: Record<Difference, number>;
  /** Some of each kind. */
  some: DifferingRow[];
  /** Whether what was read later did not fit what was read before. */
  changed: Both<boolean>;
};

export type Compared = { key: readonly Pair[]; pairs: readonly Pair[]; hashing: Hashing };

/** How many rows of each kind are kept as samples. */
const maxSome = 20;
/** A scan of a whole table is taken in stretches of about this time, so that what was compared is known. */
const stretchMs = 20_000;

const bytes = { parts: 32 * 1024 * 1024, rows: 64 * 1024 * 1024 };
/** Largest and smallest numbers that are positions. */
const whole = { min: -(2n ** 63n), max: 2n ** 63n - 1n };
const hashBits = 2n ** 60n - 1n;

export class RowComparison {
  readonly found: RowsCompared = {
    rows: [0, 0],
    differing: { "only here": 0, "only there": 0, different: 0 },
    some: [],
    changed: [false, false],
  };
  readonly #reader: Reader;
  readonly #compared: Compared;
  /** Whether positions are keys, so that a range of them may be found in an index. */
  #byKey = false;
  #finding: Finding = "scan";

  constructor(reader: Reader, compared: Compared) {
    this.#reader = reader;
    this.#compared = compared;
  }

  /** Compares everything. What was found so far is in `found`, also if it throws. Throws SideFailed, CannotCompare. */
  async run(): Promise<RowsCompared> {
    await this.#rejectMissingKeys();
    const askedAt = performance.now();
    const bounds = await this.#bounds();
    if (bounds === null) return this.found;
    const boundsMs = performance.now() - askedAt;
    const { cut, parts } = firstCut(...bounds);
    let size = this.#byKey ? Math.ceil(parts / 16) : parts;
    for (let from = 0; from < parts; ) {
      const to = Math.min(parts, from + size);
      const startedAt = performance.now();
      const counted = await this.#count(cut, this.#byKey ? stretch(cut, from, to) : () => null);
      const countedMs = performance.now() - startedAt;
      if (from === 0 && this.#byKey) this.#finding = findingBy({ boundsMs, countedMs });
      const partsInTime = (stretchMs * (to - from)) / countedMs;
      for (const place of [0, 1] as const) this.found.rows[place] += counted.all.rows[place];
      await this.#resolve(counted.differing, cut);
      from = to;
      size = Math.max(Math.ceil(parts / 4), Math.floor(partsInTime));
    }
    return this.found;
  }

  async #rejectMissingKeys(): Promise<void> {
    const { key } = this.#compared;
    if (!key.some(({ nullable }) => nullable)) return;
    const found = await this.#reader.read(
      (sql, _, place) => {
        const isMissing = key.map((pair) => `${typedValue(sql, pair, place).value} is null`).join(" or ");
        return `select ${sql.count()} as n from ${sql.table} as checked where ${isMissing}`;
      },
      { maxRows: 1, maxBytes: 1024 },
    );
    for (const [place, { rows }] of found.entries())
      if (String(rows[0]?.[0]) !== "0")
        throw new CannotCompare(
          `${this.#reader.sides[place]?.name} has ${plural(String(rows[0]?.[0]), "row")} without a key: ${namesOf(key)} must not be NULL`,
        );
  }

  /** The first and the last position; null if both tables are empty. */
  async #bounds(): Promise<[bigint, bigint] | null> {
    const [only, ...others] = this.#compared.key;
    const isInteger = others.length === 0 && only?.held.kind === "number" && only.held.isInteger;
    if (!only || !isInteger) return [0n, hashBits];
    const found = await this.#reader.read(
      (sql, _, place) => {
        const { value } = typedValue(sql, only, place);
        return `select min(${value}) as first, max(${value}) as last from ${sql.table} as checked`;
      },
      { maxRows: 1, maxBytes: 1024 },
    );
    const ends = found.flatMap(({ rows }) => (rows[0] ?? []).filter((cell) => cell !== null).map(integer));
    const [first, ...later] = ends.toSorted((a, b) => Number(a > b) - Number(a < b));
    if (first === undefined) return null;
    const last = later.at(-1) ?? first;
    this.#byKey = first >= whole.min && last <= whole.max && last - first <= whole.max;
    return this.#byKey ? [first, last] : [0n, hashBits];
  }

  /** Counts the parts of a cut in which either has the condition's rows: what they have in all, and those that differ. */
  async #count(cut: Cut, condition: Condition): Promise<{ all: Content; differing: Part[] }> {
    const { pairs, hashing } = this.#compared;
    const found = await this.#reader.read(
      (sql, _, place) => {
        const position = this.position(sql, place);
        const part = sql.comparison.part(position.whole, cut.first, cut.width);
        const only = condition(sql, position);
        // One text for each part takes the least memory here.
        const figures = ["cut.part", sql.count(), sql.exactNumber(sql.comparison.total("cut.hash"))];
        const [first = "", ...others] = figures.map(sql.asText);
        return `select ${sql.concat(first, ...others.flatMap((text) => ["':'", text]))} as counted
from (
  select ${part} as part, ${hashOf(sql, pairs, place, hashing)} as hash
  from ${sql.table} as checked${only === null ? "" : `\n  where ${only}`}
) as cut
group by cut.part`;
      },
      { maxRows: maxCounted, maxBytes: bytes.parts },
    );
    const [here, there] = found.map((result) => entire(result).rows) as Both<Cell[][]>;
    return countedParts(
      here.map(([cell]) => String(cell)),
      there.map(([cell]) => String(cell)),
    );
  }

  /** Finds what differs in parts that do: fetches small ones, and cuts the others again. */
  async #resolve(parts: readonly Part[], cut: Cut): Promise<void> {
    const { fetch, split } = next(parts, cut, this.#finding);
    for (const batch of batchesToFetch(fetch, this.#finding)) await this.#fetch(batch, cut);
    if (split.length === 0) return;
    const factor = factorFor(split, cut);
    const finer = { first: cut.first, width: cut.width / factor };
    const differing: Part[] = [];
    for (const batch of batchesToSplit(split, factor, this.#finding)) {
      const counted = await this.#count(finer, inParts(batch, cut));
      this.#noteChanges(contentOf(batch), counted.all);
      differing.push(...counted.differing);
    }
    await this.#resolve(differing, finer);
  }

  async #fetch(parts: readonly Part[], cut: Cut): Promise<void> {
    const { key, pairs, hashing } = this.#compared;
    const expected = parts.reduce((sum, part) => sum + rowsIn(part), 0);
    const condition = inParts(parts, cut);
    const found = await this.#reader.read(
      (sql, _, place) => {
        const position = this.position(sql, place);
        const identity = this.#byKey ? "" : `, ${rowText(sql, key, place)} as identity_text`;
        return `select ${position.whole} as position, ${hashOf(sql, pairs, place, hashing)} as hash${identity}
from ${sql.table} as checked
where ${condition(sql, position)}`;
      },
      { maxRows: 2 * expected + 10_000, maxBytes: bytes.rows },
    );
    const [here, there] = ([0, 1] as const).map((place) => this.#rowsOf(entire(found[place]), place)) as Both<
      Map<string, Fetched>
    >;
    this.#noteChanges(contentOf(parts), totalOf(here, there));
    for (const [identity, [position, hash]] of here) {
      const other = there.get(identity);
      if (!other) this.#note("only here", position, identity);
      else if (String(other[1]) !== String(hash)) this.#note("different", position, identity);
    }
    for (const [identity, [position]] of there)
      if (!here.has(identity)) this.#note("only there", position, identity);
  }

  /** By their identity. Millions may pass, so they stay as they were read. */
  #rowsOf({ rows }: ResultSet, place: 0 | 1): Map<string, Fetched> {
    const found = new Map<string, Fetched>();
    for (const row of rows as Fetched[]) found.set(String(row[2] ?? row[0]), row);
    if (found.size < rows.length)
      throw new CannotCompare(
        `the key is not unique: in ${this.#reader.sides[place].name}, ${namesOf(this.#compared.key)} occurs more than once`,
      );
    return found;
  }

  #note(kind: Difference, position: Cell, identity: string): void {
    const { differing, some } = this.found;
    if (differing[kind] < maxSome) some.push({ kind, position: String(position), identity });
    differing[kind]++;
  }

  /** What parts had must be what is found in them later: otherwise rows came, went, or changed. */
  #noteChanges(before: Content, after: Content): void {
    for (const place of [0, 1] as const)
      if (before.rows[place] !== after.rows[place] || before.totals[place] !== after.totals[place])
        this.found.changed[place] = true;
  }

  /** Conditions for some of the rows that differ, by their positions. */
  readRows(rows: readonly DifferingRow[]): Condition {
    const positions = [...new Set(rows.map(({ position }) => position))].join(", ");
    return (_, { value }) => `${value} in (${positions})`;
  }

  /** A row's position as it is, which an index may have, and in 64 bits. */
  position(sql: SqlScope, place: 0 | 1): Position {
    const { key, hashing } = this.#compared;
    const [only] = key;
    if (!this.#byKey || !only) {
      const full = hashOf(sql, key, place, hashing);
      // Only PostgreSQL's own hash has more bits, and not every engine has the operator.
      const hash = hashing === "own" ? `(${full}) & ${hashBits}` : full;
      return { value: `(${hash})`, whole: `(${hash})` };
    }
    const { value } = typedValue(sql, only, place);
    return { value, whole: sql.comparison.whole(value) };
  }
}

/** A row as it was read: its position, its hash, and what identifies it if that is not the position. */
type Fetched = [position: Cell, hash: Cell, identity?: Cell];
type Position = { value: string; whole: string };
/** Which rows, over `checked`; null for all of them. */
type Condition = (sql: SqlScope, position: Position) => string | null;

/** One more than may be counted shows that there were too many. */
const maxCounted = 20_000;

const integer = (cell: Cell) => BigInt(String(cell));

/** What was found in some parts in all. */
function totalOf(...sides: Both<ReadonlyMap<string, Fetched>>): Content {
  const [here, there] = sides.map((rows) => {
    let sum = 0n;
    for (const [, hash] of rows.values()) sum += integer(hash);
    return sum;
  });
  return { rows: [sides[0].size, sides[1].size], totals: [here ?? 0n, there ?? 0n] };
}

/** A result that was not cut off. */
function entire(result: ResultSet): ResultSet {
  if (result.truncated)
    throw new CannotCompare("more rows differ than can be read at once, or a key is too long");
  return result;
}

const stretch =
  ({ first, width }: Cut, from: number, to: number): Condition =>
  (_, { value }) =>
    `${value} >= ${first + BigInt(from) * width} and ${value} <= ${first + BigInt(to) * width - 1n}`;

/** How many ranges a condition spells out, for an index to find; beyond, parts are told by their numbers. */
const maxRanges = 100;

function inParts(parts: readonly Part[], cut: Cut): Condition {
  const ranges = rangesOf(parts, cut);
  return (sql, { value, whole: position }) => {
    if (ranges.length <= maxRanges)
      return ranges.map(({ from, to }) => `(${value} >= ${from} and ${value} <= ${to})`).join(" or ");
    const numbers = parts.map(({ at }) => at).join(", ");
    const part = sql.comparison.part(position, cut.first, cut.width);
    return `${value} >= ${ranges[0]?.from} and ${value} <= ${ranges.at(-1)?.to} and ${part} in (${numbers})`;
  };
}

export const namesOf = (pairs: readonly Pair[]) => pairs.map(({ name }) => name).join(", ");
