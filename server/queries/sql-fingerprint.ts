import { createHash } from "node:crypto";
import { plural } from "../text.ts";
import type { StepWrite } from "./schema.ts";

/** Identifies a text in the audit log by its hash, since the text may contain personal data. */
export const sqlFingerprint = (sql: string): string => `SQL of ${sql.length} characters, ${hashOf(sql)}`;

/** The same for a list of steps. A single SQL step has the hash of its text. */
export function stepsFingerprint(steps: readonly Partial<StepWrite>[]): string {
  const [only] = steps;
  if (steps.length === 1 && only?.sql !== undefined) return sqlFingerprint(only.sql);
  const texts = steps.map(({ dataSourceId, sql, request }) => ({
    dataSourceId: dataSourceId ?? null,
    sql,
    request,
  }));
  return `${plural(steps.length, "step")}, ${hashOf(JSON.stringify(texts))}`;
}

const hashOf = (text: string) => `SHA-256 ${createHash("sha256").update(text).digest("hex").slice(0, 16)}…`;
