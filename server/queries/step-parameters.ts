import type { RequestStep } from "./schema.ts";

const written = /\{\{\s*([A-Za-z_][A-Za-z0-9_]{0,99})\s*\}\}/g;

type Texts = { sql?: string | undefined; request?: RequestStep | undefined };

/**
 * The names that steps use as `{{name}}`, without duplicates, in order of first use. Scans the raw texts: placeholders
 * that cannot be bound, such as in a SQL string, are rejected when saving and running.
 */
export function parametersOf(steps: readonly Texts[]): string[] {
  const texts = steps.flatMap(({ sql, request }) => [
    ...(sql === undefined ? [] : [sql]),
    ...(request ? [request.path, ...Object.values(request.query ?? {}), ...textsIn(request.body)] : []),
  ]);
  return [...new Set(texts.flatMap((text) => [...text.matchAll(written)].map(([, name = ""]) => name)))];
}

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
