import type { Cell } from "../engine.ts";

/** The fields of a JSON object; null if it is anything else. Whole numbers that JavaScript would round keep their digits. */
export function parsed(body: Buffer): Record<string, unknown> | null {
  const text = body.toString();
  try {
    const value: unknown = mayRound.test(text) ? JSON.parse(text, keepDigits) : JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}

const mayRound = /\d{16}/;

/** Each value with its text; TypeScript does not know that yet. */
function keepDigits(_: string, value: unknown, context?: { source?: string }): unknown {
  const source = context?.source;
  return typeof value === "number" && !Number.isSafeInteger(value) && source && /^-?\d+$/.test(source)
    ? json.rawJSON(source)
    : value;
}

type RawJson = { rawJSON: string };
const json = JSON as unknown as {
  rawJSON(text: string): RawJson;
  isRawJSON(value: unknown): value is RawJson;
};

/** A value as a cell. Arrays, maps, and rows are JSON text. */
export function cellOf(value: unknown, type: string): Cell {
  if (value === null || value === undefined) return null;
  if (typeof value === "boolean") return value;
  if (typeof value === "number") return type === "bigint" ? String(value) : value;
  if (typeof value === "string") return textOf(value, type);
  return json.isRawJSON(value) ? value.rawJSON : JSON.stringify(value);
}

function textOf(text: string, type: string): string {
  if (type === "varbinary") return Buffer.from(text, "base64").toString("hex");
  return type.startsWith("timestamp") && type.endsWith("with time zone") ? inUtc(text) : text;
}

/** `2024-01-01 12:00:00.5 Europe/Berlin`, in UTC and without a zone. */
function inUtc(text: string): string {
  const [, local = "", fraction = "", zone = ""] =
    /^([+-]?\d{4,}-\d\d-\d\d \d\d:\d\d:\d\d)(\.\d+)? (.+)$/.exec(text) ?? [];
  if (local === "") return text;
  if (/^(UTC|Z)$/.test(zone)) return local + fraction;
  const [, sign = "", year = "", rest = ""] = /^([+-]?)(\d+)(.*)$/.exec(local) ?? [];
  // ISO 8601 has six digits and a sign for a year beyond four digits.
  const iso = sign === "" ? local : `${sign}${year.padStart(6, "0")}${rest}`;
  const wall = Date.parse(`${iso.replace(" ", "T")}Z`);
  const offset = Number.isNaN(wall) ? null : offsetOf(wall, zone);
  if (offset === null) return text;
  return (
    new Date(wall - offset)
      .toISOString()
      .replace("T", " ")
      .replace(/\.\d+Z$/, "") + fraction
  );
}

const hourMs = 3_600_000;

/**
 * What the clocks of a zone are ahead of UTC when they show that time, in milliseconds. An hour that they show twice is
 * the first one, as the server's text does not tell which it was.
 */
function offsetOf(wall: number, zone: string): number | null {
  const [, sign, hours, minutes] = /^([+-])(\d\d):?(\d\d)$/.exec(zone) ?? [];
  if (sign !== undefined)
    return (sign === "-" ? -1 : 1) * (Number(hours) * hourMs + Number(minutes) * 60_000);
  const clock = clockOf(zone);
  if (clock === null) return null;
  const before = clock(wall - 24 * hourMs);
  return clock(wall - before) === before ? before : clock(wall - clock(wall + 24 * hourMs));
}

const clocks = new Map<string, ((moment: number) => number) | null>();
const maxClocks = 1_000;

/** What is added to a moment for the time that the clocks of a zone show; null if the zone is not known here. */
function clockOf(zone: string): ((moment: number) => number) | null {
  const known = clocks.get(zone);
  if (known !== undefined) return known;
  const clock = newClock(zone);
  if (clocks.size < maxClocks) clocks.set(zone, clock);
  return clock;
}

function newClock(timeZone: string): ((moment: number) => number) | null {
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat("en", { timeZone, timeZoneName: "longOffset" });
  } catch {
    return null;
  }
  return (moment) => {
    const name = format.formatToParts(moment).find(({ type }) => type === "timeZoneName")?.value ?? "";
    const [, sign, hours, minutes, seconds = 0] = /^GMT([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(name) ?? [];
    if (sign === undefined) return 0;
    const ahead = Number(hours) * hourMs + Number(minutes) * 60_000 + Number(seconds) * 1000;
    return sign === "-" ? -ahead : ahead;
  };
}
