import type { FieldPacket } from "mysql2";
import type { Cell } from "../engine.ts";
import { shortestFloat } from "../shortest-float.ts";

/** The server's description of a result's column. */
export type Described = Pick<
  FieldPacket,
  "name" | "columnType" | "flags" | "characterSet" | "extendedTypeName" | "extendedFormat"
>;

/** The protocol's numbers for types. */
const numbers = { tiny: 1, short: 2, long: 3, float: 4, double: 5, longlong: 8, int24: 9, bit: 16 } as const;
const unsignable: readonly number[] = Object.values(numbers).filter((number) => number !== numbers.bit);

const names: Record<number, string> = {
  0: "decimal",
  1: "tinyint",
  2: "smallint",
  3: "int",
  4: "float",
  5: "double",
  6: "null",
  7: "timestamp",
  8: "bigint",
  9: "mediumint",
  10: "date",
  11: "time",
  12: "datetime",
  13: "year",
  14: "date",
  16: "bit",
  242: "vector",
  245: "json",
  246: "decimal",
  247: "enum",
  248: "set",
  255: "geometry",
};
/** Types whose name depends on whether they hold bytes or characters. */
const textNames: Record<number, readonly [characters: string, bytes: string]> = {
  15: ["varchar", "varbinary"],
  249: ["text", "blob"],
  250: ["text", "blob"],
  251: ["text", "blob"],
  252: ["text", "blob"],
  253: ["varchar", "varbinary"],
  254: ["char", "binary"],
};
const bytesCharacterSet = 63;
const flag = { unsigned: 32, enum: 256, set: 2048 };

/** The engine's own name for the type, as far as the protocol provides it. */
export function typeNameOf({ columnType = -1, flags, ...column }: Described): string {
  const bits = typeof flags === "number" ? flags : 0;
  if (column.extendedTypeName) return column.extendedTypeName;
  if (column.extendedFormat) return column.extendedFormat;
  if (bits & flag.enum) return "enum";
  if (bits & flag.set) return "set";
  const byContent = textNames[columnType];
  if (byContent) return byContent[column.characterSet === bytesCharacterSet ? 1 : 0];
  const name = names[columnType] ?? "unknown";
  return bits & flag.unsigned && unsignable.includes(columnType) ? `${name} unsigned` : name;
}

/** Makes a value from the driver exact and JSON-compatible: bytes as `0x…`, bits as a number. */
export function cellOf(value: unknown, { columnType }: Described): Cell {
  if (value === null || value === undefined) return null;
  if (Buffer.isBuffer(value))
    return columnType === numbers.bit ? numberIn(value) : `0x${value.toString("hex")}`;
  if (typeof value === "number") return columnType === numbers.float ? shortestFloat(value) : value;
  return typeof value === "boolean" ? value : String(value);
}

function numberIn(bits: Buffer): number | string {
  const value = BigInt(`0x${bits.toString("hex") || "0"}`);
  return value < 2n ** 32n ? Number(value) : value.toString();
}
