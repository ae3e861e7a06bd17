import type { BriefedTable, Briefing } from "../../actors/briefing.ts";
import type { SignedIn } from "../../auth/principal.ts";
import { postgresql } from "../../data-sources/dialects/postgresql.ts";
import { refreshSchema } from "../../data-sources/service/read-schema.ts";
import { profileTables, tableKey } from "../../profile/service/profile-tables.ts";
import type { ColumnProfile } from "../../profile/table-profile.ts";

type Given = Partial<Omit<Briefing, "occasion" | "actor" | "limits" | "dataSource">> & {
  occasion?: Partial<Briefing["occasion"]>;
  actor?: Partial<Briefing["actor"]>;
  limits?: Partial<Briefing["limits"]>;
  dataSource?: Partial<Briefing["dataSource"]>;
};

/** An actor's knowledge at its setup; by default on a PostgreSQL without tables. */
export function aBriefing({ occasion, actor, limits, dataSource, ...given }: Given = {}): Briefing {
  return {
    now: "2026-03-02T12:00:00.000Z",
    occasion: {
      trigger: "InitialSetup",
      instruction: null,
      wishes: null,
      revision: null,
      clauses: [],
      finishedExecutionIds: [],
      ...occasion,
    },
    actor: {
      name: "Guard",
      instructions: "Keep an eye on the data.",
      additionalContext: null,
      wishes: null,
      ...actor,
    },
    limits: { maxQueries: 10, queriesLeft: 10, maxSubscriptionsPerQuery: 3, ...limits },
    dataSource: { id: 1, name: "Warehouse", dialect: "postgresql", defaultSchema: "public", ...dataSource },
    tables: [],
    findings: { items: [], tablesRead: null, isComplete: true },
    omittedTables: 0,
    queries: [],
    conversation: [],
    pendingActions: [],
    ...given,
  };
}

/** The tables of a data source as an actor sees them, read and profiled again. */
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
    context: null,
    profile: profiles.get(tableKey(table.schemaName, table.tableName)) ?? null,
  }));
}

type GivenColumn = Partial<ColumnProfile> & { name: string };

/** A table with its profile, as an actor sees it: 1,000 rows, all of them read; columns are integers without NULLs. */
export function aTable({
  columns = [],
  rows = 1000,
  ...given
}: Partial<Omit<BriefedTable, "columns">> & { rows?: number; columns?: GivenColumn[] } = {}): BriefedTable {
  const profiled = columns.map((column): ColumnProfile => {
    const { kind = postgresql.kindOf(column.type ?? "integer"), type = "integer" } = column;
    return {
      ...{ type, kind, isNullable: !column.isPrimaryKey, isPrimaryKey: false, values: rows },
      different: column.isPrimaryKey
        ? rows
        : kind === "integer" || kind === "text"
          ? Math.ceil(rows / 3)
          : null,
      ...{ least: null, greatest: null, newest: null, ageSeconds: null, shortest: null, longest: null },
      samples: [],
      ...column,
    };
  });
  return {
    ...{ schemaName: "public", tableName: "orders", kind: "Table", rowEstimate: rows, comment: null },
    context: null,
    columns: profiled.map(({ name, type, isNullable, isPrimaryKey, references }) => ({
      ...{ name, type, nullable: isNullable, isPrimaryKey, comment: null },
      ...(references && { references }),
    })),
    profile: { rows, isWhole: true, columns: profiled },
    ...given,
  };
}

/** The times of a table that has received rows around the clock for weeks, the last one a minute ago. */
export const aliveTimes = (name: string, given: Partial<ColumnProfile> = {}): GivenColumn => ({
  ...{
    name,
    type: "timestamp with time zone",
    isNullable: false,
    newest: "2026-03-02 11:59:00+00",
    ageSeconds: 60,
  },
  arrivals: { hours: 840, longestGapHours: 1, fewestRows: 5, spanHours: 839, latestHoursAgo: 0 },
  ...given,
});
