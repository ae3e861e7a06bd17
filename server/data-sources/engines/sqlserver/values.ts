import type { Cell } from "../engine.ts";
import { shortestFloat } from "../mysql/shortest-float.ts";

/** What the server says of a result's column, as the driver names it. */
export type Described = {
  colName: string;
  type: { name: string };
  dataLength?: number | undefined;
  scale?: number | undefined;
};

/** The driver's name for what may be NULL: the size says which type it is. */
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
const moneyPlaces = 4;

/**
 * A value as the driver reads it, made fit for JSON: dates and times as text, bytes as `0x…`. The driver reads
 * decimals as floating-point numbers, so beyond some 15 digits they are no longer exact: whoever needs every digit
 * casts them to varchar in SQL, as the rules do.
 */
export function cellOf(value: unknown, column: Described): Cell {
  if (value === null || value === undefined) return null;
  const type = typeNameOf(column);
  if (Buffer.isBuffer(value)) return `0x${value.toString("hex")}`;
  if (value instanceof Date) return timeText(value, type, column.scale);
  if (typeof value === "number") {
    if (type === "real") return shortestFloat(value);
    return exactTypes.has(type) ? decimalText(value, type, column.scale) : value;
  }
  return typeof value === "boolean" ? value : String(value);
}

/** As many places as the type has, as long as the number is still exact. */
function decimalText(value: number, type: string, scale = 0): string {
  const places = type.endsWith("money") ? moneyPlaces : scale;
  const isExact = Math.abs(value) * 10 ** places <= Number.MAX_SAFE_INTEGER;
  return isExact ? value.toFixed(places) : String(value);
}

/** The driver keeps what is finer than a millisecond beside the date, in seconds. */
type FineDate = Date & { nanosecondsDelta?: number };

function timeText(value: FineDate, type: string, scale = 7): string {
  if (Number.isNaN(value.getTime())) return "";
  const [day = "", clock = ""] = value.toISOString().split("T");
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
  return type === "datetimeoffset" ? `${day} ${time} +00:00` : `${day} ${time}`;
}
