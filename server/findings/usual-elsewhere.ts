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

/** Whether a text is among what is found in the columns of the same name and kind, which are looked for only when asked. */
function amongNamesakes(
  table: ObservedTable,
  { name, kind }: ObservedColumn,
  database: ObservedDatabase,
  find: (other: ObservedColumn) => string[],
): (text: string) => boolean {
  let known: ReadonlySet<string> | undefined;
  return (text) => {
    known ??= new Set(
      (byNameIn(database).get(nameOf({ name })) ?? [])
        .filter((other) => other.table !== table && other.column.kind === kind)
        .flatMap((other) => find(other.column)),
    );
    return known.has(text);
  };
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
