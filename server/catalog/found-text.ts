import { code, plain } from "./markdown.ts";
import type { Found, SearchHit } from "./schema.ts";

type Hit = Omit<SearchHit, "projectId">;

/** Search results, one per line, for clients that show only text to their assistant. */
export function foundText({ items, totalCount }: Omit<Found, "items"> & { items: readonly Hit[] }): string {
  if (totalCount === 0) return "No results.";
  if (items.length === 0) return `${totalCount} found, none from this offset on.`;
  const lines = items.map((hit) => `- ${nameOf(hit)}${more(hit)}`);
  return [`${items.length} of ${totalCount} found.`, ...lines].join("\n");
}

function nameOf({ kind, id, name, schemaName, tableName, dataSourceId }: Hit): string {
  if (kind === "Table" || kind === "Column") {
    const path = [schemaName ?? "", tableName ?? "", ...(kind === "Column" ? [name] : [])];
    return `${kind} ${path.map(code).join(".")}, datasource ${dataSourceId}`;
  }
  return `${kind} ${plain(name)} (${id})`;
}

function more({ qualityScore, description }: Hit): string {
  const score = qualityScore === null ? "" : `; quality ${qualityScore.toFixed(2)}`;
  return score + (description ? `: ${plain(description)}` : "");
}
