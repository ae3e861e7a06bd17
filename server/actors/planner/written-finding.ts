import { type FindingKind, findingKinds } from "../../findings/kinds.ts";
import type { TableName } from "./check.ts";
import { namesIn } from "./written-check.ts";

/** What a query for findings looks for: its table, and the kinds of findings with their suspicious columns. */
export type WrittenFinding = TableName & {
  parts: readonly { kind: FindingKind; columns: readonly string[] }[];
};

/** The first line of a query for findings, like `commentOf` for a check. */
export function findingComment({ schemaName, tableName, parts }: WrittenFinding): string {
  const name = JSON.stringify;
  const said = parts.map(({ kind, columns }) =>
    columns.length === 0 ? kind : `${kind} of ${columns.map((each) => name(each)).join(", ")}`,
  );
  return `-- Looks wrong in ${name(schemaName)}.${name(tableName)}: ${said.join("; ")}`;
}

/** What a query's SQL claims to look for, by its first line; null for all other SQL. Pure. */
export function findingIn(sql: string): WrittenFinding | null {
  const [line = ""] = sql.split("\n", 1);
  if (!line.startsWith('-- Looks wrong in "')) return null;
  const read = namesIn(line);
  const [schemaName, tableName, ...columns] = read?.names ?? [];
  if (!read || schemaName === undefined || tableName === undefined) return null;
  const parts = (read.words.split(": ")[1] ?? "").split("; ").map((part) => {
    const [word, of = ""] = part.split(" of ");
    return {
      kind: findingKinds.find((kind) => kind === word),
      columns: columns.splice(0, of.split("?").length - 1),
    };
  });
  const known = parts.flatMap(({ kind, columns: own }) => (kind ? [{ kind, columns: own }] : []));
  const written = { schemaName, tableName, parts: known };
  return findingComment(written) === line ? written : null;
}

/** The same for all queries that look for the same. */
export function findingIdentity({ schemaName, tableName, parts }: WrittenFinding): string[] {
  return parts.map(({ kind, columns }) =>
    JSON.stringify([kind, schemaName, tableName, ...columns.toSorted()]),
  );
}
