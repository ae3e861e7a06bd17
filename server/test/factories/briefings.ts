import type { BriefedTable, Briefing } from "../../actors/briefing.ts";
import type { SignedIn } from "../../auth/principal.ts";
import { profileTables, tableKey } from "../../data-quality/service/profile-tables.ts";
import { refreshSchema } from "../../data-sources/service.ts";

type Given = Partial<Omit<Briefing, "occasion" | "actor" | "limits" | "dataSource">> & {
  occasion?: Partial<Briefing["occasion"]>;
  actor?: Partial<Briefing["actor"]>;
  limits?: Partial<Briefing["limits"]>;
  dataSource?: Partial<Briefing["dataSource"]>;
};

/** What an actor knows when it is set up on a PostgreSQL without tables, unless said otherwise. */
export function aBriefing({ occasion, actor, limits, dataSource, ...given }: Given = {}): Briefing {
  return {
    now: "2026-03-02T12:00:00.000Z",
    occasion: {
      trigger: "InitialSetup",
      instruction: null,
      revision: null,
      finishedExecutionIds: [],
      ...occasion,
    },
    actor: { name: "Guard", instructions: "Keep an eye on the data.", additionalContext: null, ...actor },
    limits: { maxQueries: 10, queriesLeft: 10, maxSubscriptionsPerQuery: 3, ...limits },
    dataSource: { id: 1, name: "Warehouse", dialect: "postgresql", defaultSchema: "public", ...dataSource },
    tables: [],
    omittedTables: 0,
    queries: [],
    conversation: [],
    pendingActions: [],
    ...given,
  };
}

/** The tables of a data source as an actor sees them: read and profiled anew. */
export async function briefedTables(
  ctx: SignedIn,
  dataSourceId: number,
  isWanted: (schemaName: string) => boolean = () => true,
): Promise<BriefedTable[]> {
  const { items } = await refreshSchema(ctx, dataSourceId);
  const tables = items
    .filter(({ schemaName }) => isWanted(schemaName))
    .flatMap(({ schemaName, tables }) => tables.map((table) => ({ schemaName, ...table })));
  const profiles = await profileTables(dataSourceId, tables, { totalMs: 30_000 });
  return tables.map((table) => ({
    ...table,
    profile: profiles.get(tableKey(table.schemaName, table.tableName)) ?? null,
  }));
}
