import type { Cell } from "../engine.ts";

/** Rights that change nothing: to read, to see, and to run statements on a warehouse. */
const reading = /^(SELECT|REFERENCES|USAGE|MONITOR|OPERATE|READ|IMPORTED PRIVILEGES|RESOLVE ALL)$/i;
const administrators = /^(ACCOUNTADMIN|SYSADMIN|SECURITYADMIN|ORGADMIN|USERADMIN)$/i;

type Shown = { columns: readonly { name: string }[]; rows: readonly (readonly Cell[])[] };

/**
 * Whether a role could change anything, by what SHOW GRANTS TO ROLE says of it; null if it has other roles, whose rights
 * are not read.
 */
export function canWriteWith(role: string, { columns, rows }: Shown): boolean | null {
  if (administrators.test(role)) return true;
  const at = (name: string) => columns.findIndex((column) => column.name.toLowerCase() === name);
  const [privilege, grantedOn] = [at("privilege"), at("granted_on")];
  if (privilege < 0) return null;
  let isKnown = true;
  for (const row of rows) {
    if (/^(DATABASE_)?ROLE$/i.test(String(row[grantedOn] ?? ""))) isKnown = false;
    else if (!reading.test(String(row[privilege]))) return true;
  }
  return isKnown ? false : null;
}
