import type { ObservedColumn } from "../profile/observed-column.ts";
import type { ObservedTable } from "../profile/observed-table.ts";
import type { ObservedDatabase } from "./candidate.ts";
import { wordsOf } from "./names.ts";
import { exactShapeOf } from "./shape.ts";

/** What so much of another column says is how a database writes it. */
const usual = { share: 0.05, rows: 20 };

/** Each column asks for those of its name: they are gathered once. */
const gathered = new WeakMap<ObservedDatabase, ReadonlyMap<string, readonly Named[]>>();
type Named = { table: ObservedTable; column: ObservedColumn };

/**
 * Whether a column of the same name in another table often has a value, by the value's index: where most ends are
 * 9999-01-01, those of a table in which little is still open are, too.
 */
export function usualElsewhere(
  table: ObservedTable,
  column: ObservedColumn,
  database: ObservedDatabase,
): (index: number) => boolean {
  const isUsual = amongNamesakes(table, column, database, frequentIn);
  return (index) => isUsual(column.values[index] ?? "");
}

/**
 * Whether values of a column of the same name in another table are often written as a value is, letter for letter, by the
 * value's index: what a staging table has in two ways, the table it is loaded into has in both.
 */
export function writtenElsewhere(
  table: ObservedTable,
  column: ObservedColumn,
  database: ObservedDatabase,
): (index: number) => boolean {
  const isUsual = amongNamesakes(table, column, database, frequentShapesIn);
  return (index) => isUsual(shapeIn(column.values[index] ?? ""));
}

type Find = (column: ObservedColumn) => string[];

/** Whether a text is among what is found in the columns of the same name and kind, which are looked for only when asked. */
function amongNamesakes(
  table: ObservedTable,
  column: ObservedColumn,
  database: ObservedDatabase,
  find: Find,
): (text: string) => boolean {
  let known: Told | undefined;
  return (text) => {
    known ??= toldBy(column, database, find);
    const by = known.get(text);
    return by !== undefined && by !== table;
  };
}

/** Each text with the table that has it, or null where several do. */
type Told = ReadonlyMap<string, ObservedTable | null>;

/** Thousands of tables may have a column of one name: what is found in them is gathered once. */
const told = new WeakMap<ObservedDatabase, Map<Find, Map<string, Told>>>();

function toldBy({ name, kind }: ObservedColumn, database: ObservedDatabase, find: Find): Told {
  const ofDatabase = told.get(database) ?? new Map<Find, Map<string, Told>>();
  told.set(database, ofDatabase);
  const found = ofDatabase.get(find) ?? new Map<string, Told>();
  ofDatabase.set(find, found);
  const key = `${kind} ${nameOf({ name })}`;
  const before = found.get(key);
  if (before) return before;
  const now = new Map<string, ObservedTable | null>();
  for (const other of byNameIn(database).get(nameOf({ name })) ?? []) {
    if (other.column.kind !== kind) continue;
    for (const text of find(other.column))
      now.set(text, now.has(text) && now.get(text) !== other.table ? null : other.table);
  }
  found.set(key, now);
  return now;
}

/** Of longer texts, the beginning is enough. */
const shapeIn = (value: string): string => exactShapeOf(value.slice(0, 200));

const nameOf = ({ name }: Pick<ObservedColumn, "name">): string => wordsOf(name).join();

function byNameIn(database: ObservedDatabase): ReadonlyMap<string, readonly Named[]> {
  const before = gathered.get(database);
  if (before) return before;
  const all = database.tables.flatMap((table) => table.columns.map((column) => ({ table, column })));
  const byName = Map.groupBy(all, ({ column }) => nameOf(column));
  gathered.set(database, byName);
  return byName;
}

function frequentIn({ values, counts, rows }: ObservedColumn): string[] {
  const least = Math.max(usual.rows, rows.length * usual.share);
  return values.filter((_, index) => (counts[index] ?? 0) >= least);
}

function frequentShapesIn({ values }: ObservedColumn): string[] {
  const byShape = Map.groupBy(values, shapeIn);
  const least = Math.max(usual.rows, values.length * usual.share);
  return [...byShape].flatMap(([shape, those]) => (those.length >= least ? shape : []));
}
