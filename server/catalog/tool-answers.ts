import { z } from "zod";
import { only } from "../db/schema-parts.ts";
import { type Lineage, lineageEdgeSchema, lineageNodeSchema, lineageSchema } from "../lineage/schema.ts";
import { foundSchema, overviewSchema, searchHitSchema } from "./schema.ts";

/** MCP tool output for a project and for searches in it. */

const { project, dataSources } = overviewSchema.shape;
const { tables } = dataSources.element.shape;

export const toldOverview = overviewSchema.pick(only("project", "dataSources")).extend({
  project: project.pick(only("id", "name", "description")),
  dataSources: z.array(
    dataSources.element
      .pick(
        only(
          "id",
          "name",
          "kind",
          "averageScore",
          "activeContractCount",
          "tableCount",
          "tables",
          "unavailable",
        ),
      )
      .extend({
        tables: z.array(
          tables.element.pick(
            only("schemaName", "tableName", "kind", "rowEstimate", "qualityScore", "trend"),
          ),
        ),
      }),
  ),
});

export const toldHits = foundSchema.pick(only("items", "totalCount")).extend({
  items: z.array(
    searchHitSchema.pick(
      only("kind", "id", "name", "description", "dataSourceId", "schemaName", "tableName", "qualityScore"),
    ),
  ),
});

export const toldLineage = lineageSchema.pick(only("nodes", "edges", "omitted", "problem")).extend({
  nodes: z.array(
    lineageNodeSchema.pick(
      only(
        "key",
        "kind",
        "name",
        "dataSourceName",
        "step",
        "incident",
        "qualityScore",
        "alertCount",
        "problem",
        "hasMore",
      ),
    ),
  ),
  edges: z.array(lineageEdgeSchema.pick(only("from", "to", "via", "origin", "isCertain", "columns"))),
});

export function lineageInText({ nodes, edges, omitted, problem }: Lineage): string {
  const nameOf = new Map(nodes.map(({ key, name }) => [key, name]));
  const stateOf = ({ incident, alertCount }: Lineage["nodes"][number]) =>
    [incident && `; incident ${incident.id}: ${incident.title}`, alertCount > 0 && `; ${alertCount} unusual`]
      .filter(Boolean)
      .join("");
  return [
    ...nodes.map((node) => `${node.step} ${node.name}${stateOf(node)}`),
    ...edges.map(
      ({ from, to, via, isCertain }) =>
        `${nameOf.get(from) ?? from} -> ${nameOf.get(to) ?? to} (${via}${isCertain ? "" : ", uncertain"})`,
    ),
    ...(omitted > 0 ? [`and ${omitted} more tables and queries`] : []),
    ...(problem === null ? [] : [problem]),
  ].join("\n");
}
