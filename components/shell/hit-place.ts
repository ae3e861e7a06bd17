import type { SearchHit } from "@/server/catalog/schema.ts";
import { columnHash, tableHref } from "../catalogue/table-href.ts";

/** The page that shows what was found. */
export function pathOfHit({ kind, id, name, dataSourceId, schemaName, tableName }: SearchHit): string {
  if (kind === "Query") return `/queries/${id}`;
  if (kind === "Contract") return `/data-quality/contracts/${id}`;
  if (kind === "Actor") return `/ai-actors/${id}`;
  const table = tableHref(dataSourceId ?? 0, { schemaName: schemaName ?? "", tableName: tableName ?? "" });
  return kind === "Column" ? table + columnHash(name) : table;
}

/** Where it belongs, in a few words: what tells it from others of its name. */
export function placeOfHit(
  { kind, dataSourceId, projectId, schemaName, tableName }: SearchHit,
  names: { ofSource: (id: number) => string | undefined; ofProject: (id: number) => string },
): string {
  const source = dataSourceId === null ? undefined : names.ofSource(dataSourceId);
  const within = {
    Table: schemaName,
    Column: `${schemaName}.${tableName}`,
    Contract: `${schemaName}.${tableName}`,
  };
  if (kind === "Query") return names.ofProject(projectId);
  return [source, kind === "Actor" ? null : within[kind]].filter(Boolean).join(" / ");
}
