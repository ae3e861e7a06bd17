import type { Cell } from "../engine.ts";

/** The type without what says that it may be NULL or how it is stored. */
export const plainTypeOf = (type: string): string => {
  const stored = /^LowCardinality\((.*)\)$/s.exec(type)?.[1] ?? type;
  return /^Nullable\((.*)\)$/s.exec(stored)?.[1] ?? stored;
};

/**
 * A value of the format JSONCompactEachRow as a cell. With the settings of client.ts, wide integers and decimals are
 * text already, and so are NaN and infinite numbers; times are ISO 8601 in UTC. Arrays, maps, and tuples are JSON text.
 */
export function cellOf(value: unknown, type: string): Cell {
  if (value === null || value === undefined) return null;
  if (typeof value === "string")
    return type.startsWith("DateTime") ? value.replace("T", " ").replace(/Z$/, "") : value;
  if (typeof value === "number" || typeof value === "boolean") return value;
  return JSON.stringify(value);
}
