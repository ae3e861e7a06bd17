import type { Cell } from "./engine.ts";

/** The size of a row, approximately as on the wire. */
export function sizeOf(row: readonly Cell[]): number {
  let bytes = 0;
  for (const cell of row) bytes += 4 + (typeof cell === "string" ? Buffer.byteLength(cell) : 8);
  return bytes;
}
