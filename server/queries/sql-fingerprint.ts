import { createHash } from "node:crypto";
import type { StepWrite } from "./schema.ts";

/** Which text it was, for the audit log: by its hash, since the text itself may hold people's data. */
export const sqlFingerprint = (sql: string): string => `SQL of ${sql.length} characters, ${hashOf(sql)}`;

/** The same of steps as a whole. One that is SQL alone is known by its text. */
export function stepsFingerprint(steps: readonly Partial<StepWrite>[]): string {
  const [only] = steps;
  if (steps.length === 1 && only?.sql !== undefined) return sqlFingerprint(only.sql);
  const texts = steps.map(({ dataSourceId, sql, request }) => ({
    dataSourceId: dataSourceId ?? null,
    sql,
    request,
  }));
  return `${steps.length} ${steps.length === 1 ? "step" : "steps"}, ${hashOf(JSON.stringify(texts))}`;
}

const hashOf = (text: string) => `SHA-256 ${createHash("sha256").update(text).digest("hex").slice(0, 16)}…`;
