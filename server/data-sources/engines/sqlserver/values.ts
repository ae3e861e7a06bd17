import type { Cell } from "../engine.ts";
import { shortestFloat } from "../shortest-float.ts";

/** The server's description of a result's column, in the driver's terms. */
export type Described = {
  colName: string;
  type: { name: string };
  dataLength?: number | undefined;
  scale?: number | undefined;
};

/** The driver's names for nullable types, whose size decides the type. */
const bySize: Record<string, Record<number, string>> = {
  IntN: { 1: "tinyint", 2: "smallint", 4: "int", 8: "bigint" },
  FloatN: { 4: "real", 8: "float" },
  MoneyN: { 4: "smallmoney", 8: "money" },
  DateTimeN: { 4: "smalldatetime", 8: "datetime" },
};
const otherNames: Record<string, string> = {
  BitN: "bit",
  DecimalN: "decimal",
  NumericN: "numeric",
  Variant: "sql_variant",
  UDT: "udt",
};

/** The engine's own name for the type. */
export function typeNameOf({ type: { name }, dataLength }: Described): string {
  return bySize[name]?.[dataLength ?? 0] ?? otherNames[name] ?? name.toLowerCase();
}

const exactTypes = new Set(["decimal", "numeric", "money", "smallmoney"]);

/**
 * Makes a value JSON-compatible: dates and times as text, bytes as `0x…`. Decimals, money, and sql_variant contents are
 * exact text already (`exact-values.ts`). Throws if they are not, rather than show wrong digits.
 */
export function cellOf(value: unknown, column: Described): Cell {
  if (value === null || value === undefined) return null;
  const type = typeNameOf(column);
  if (Buffer.isBuffer(value)) return `0x${value.toString("hex")}`;
  if (value instanceof Date) return timeText(value, type, column.scale);
  if (typeof value === "number") {
    if (exactTypes.has(type)) throw new Error(`The driver has read a ${type} as a floating-point number`);
    return type === "real" ? shortestFloat(value) : value;
  }
  return typeof value === "boolean" ? value : String(value);
}

/** The driver keeps fractions finer than a millisecond separately, in seconds. */
export type FineDate = Date & { nanosecondsDelta?: number };

/** A datetimeoffset is written by a clock that is `minutesAhead` of UTC. */
export function timeText(value: FineDate, type: string, scale = 7, minutesAhead = 0): string {
  if (Number.isNaN(value.getTime())) return "";
  const told = new Date(value.getTime() + minutesAhead * 60_000);
  const [day = "", clock = ""] = told.toISOString().split("T");
  if (type === "date") return day;
  const [seconds = "", milliseconds = ""] = clock.replace("Z", "").split(".");
  if (type === "smalldatetime") return `${day} ${seconds}`;
  if (type === "datetime") return `${day} ${seconds}.${milliseconds}`;
  const finer = Math.round((value.nanosecondsDelta ?? 0) * 10 ** 7)
    .toString()
    .padStart(4, "0");
  const fraction = `${milliseconds}${finer}`.slice(0, scale);
  const time = fraction ? `${seconds}.${fraction}` : seconds;
  if (type === "time") return time;
  return type === "datetimeoffset" ? `${day} ${time} ${offsetText(minutesAhead)}` : `${day} ${time}`;
}

function offsetText(minutesAhead: number): string {
  const two = (number: number) => String(number).padStart(2, "0");
  const minutes = Math.abs(minutesAhead);
  return `${minutesAhead < 0 ? "-" : "+"}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}
