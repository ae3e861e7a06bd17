import { filledRows, type ObservedColumn } from "../profile/observed-column.ts";
import type { ObservedTable } from "../profile/observed-table.ts";
import { wordsOf } from "./names.ts";

const loads = new Set(
  (
    "created loaded updated inserted imported ingested modified synced recorded received added load timestamp " +
    "erstellt angelegt geladen importiert erfasst eingefügt eingefuegt geändert geaendert aktualisiert " +
    "creado creada cargado insertado importado registrado actualizado modificado créé chargé inséré importé modifié " +
    "creato caricato inserito criado carregado inserido atualizado aangemaakt geladen gewijzigd"
  ).split(" "),
);
const leastFilled = 0.95;

/** The column of moments that says when rows came into a table; null where none does. Pure. */
export function loadColumnOf(table: ObservedTable): {
  column: ObservedColumn;
  /** Whether the column's name says that it is about loading. */
  isNamed: boolean;
} | null {
  const columns = table.columns.filter(
    (column) => column.moments !== null && filledRows(column) >= table.rowCount * leastFilled,
  );
  const named = columns.filter(({ name }) => wordsOf(name).some((word) => loads.has(word)));
  if (named[0]) return { column: named[0], isNamed: true };
  // Of several that no name tells apart, the one that goes with the order of the rows most of all, the first of equals.
  const [best] = columns
    .map((each) => ({ column: each, order: orderWithRows(table, each) }))
    .filter(({ order }) => order > (columns.length === 1 ? runs.alone : runs.amongSeveral))
    .toSorted((a, b) => b.order - a.order);
  return best ? { column: best.column, isNamed: false } : null;
}

/** So much of the pairs of rows must be in the order of the column. */
const runs = { alone: 0.9, amongSeveral: 0.97 };

/** Births do not come in the order in which people are entered; orders do. */
function orderWithRows({ columns }: ObservedTable, { moments, rows, values }: ObservedColumn): number {
  const keys = columns.filter((each) => each.numbers && each.values.length === each.rows.length);
  const at = (row: number) => moments?.[rows[row] ?? -1] ?? Number.NaN;
  if (values.length < 2) return 0;
  const orders = [null, ...keys].map((key) => {
    const place = (row: number) => (key ? (key.numbers?.[key.rows[row] ?? -1] ?? 0) : row);
    let [agree, all] = [0, 0];
    for (let index = 0; index < 1000; index++) {
      const [a, b] = [(index * 7919) % rows.length, (index * 104_729 + 17) % rows.length];
      const order = (at(a) - at(b)) * (place(a) - place(b));
      if (Number.isNaN(order) || order === 0) continue;
      all++;
      if (order > 0) agree++;
    }
    return all === 0 ? 0 : agree / all;
  });
  return Math.max(...orders);
}
