import type { Random } from "../../../faults/random.ts";
import { change, type Planter } from "./place.ts";

/** A reference to what does not exist, where the database does not see to it itself. */
export const plantOrphan: Planter = ({ cells }, { tables }) =>
  cells.flatMap((column) => {
    const parent = tables
      .find(({ name }) => name === column.references?.table)
      ?.cells.find(({ name }) => name === column.references?.column);
    if (!parent || column.isDeclared) return [];
    const known = new Set(parent.observed.values);
    const isClean = column.observed.values.every((value) => known.has(value));
    if (!isClean) return [];
    return [
      {
        columns: [column.name],
        how: `not in ${column.references?.table}`,
        apply: change(column, (value, random) => stranger(value, known, random)),
      },
    ];
  });

/** Written like the others, and none of them. */
function stranger(value: string, known: ReadonlySet<string>, random: Random): string | undefined {
  for (let attempt = 0; attempt < 50; attempt++) {
    const other = value
      .replace(/\d/g, (digit, at) =>
        at === 0 && attempt < 25 ? digit : String(random.between(at === 0 ? 1 : 0, 9)),
      )
      .replace(/[A-Z]/g, (letter) => (/\d/.test(value) ? letter : random.pick([..."QXZJKW"])));
    if (!known.has(other)) return other;
  }
  return undefined;
}
