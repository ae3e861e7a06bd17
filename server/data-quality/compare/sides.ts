import type { Dialect } from "../../data-sources/dialects/dialect.ts";
import {
  isSourceError,
  type Limits,
  type ResultSet,
  type SourceError,
  type Statement,
} from "../../data-sources/engines/engine.ts";
import type { Target } from "../compile.ts";
import { type SqlScope, sqlScope } from "../rules/rule-sql.ts";

/** The two tables of a comparison, and how they are read: both at the same time, a statement at a time. */

export type SideName = "this table" | "the other table";

export type Side = {
  name: SideName;
  dialect: Dialect;
  target: Target;
  /** A condition that a person wrote, for the rows that are compared. */
  where: string | undefined;
  /**
   * Reads on a connection of its own, which is free again after the statement: a side never waits for the other one
   * while it holds a connection, so no two comparisons can wait for each other.
   */
  read(statement: Statement, limits: Limits): Promise<ResultSet>;
};

export type Sides = readonly [Side, Side];
export type Both<T> = [T, T];

/** A data source failed: which one. */
export class SideFailed extends Error {
  override readonly name = "SideFailed";
  readonly side: Side;
  override readonly cause: SourceError;

  constructor(side: Side, cause: SourceError) {
    super(cause.message);
    this.side = side;
    this.cause = cause;
  }
}

/** What is wrong with the tables or the rule, so that they cannot be compared. The message is for people. */
export class CannotCompare extends Error {
  override readonly name = "CannotCompare";
}

type Size = Pick<Limits, "maxRows" | "maxBytes">;

/** Writes a statement over a side's table. */
export type Write = (sql: SqlScope, side: Side, place: 0 | 1) => string;

/** Reads both tables within a time. Each has one statement at a time, and what fails on one stops the other. */
export class Reader {
  readonly sides: Sides;
  readonly #until: number;

  constructor(sides: Sides, timeoutMs: number) {
    this.sides = sides;
    this.#until = performance.now() + timeoutMs;
  }

  get timeLeftMs(): number {
    return this.#until - performance.now();
  }

  /** The same statement on both, each in its own words. Throws SideFailed, also if the time is over. */
  async read(write: Write, size: Size): Promise<Both<ResultSet>> {
    const stop = new AbortController();
    const readOne = (place: 0 | 1) =>
      this.#readOne(place, { write, isWritten: false, ...size, signal: stop.signal }).catch((error) => {
        stop.abort(error);
        throw error;
      });
    const [one, other] = await Promise.allSettled([readOne(0), readOne(1)]);
    if (one.status === "fulfilled" && other.status === "fulfilled") return [one.value, other.value];
    throw stop.signal.reason;
  }

  async #readOne(
    place: 0 | 1,
    { write, isWritten, ...limits }: { write: Write; isWritten: boolean } & Omit<Limits, "timeoutMs">,
  ): Promise<ResultSet> {
    const side = this.sides[place];
    const { sql, parameters } = scopeOf(side);
    const statement = {
      ...{ sql: write(sql, side, place), parameters, ownSql: !isWritten },
      // Fetching in batches would keep some servers from running it in parallel; the result is limited either way.
      answersOneRow: true,
    };
    const timeoutMs = Math.max(1, this.timeLeftMs);
    return side.read(statement, { timeoutMs, ...limits }).catch((error) => {
      throw isSourceError(error) ? new SideFailed(side, error) : error;
    });
  }

  /** Has the servers accept the condition that a person wrote, like any SQL of theirs. Throws like `read`. */
  async checkCondition(): Promise<void> {
    if (this.sides[0].where === undefined) return;
    const write: Write = (sql) => {
      const { top, limit } = sql.limit(1);
      return `select ${top}1 as found from ${sql.table} as checked${limit}`;
    };
    // One after the other, so that it is the same one that objects every time.
    for (const place of [0, 1] as const)
      await this.#readOne(place, { write, isWritten: true, maxRows: 1, maxBytes: 1024 });
  }
}

const scopeOf = ({ dialect, target, where }: Side) =>
  sqlScope(dialect, target, where === undefined ? {} : { where });
