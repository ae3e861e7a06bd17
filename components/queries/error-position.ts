import type { SqlPosition } from "@/components/trpc/errors.ts";
import type { RunTarget } from "./use-query-run.ts";

type Place = { line: number; column: number | null };

/** Where a place in a selected part is in the whole text, if the part begins at `from`. */
export function placeInWhole({ line, column }: Place, text: string, from: number): Place {
  const before = text.slice(0, from);
  const first = before.split("\n").length;
  const indent = from - (before.lastIndexOf("\n") + 1);
  return {
    line: line + first - 1,
    column: column === null ? null : line === 1 ? column + indent : column,
  };
}

/** Line 3, column 8. */
export const wordsOfPlace = ({ line, column }: Place): string =>
  column === null ? `Line ${line}` : `Line ${line}, column ${column}`;

type Ran = Pick<RunTarget, "stepKey" | "keys" | "part">;

/** The place in the SQL of the step that failed: the one that ran alone, or the one that the service names. */
export function failedPlace(
  position: SqlPosition | undefined,
  { stepKey, keys, part }: Ran,
): (Place & { stepKey: number }) | null {
  if (!position) return null;
  const key = position.step === undefined ? (stepKey ?? keys[0]) : keys[position.step - 1];
  if (key === undefined) return null;
  const isOfPart = part !== undefined && key === stepKey;
  const { line, column } = isOfPart ? placeInWhole(position, part.text, part.from) : position;
  return { stepKey: key, line, column };
}
