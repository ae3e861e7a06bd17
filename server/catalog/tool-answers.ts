import { z } from "zod";
import { only } from "../db/schema-parts.ts";
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
