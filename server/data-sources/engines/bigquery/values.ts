import type { Cell } from "../engine.ts";

/** A field of a result's schema, by the API. */
export type FieldSchema = {
  name?: string;
  type?: string;
  mode?: string;
  precision?: string;
  scale?: string;
  fields?: FieldSchema[];
  rangeElementType?: { type?: string };
};

/** What GoogleSQL calls the types that the API calls by their older names. */
const names: Readonly<Record<string, string>> = {
  INTEGER: "INT64",
  FLOAT: "FLOAT64",
  BOOLEAN: "BOOL",
  RECORD: "STRUCT",
};

/** The type as GoogleSQL writes it: NUMERIC(10, 2), ARRAY<STRUCT<id INT64>>. */
export function typeOf(field: FieldSchema): string {
  const own = elementTypeOf(field);
  return field.mode === "REPEATED" ? `ARRAY<${own}>` : own;
}

function elementTypeOf({ type = "", precision, scale, fields = [], rangeElementType }: FieldSchema): string {
  const name = names[type] ?? type;
  if (name === "STRUCT") return `STRUCT<${fields.map((each) => `${each.name} ${typeOf(each)}`).join(", ")}>`;
  if (name === "RANGE") return `RANGE<${rangeElementType?.type ?? ""}>`;
  if (precision === undefined || !/NUMERIC$/.test(name)) return name;
  return scale === undefined ? `${name}(${precision})` : `${name}(${precision}, ${scale})`;
}

/**
 * A value of a result as a cell. The API sends every value as text, so integers and decimals keep their digits; times are
 * written in UTC, to the microsecond. Structs and arrays are JSON.
 */
export function cellOf(value: unknown, field: FieldSchema): Cell {
  if (value === null || value === undefined) return null;
  if (field.mode === "REPEATED" || isStruct(field)) return jsonOf(value, field);
  const text = String(value);
  switch (field.type) {
    case "BOOLEAN":
    case "BOOL":
      return text === "true";
    case "FLOAT":
    case "FLOAT64":
      return floatIn(text);
    case "TIMESTAMP":
      return momentOf(text);
    case "DATETIME":
      return text.replace("T", " ");
    case "BYTES":
      return `0x${Buffer.from(text, "base64").toString("hex")}`;
    default:
      return text;
  }
}

const isStruct = ({ type }: FieldSchema) => type === "RECORD" || type === "STRUCT";

function floatIn(text: string): Cell {
  const number = Number(text);
  if (Number.isFinite(number)) return number;
  if (/^nan$/i.test(text)) return "NaN";
  return text.startsWith("-") ? "-Infinity" : "Infinity";
}

/** Microseconds since 1970, as asked for: beyond what a Date holds of them. */
function momentOf(text: string): Cell {
  if (!/^-?\d+$/.test(text)) return text;
  const micros = BigInt(text);
  const fraction = ((micros % 1_000_000n) + 1_000_000n) % 1_000_000n;
  const whole = new Date(Number((micros - fraction) / 1000n)).toISOString().slice(0, 19).replace("T", " ");
  return fraction === 0n
    ? `${whole}+00`
    : `${whole}.${String(fraction).padStart(6, "0").replace(/0+$/, "")}+00`;
}

/** Built as text, so that numbers keep their digits. */
function jsonOf(value: unknown, field: FieldSchema): string {
  if (value === null || value === undefined) return "null";
  if (field.mode === "REPEATED") {
    const element = { ...field, mode: "NULLABLE" };
    const list = Array.isArray(value) ? value : [];
    return `[${list.map((each) => jsonOf(inner(each), element)).join(",")}]`;
  }
  if (isStruct(field)) {
    const { f: values = [] } = value as { f?: unknown[] };
    const pairs = (field.fields ?? []).map(
      (each, at) => `${JSON.stringify(each.name ?? "")}:${jsonOf(inner(values[at]), each)}`,
    );
    return `{${pairs.join(",")}}`;
  }
  if (field.type === "JSON") return String(value);
  const cell = cellOf(value, field);
  const isExact = /^(INTEGER|INT64|(BIG)?NUMERIC)$/.test(field.type ?? "") && typeof cell === "string";
  return isExact ? cell : JSON.stringify(cell);
}

const inner = (each: unknown) => (each as { v?: unknown } | undefined)?.v;
