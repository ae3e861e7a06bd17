import type { Dialect } from "../data-sources/engines/engine.ts";
import { partsOf } from "./sql-parts.ts";

/**
 * What PostgreSQL refuses only when a statement begins to run, in its read-only transaction: writing in a WITH,
 * SELECT INTO, and locks on rows. Planning does not find it, so that a dry run has to. The words after each make it
 * one that is no name. Other dialects' gates refuse all of these themselves.
 */
const writing =
  /\b(?:insert\s+into|delete\s+from|merge\s+into)\b|[()]\s*(?:merge|update)\s+(?:only\s+)?[\w.]+(?:\s+(?:as\s+)?\w+)?\s+(?:set|using)\b|(?<!\bas\s+)\binto\b/i;
const locking = /\bfor\s+(?:no\s+key\s+)?(?:update|share|key\s+share)\b/i;

/** Why the statement would be refused when it runs; null where nothing of the kind is seen. */
export function hiddenWrite(sql: string, dialect: Dialect): string | null {
  if (dialect !== "postgresql") return null;
  const code = partsOf(sql, dialect).map((part) =>
    part.isOpaque ? ` ${replacement(part.text)} ` : part.text,
  );
  const text = code.join("").replaceAll(/\s*\.\s*/g, ".");
  if (writing.test(text)) return "Only a statement that reads is allowed, and so is each of its parts";
  return locking.test(text) ? "Only reading is allowed: no lock on rows" : null;
}

/** A quoted name is a name; strings and comments are nothing. */
const replacement = (opaque: string) => (opaque.startsWith('"') ? "name" : "");
