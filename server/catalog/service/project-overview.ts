import type { SignedIn } from "../../auth/principal.ts";
import { getOverview } from "../../data-quality/service/overview.ts";
import { listDataSources } from "../../data-sources/service/load-data-sources.ts";
import { getProject } from "../../projects/service.ts";
import type { ProjectOverview } from "../schema.ts";

import { documentSource } from "./document-sources.ts";

/** How many tables the overview lists, divided among the data sources; the documentation has the rest. */
const maxTables = 300;

/** A project at a glance: its data sources, their tables, and scores. Throws not_found. */
export async function getProjectOverview(ctx: SignedIn, projectId: number): Promise<ProjectOverview> {
  const { id, name, description } = await getProject(ctx, projectId);
  const [{ items }, quality] = await Promise.all([
    listDataSources(ctx, { projectId }),
    getOverview(ctx, { projectId, historiesUpTo: 0 }),
  ]);
  const share = Math.max(10, Math.floor(maxTables / items.length));
  const dataSources = await Promise.all(
    items.map(async (source) => {
      const scored = quality.items.find(({ dataSourceId }) => dataSourceId === source.id);
      const { tables, unavailable } = await documentSource(ctx, source, quality);
      return {
        ...{ id: source.id, name: source.name, kind: source.kind, unavailable },
        averageScore: scored?.measured.averageScore ?? null,
        activeContractCount: scored?.activeContractCount ?? 0,
        tableCount: tables.length,
        tables: tables
          .slice(0, share)
          .map(({ comment: _, description: __, columns: ___, ...table }) => table),
      };
    }),
  );
  return { project: { id, name, description }, dataSources };
}
