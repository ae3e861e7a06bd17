import type { LineageEdge, LineageNode } from "@/server/lineage/schema.ts";

/** Lineage in words. Pure. */

/** The heading of what is so many steps away. */
export function stepWords(step: number): string {
  if (step === 0) return "This table";
  if (step === -1) return "Made from";
  if (step === 1) return "Goes into";
  return step < 0 ? `${-step} steps up` : `${step} steps down`;
}

/** How it is known. */
export function viaWords({
  via,
  origin,
  isCertain,
}: Pick<LineageEdge, "via" | "origin" | "isCertain">): string {
  const words = {
    View: "by the view’s SQL",
    Query: "by the query’s SQL",
    Dbt: `by dbt ${origin ?? ""}`.trim(),
    Load: `by the load ${origin ?? ""}`.trim(),
    ForeignKey: "by a foreign key",
  }[via];
  return isCertain ? words : `${words}, which could not be fully read`;
}

/** Columns and what is made from them: "total → revenue"; those that only filter or join last. */
export function columnWords(columns: LineageEdge["columns"]): { made: string[]; deciding: string[] } {
  return {
    made: columns.flatMap(({ from, to }) => (to === null ? [] : from === to ? from : `${from} → ${to}`)),
    deciding: columns.flatMap(({ from, to }) => (to === null ? from : [])),
  };
}

/** What is said of a table besides its name, worst first; null if nothing is. */
export function stateWords({ kind, incident, alertCount, qualityScore }: LineageNode): string | null {
  if (incident) return `${incident.severity} incident`;
  if (alertCount > 0) return `${alertCount} unusual`;
  if (kind === null) return "Not there now";
  return qualityScore === null ? null : `Score ${qualityScore}`;
}

/** Where it is, short enough for a box: a table is the usual kind. */
export function placeWords({ kind, schemaName }: LineageNode): string {
  if (kind === "Query") return "Query";
  return kind === "View" ? `View in ${schemaName}` : (schemaName ?? "");
}

/** Whether a table fits what is searched: its name, its data source, or a column that is told. */
export function fitsSearch(node: LineageNode, edges: readonly LineageEdge[], search: string): boolean {
  const wanted = search.trim().toLowerCase();
  if (wanted === "") return true;
  const columns = edges.flatMap(({ from, to, columns: pairs }) => [
    ...(from === node.key ? pairs.map((pair) => pair.from) : []),
    ...(to === node.key ? pairs.flatMap((pair) => pair.to ?? []) : []),
  ]);
  return [node.name, node.dataSourceName ?? "", ...columns].some((text) =>
    text.toLowerCase().includes(wanted),
  );
}
