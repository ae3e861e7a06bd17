import type { CatalogTable, ProjectOverview } from "./schema.ts";

const maxTables = 50;
const hasScore = ({ qualityScore }: CatalogTable) => qualityScore !== null;

/** A project's overview in a few lines. Where there are many tables, those with a score come first. */
export function overviewText({ project, dataSources }: ProjectOverview): string {
  const lines = dataSources.flatMap(({ id, name, kind, tables, tableCount, averageScore, unavailable }) => {
    const score = averageScore === null ? "not scored" : `average score ${averageScore}`;
    const [scored, others] = [tables.filter(hasScore), tables.filter((table) => !hasScore(table))];
    const shown = (tableCount > maxTables ? [...scored, ...others] : tables)
      .slice(0, maxTables)
      .map((table) => {
        const quality = table.qualityScore === null ? "" : ` ${table.qualityScore} ${table.trend}`;
        return `  - ${table.schemaName}.${table.tableName}${quality}`;
      });
    const more =
      tableCount > maxTables ? [`  - and ${tableCount - maxTables} more: see get_documentation`] : [];
    const state =
      unavailable === null ? `${tableCount} tables, ${score}` : `tables not known: ${unavailable}`;
    return [`- ${name} (data source ${id}, ${kind}): ${state}`, ...shown, ...more];
  });
  return [`Project ${project.name} (${project.id})`, ...lines].join("\n");
}
