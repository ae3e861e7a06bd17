import { firstLine } from "../failures.ts";

/** What is said about a statement that DuckDB did not read. Apart from DuckDB itself, which the service does not load. */

export class Refusal extends Error {}
/** A single row is larger than the limit. */
export class RowTooLarge extends Error {}

/** DuckDB starts its messages with their kind: `Binder Error: Referenced column "x" not found`. */
export function partsOfError(error: unknown): { kind: string; message: string; line?: number } {
  const text = error instanceof Error ? error.message : String(error);
  const first = firstLine(text).replace(/^Failed to extract statements: /, "");
  const [, kind = "", message = first] = /^([A-Z][A-Za-z ]*) Error: (.*)$/.exec(first) ?? [];
  const line = /^LINE (\d+): /m.exec(text)?.[1];
  return { kind, message, ...(line !== undefined && { line: Number(line) }) };
}
