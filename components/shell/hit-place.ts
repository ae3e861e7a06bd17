import type { SearchHit } from "@/server/catalog/schema.ts";
import { columnHash, tableHref } from "../catalog/table-href.ts";

/** The page of a search result. */
export function pathOfHit({ kind, id, name, dataSourceId, schemaName, tableName }: SearchHit): string {
  if (kind === "Query") return `/queries/${id}`;
  if (kind === "Contract") return `/data-quality/contracts/${id}`;
  if (kind === "Actor") return `/ai-actors/${id}`;
  const table = tableHref(dataSourceId ?? 0, { schemaName: schemaName ?? "", tableName: tableName ?? "" });
  return kind === "Column" ? table + columnHash(name) : table;
}

/** A result's location in a few words, to tell it apart from others with the same name. */
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
