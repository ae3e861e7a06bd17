import type { Random } from "../../faults/random.ts";
import type { Segment } from "../../server/causes/segment.ts";
import { filledRows, type ObservedColumn, valueAt } from "../../server/profile/observed-column.ts";
import type { ObservedTable } from "../../server/profile/observed-table.ts";

/** A cause that was put into a table: which rows it is about, and which of all rows fail. */
export type Planted = {
  kind: "value" | "moment" | "both";
  isOfCause(row: number): boolean;
  /** The rows that fail, in order. */
  failing: number[];
};

/**
 * Lets rows of a table fail: most of those of a cause, and some others for no reason. null for a table in which no such
 * cause would show: fewer than 20 rows of it, or more than half of the table.
 */
export function plantCause(random: Random, table: ObservedTable, kind: Planted["kind"]): Planted | null {
  const value = kind === "moment" ? () => true : sharedValue(random, table);
  const moment = kind === "value" ? () => true : someTime(random, table);
  if (!value || !moment) return null;
  const isOfCause = (row: number) => value(row) && moment(row);
  const rows = Array.from({ length: table.rowCount }, (_, row) => row);
  const inside = rows.filter(isOfCause);
  if (inside.length < 20 || inside.length > table.rowCount / 2) return null;
  const [share, noise] = [0.5 + random.next() * 0.5, 0.02 + random.next() * 0.25];
  const isFailing = new Set(inside.filter(() => random.chance(share)));
  const others = rows.filter((row) => !isOfCause(row));
  const wanted = Math.round((isFailing.size * noise) / (1 - noise));
  for (const row of others) if (random.chance(wanted / others.length)) isFailing.add(row);
  return { kind, isOfCause, failing: rows.filter((row) => isFailing.has(row)) };
}

type Test = (row: number) => boolean;

/** A value of a column with few of them, that a fiftieth to two fifths of the rows have. */
function sharedValue(random: Random, { columns, rowCount }: ObservedTable): Test | null {
  const choices = columns.flatMap((column) =>
    column.values.length < 2 || column.values.length > 50
      ? []
      : [...column.counts.entries()].flatMap(([index, count]) =>
          count >= rowCount * 0.02 && count <= rowCount * 0.4 ? [{ column, index }] : [],
        ),
  );
  if (choices.length === 0) return null;
  const { column, index } = random.pick(choices);
  return (row) => column.rows[row] === index;
}

/** Since a moment, or between two: a tenth to two fifths of the rows that say when they came. */
function someTime(random: Random, { columns, rowCount }: ObservedTable): Test | null {
  const dated = columns.filter(
    (column) => column.moments && column.values.length >= 20 && filledRows(column) > rowCount * 0.9,
  );
  if (dated.length === 0) return null;
  const column = random.pick(dated);
  const at = (row: number) => column.moments?.[column.rows[row] ?? -1] ?? Number.NaN;
  const order = [...column.rows.keys()]
    .map(at)
    .filter(Number.isFinite)
    .sort((a, b) => a - b);
  const size = 0.1 + random.next() * 0.3;
  const start = random.chance(0.5) ? 1 - size : random.next() * (1 - size);
  const bound = (share: number) => order[Math.min(order.length - 1, Math.floor(share * order.length))] ?? 0;
  const [from, to] = [bound(start), start + size >= 0.999 ? Number.POSITIVE_INFINITY : bound(start + size)];
  return (row) => at(row) >= from && at(row) <= to;
}

/** Whether a row is in a segment. */
export function isIn(table: ObservedTable, { parts }: Segment): Test {
  const tests = parts.map((part): Test => {
    const column = table.columns.find(({ name }) => name === part.column) as ObservedColumn;
    if (part.is === "Missing") return (row) => valueAt(column, row) === null;
    if (part.is === "Value") return (row) => valueAt(column, row) === part.value;
    const measure = column.moments ?? column.numbers;
    const bound = (text: string | null, otherwise: number) =>
      text === null ? otherwise : column.moments ? Date.parse(text) : Number(text);
    const [from, to] = [bound(part.from, -Infinity), bound(part.to, Infinity)];
    return (row) => {
      const at = measure?.[column.rows[row] ?? -1] ?? Number.NaN;
      return at >= from && at <= to;
    };
  });
  return (row) => tests.every((test) => test(row));
}
