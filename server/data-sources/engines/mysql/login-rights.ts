import { mysql } from "../../dialects/mysql.ts";
import type { Cell } from "../engine.ts";
import { tokensOf } from "../tokens.ts";
import type { MysqlConnection } from "./connection.ts";

/** Rights that change nothing visible to others. Temporary tables are private. */
const harmless = new Set([
  "usage",
  "select",
  "show view",
  "show databases",
  "show_routine",
  "process",
  "execute",
  "lock tables",
  "create temporary tables",
  "replication client",
  "replication slave",
  "binlog monitor",
  "slave monitor",
  "replica monitor",
]);

/**
 * Whether the login could change anything: by itself, through a role that it may assume, or as anyone may. Judged by
 * grants without trying. Rights of a role that cannot be determined count as write access. The roles stay active, so do
 * not reuse the connection.
 */
export async function canWrite(connection: MysqlConnection): Promise<boolean> {
  const own = await connection.ask("show grants");
  const everybodys = connection.isMariaDb
    ? await connection.ask("show grants for public").catch(() => [])
    : [];
  if ([...own, ...everybodys].some(grantsWriting)) return true;
  const roles = own.map(roleIn).filter((role) => role !== null);
  try {
    for (const role of roles) {
      const using = connection.isMariaDb ? "show grants" : `show grants for current_user() using ${role}`;
      if (connection.isMariaDb) await connection.ask(`set role ${role}`);
      if ((await connection.ask(using)).some(grantsWriting)) return true;
    }
  } catch {
    return true;
  }
  return false;
}

/** One line of SHOW GRANTS: `GRANT SELECT, INSERT (a) ON db.t TO …`. A line without ON grants roles. */
export function grantsWriting([line]: readonly Cell[]): boolean {
  const rights: string[] = [];
  let right = "";
  let depth = 0;
  for (const token of tokensOf(String(line), mysql.lexis)) {
    if (token.kind === "open") depth++;
    else if (token.kind === "close") depth--;
    else if (depth > 0) continue;
    else if (token.kind === "word" && token.text === "on")
      return [...rights, right].some((each) => !harmless.has(each));
    else if (token.kind === "word" && token.text !== "grant")
      right = right ? `${right} ${token.text}` : token.text;
    else if (token.kind === "other") {
      rights.push(right);
      right = "";
    }
  }
  return false;
}

/** The roles that a line grants, as SQL: `GRANT reading TO …`, `` GRANT `a`@`%`,`b`@`%` TO … ``; null for rights. */
export function roleIn([line]: readonly Cell[]): string | null {
  const text = String(line);
  const isRole = /^GRANT [`'"]?/.test(text) && ![...tokensOf(text, mysql.lexis)].some(isOn);
  return isRole ? (/^GRANT (.+?) TO /.exec(text)?.[1] ?? null) : null;
}

const isOn = (token: { kind: string; text?: string }) => token.kind === "word" && token.text === "on";
