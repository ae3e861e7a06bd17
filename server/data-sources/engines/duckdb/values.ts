import {
  DuckDBBlobValue,
  DuckDBDateValue,
  type DuckDBType,
  DuckDBTypeId,
  type DuckDBValue,
} from "@duckdb/node-api";
import type { Cell } from "../engine.ts";
import { shortestFloat } from "../shortest-float.ts";

/** DuckDB's name of a type, in lowercase unless it contains names. */
export function typeNameOf(type: DuckDBType | undefined): string {
  const name = String(type ?? "unknown");
  return /^[A-Z0-9_ (),]+$/.test(name) ? name.toLowerCase() : name;
}

/**
 * A value in the same form as from other engines: exact text for integers beyond 32 bits, decimals, and dates and
 * times, in UTC if zoned.
 */
export function cellOf(value: DuckDBValue, type: DuckDBType | undefined): Cell {
  if (value === null || typeof value === "boolean") return value;
  if (typeof value === "number") {
    // JSON has no NaN or infinities, so they become text.
    if (!Number.isFinite(value)) return String(value);
    return type?.typeId === DuckDBTypeId.FLOAT ? shortestFloat(value) : value;
  }
  if (value instanceof DuckDBBlobValue) return `\\x${Buffer.from(value.bytes).toString("hex")}`;
  if (value instanceof DuckDBDateValue && !value.isFinite) return value.days > 0 ? "infinity" : "-infinity";
  return String(value);
}
