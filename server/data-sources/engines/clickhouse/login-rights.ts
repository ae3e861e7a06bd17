import { type Cell, isSourceError } from "../engine.ts";

/** Rights that change nothing: to read, and to see what there is. */
const reading = /^(SELECT|SHOW|SHOW [A-Z ]+|dictGet|USAGE|NONE|displaySecretsInShowAndSelect)(\(.*\))?$/;

/**
 * Whether the login could change anything, by its grants and without trying; null if it may not see them, or if they
 * come from a role that is not resolved.
 */
export async function canWriteBy(ask: (sql: string) => Promise<readonly (readonly Cell[])[]>) {
  for (const sql of ["show grants final", "show grants"])
    try {
      return canWriteWith((await ask(sql)).map(([grant]) => String(grant)));
    } catch (error) {
      if (!isSourceError(error) || error.kind !== "statement") throw error;
    }
  return null;
}

export function canWriteWith(grants: readonly string[]): boolean | null {
  let isKnown = true;
  for (const grant of grants) {
    if (grant.startsWith("REVOKE ")) continue;
    const rights = /^GRANT (.+?) ON /.exec(grant)?.[1];
    if (rights === undefined) isKnown = false;
    // Commas inside parentheses separate columns.
    else if (!rights.split(/, (?![^(]*\))/).every((right) => reading.test(right))) return true;
  }
  return isKnown ? false : null;
}
