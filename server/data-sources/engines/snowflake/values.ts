import type { Cell } from "../engine.ts";

/** A column of a result, as the server describes it. */
export type ColumnFact = {
  name?: unknown;
  type?: unknown;
  precision?: unknown;
  scale?: unknown;
};

const names: Record<string, string> = { FIXED: "NUMBER", REAL: "FLOAT", TEXT: "VARCHAR" };

/** As the catalog writes it: NUMBER(38,0), VARCHAR, TIMESTAMP_NTZ(9). */
export function typeName({ type, precision, scale }: ColumnFact): string {
  const upper = String(type ?? "").toUpperCase();
  const name = names[upper] ?? upper;
  if (name === "NUMBER") return `NUMBER(${precision ?? 38},${scale ?? 0})`;
  return name.startsWith("TIMESTAMP") && typeof scale === "number" ? `${name}(${scale})` : name;
}

/**
 * A value of the format jsonv2, in which each is a text or null: whole numbers within 32 bits become numbers, and other
 * numbers stay exact text; days and seconds since 1970 become dates and times, in UTC if they have a zone.
 */
export function cellOf(value: unknown, column: ColumnFact | undefined): Cell {
  if (value === null || value === undefined) return null;
  const text = typeof value === "string" ? value : JSON.stringify(value);
  const type = String(column?.type ?? "").toLowerCase();
  switch (type) {
    case "fixed":
      return /^-?\d{1,9}$/.test(text) ? Number(text) : text;
    case "real":
      return realOf(text);
    case "boolean":
      return text === "true" || text === "1";
    case "date":
      return dateOf(text);
    case "time":
      return timeOf(text, scaleOf(column));
    case "timestamp_ntz":
    case "timestamp_ltz":
    case "timestamp_tz":
      return momentOf(text, scaleOf(column));
    default:
      return text;
  }
}

const scaleOf = (column: ColumnFact | undefined) =>
  typeof column?.scale === "number" ? Math.max(0, Math.min(9, column.scale)) : 9;

/** Not a number and infinite ones stay text. */
function realOf(text: string): Cell {
  const number = Number(text);
  return Number.isFinite(number) ? number : text;
}

const dayMs = 86_400_000;

function dateOf(text: string): string {
  const days = Number(text);
  // Already written as a date.
  return /^-?\d+$/.test(text) ? isoOf(days * dayMs).slice(0, -14) : text;
}

/** `82919.000000000`: seconds since midnight. */
function timeOf(text: string, scale: number): string {
  const { seconds, fraction } = secondsIn(text) ?? {};
  if (seconds === undefined || fraction === undefined) return text;
  return `${isoOf(Number(seconds) * 1000).slice(-13, -5)}${digitsOf(fraction, scale)}`;
}

/**
 * `1611871777.123456789`, or with the offset of its zone, `1611871777.123456789 1440`: the moment is the same in UTC. The
 * documentation also shows the seconds of a time with a zone without their point.
 */
function momentOf(text: string, scale: number): string {
  const [written = ""] = text.split(" ");
  const dotted = /^-?\d{15,}$/.test(written) ? `${written.slice(0, -9)}.${written.slice(-9)}` : written;
  const found = secondsIn(dotted);
  if (!found) return text;
  const iso = isoOf(Number(found.seconds) * 1000);
  return `${iso.slice(0, -14)} ${iso.slice(-13, -5)}${digitsOf(found.fraction, scale)}`;
}

/** Whole seconds rounded down, and nine digits after them; before 1970, too. */
function secondsIn(text: string): { seconds: bigint; fraction: string } | null {
  const [, sign, whole, places = ""] = /^(-?)(\d+)(?:\.(\d{1,9}))?$/.exec(text) ?? [];
  if (whole === undefined) return null;
  const nanos = BigInt(whole) * 1_000_000_000n + BigInt(places.padEnd(9, "0"));
  const signed = sign === "-" ? -nanos : nanos;
  const rest = ((signed % 1_000_000_000n) + 1_000_000_000n) % 1_000_000_000n;
  return { seconds: (signed - rest) / 1_000_000_000n, fraction: String(rest).padStart(9, "0") };
}

/** Without the zeros that end them. */
function digitsOf(fraction: string, scale: number): string {
  const digits = fraction.slice(0, scale).replace(/0+$/, "");
  return digits === "" ? "" : `.${digits}`;
}

/** 2026-01-31T10:20:30.000Z, with a year of any length. */
function isoOf(ms: number): string {
  return new Date(ms).toISOString();
}
