import type { DbtNode } from "./manifest.ts";

/** The table of `ref(…)` and `source(…)`, if it is known. */
export type Resolve = (reference: Reference) => DbtNode | null;
export type Reference = { kind: "ref" | "source"; first: string; second: string | null };

const call =
  /\b(ref|source)\s*\(\s*(?:'([^'\n]{1,300})'|"([^"\n]{1,300})")\s*(?:,\s*(?:'([^'\n]{1,300})'|"([^"\n]{1,300})")\s*)?(?:,\s*v(?:ersion)?\s*=\s*['"]?[\w.]{1,40}['"]?\s*)?\)/;

/** The first table that a text refers to. */
export function referenceIn(text: string): Reference | null {
  const found = call.exec(text.slice(0, 2000));
  if (!found) return null;
  const [, kind, a, b, c, d] = found;
  return { kind: kind === "source" ? "source" : "ref", first: a ?? b ?? "", second: c ?? d ?? null };
}

/**
 * SQL without Jinja: references become tables, and comments and settings are left out. null if there is anything else,
 * which only dbt can compile.
 */
export function withoutJinja(sql: string, tableOf: (reference: Reference) => string | null): string | null {
  const parts: string[] = [];
  let at = 0;
  for (;;) {
    const start = nextTag(sql, at);
    if (start < 0) break;
    parts.push(sql.slice(at, start));
    const closing = { "{": "}}", "%": "%}", "#": "#}" }[sql[start + 1] as "{" | "%" | "#"];
    const end = sql.indexOf(closing, start + 2);
    if (end < 0) return null;
    at = end + 2;
    if (closing === "#}") continue;
    const inner = sql
      .slice(start + 2, end)
      .replace(/^-|-$/g, "")
      .trim();
    if (closing === "%}" || inner.length > 2000) return null;
    if (/^config\s*\(/.test(inner)) continue;
    const whole = call.exec(inner);
    const reference = whole?.[0] === inner ? referenceIn(inner) : null;
    const table = reference && tableOf(reference);
    if (table === null) return null;
    parts.push(table);
  }
  return [...parts, sql.slice(at)].join("").trim();
}

function nextTag(sql: string, from: number): number {
  for (let at = sql.indexOf("{", from); at >= 0; at = sql.indexOf("{", at + 1))
    if (["{", "%", "#"].includes(sql[at + 1] ?? "")) return at;
  return -1;
}
