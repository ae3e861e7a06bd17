import {
  DuckDBBlobValue,
  DuckDBDateValue,
  type DuckDBType,
  DuckDBTypeId,
  type DuckDBValue,
} from "@duckdb/node-api";
import type { Cell } from "../data-sources/engines/engine.ts";
import { shortestFloat } from "../data-sources/engines/mysql/shortest-float.ts";

/** DuckDB's own name for a type, in small letters unless it holds names of others. */
export function typeNameOf(type: DuckDBType | undefined): string {
  const name = String(type ?? "unknown");
  return /^[A-Z0-9_ (),]+$/.test(name) ? name.toLowerCase() : name;
}

/** A value as the other engines give it: exact text beyond 32 bits, for decimals, and for dates and times in UTC. */
export function cellOf(value: DuckDBValue, type: DuckDBType | undefined): Cell {
  if (value === null || typeof value === "boolean") return value;
  if (typeof value === "number") {
    // JSON has no NaN and no infinities, so they stay words.
    if (!Number.isFinite(value)) return String(value);
    return type?.typeId === DuckDBTypeId.FLOAT ? shortestFloat(value) : value;
  }
  if (value instanceof DuckDBBlobValue) return `\\x${Buffer.from(value.bytes).toString("hex")}`;
  if (value instanceof DuckDBDateValue && !value.isFinite) return value.days > 0 ? "infinity" : "-infinity";
  return String(value);
}
