import { and, desc, eq, inArray, isNotNull, isNull, sql } from "drizzle-orm";
import type { z } from "zod";
import type { SignedIn } from "../auth/principal.ts";
import { evaluations } from "../data-quality/evaluations/tables.ts";
import { contracts } from "../data-quality/tables.ts";
import { listKnownTables } from "../data-sources/service/known-tables.ts";
import { listDataSources } from "../data-sources/service/load-data-sources.ts";
import { db } from "../db/client.ts";
import { Problem } from "../errors.ts";
import { plural } from "../text.ts";
import { tableAlerts, watchedTables, watches } from "../watch/tables.ts";
import type { gateInput } from "./schema.ts";

type Asked = z.output<typeof gateInput>;

/**
 * Whether a pipeline may go on with a table: all contracts about it are on and their latest scores are enough. Throws
 * conflict, with the reasons, if it may not; not_found for a table that no visible data source has; and rejected for one
 * that several have.
 */
export async function openGate(ctx: SignedIn, asked: Asked) {
  const table = await findTable(ctx, asked);
  const found = await latestOf(table);
  const reasons = [
    ...(found.length === 0 ? ["No contract that is on is about this table"] : []),
    ...found.flatMap((contract) => reasonsOf(contract, asked)),
    ...(asked.alerts ? await alertsOf(table) : []),
  ];
  if (reasons.length > 0)
    throw new Problem(
      "conflict",
      `The gate of ${table.schemaName}.${table.tableName} is closed: ${reasons.join("; ")}`,
      {
        members: { reasons },
      },
    );
  return {
    ...table,
    contracts: found.flatMap(({ id, name, score, evaluatedAt }) =>
      score === null || evaluatedAt === null ? [] : [{ id, name, score, evaluatedAt }],
    ),
  };
}

type Table = { dataSourceId: number; dataSourceName: string; schemaName: string; tableName: string };

/** By the tables as last read, and those of contracts. */
async function findTable(ctx: SignedIn, { table, dataSourceId }: Asked): Promise<Table> {
  const sources = (await listDataSources(ctx, {})).items.filter(
    ({ id }) => dataSourceId === undefined || id === dataSourceId,
  );
  const known = await listKnownTables(sources.map(({ id }) => id));
  const targets = await targetsOf(sources.map(({ id }) => id));
  const all = new Map<string, Table>();
  for (const { id, name } of sources)
    for (const { schemaName, tableName } of [...(known.get(id)?.tables ?? []), ...(targets.get(id) ?? [])])
      if (tableName === table || `${schemaName}.${tableName}` === table)
        all.set(JSON.stringify([id, schemaName, tableName]), {
          ...{ dataSourceId: id, dataSourceName: name, schemaName, tableName },
        });
  const [first, ...others] = all.values();
  if (!first) throw new Problem("not_found", "Table not found");
  if (others.length > 0)
    throw new Problem(
      "rejected",
      `${plural(others.length + 1, "table")} are called ${table}: name the schema and the data source`,
    );
  return first;
}

async function targetsOf(dataSourceIds: readonly number[]) {
  if (dataSourceIds.length === 0) return new Map<number, { schemaName: string; tableName: string }[]>();
  const rows = await db
    .selectDistinct({
      dataSourceId: contracts.dataSourceId,
      schemaName: contracts.schemaName,
      tableName: contracts.tableName,
    })
    .from(contracts)
    .where(and(inArray(contracts.dataSourceId, [...dataSourceIds]), isNull(contracts.archivedAt)));
  return Map.groupBy(rows, (row) => row.dataSourceId);
}

/** Contracts that are on, with their latest evaluations. */
async function latestOf({ dataSourceId, schemaName, tableName }: Table) {
  const rows = await db
    .select({ contract: contracts })
    .from(contracts)
    .where(
      and(
        eq(contracts.dataSourceId, dataSourceId),
        eq(contracts.schemaName, schemaName),
        eq(contracts.tableName, tableName),
        eq(contracts.enabled, true),
        isNull(contracts.archivedAt),
      ),
    )
    .orderBy(contracts.name, contracts.id);
  return Promise.all(
    rows.map(async ({ contract: { id, name, failureThreshold } }) => {
      const [latest] = await db
        .select({
          score: evaluations.overallScore,
          evaluatedAt: evaluations.evaluatedAt,
          because: evaluations.notEvaluatedBecause,
        })
        .from(evaluations)
        .where(and(eq(evaluations.contractId, id), isNotNull(evaluations.evaluatedAt)))
        .orderBy(desc(evaluations.evaluatedAt), desc(evaluations.id))
        .limit(1);
      return {
        ...{ id, name, threshold: failureThreshold, because: latest?.because ?? null },
        ...{ score: latest?.score ?? null, evaluatedAt: latest?.evaluatedAt ?? null },
      };
    }),
  );
}

function reasonsOf(
  { name, threshold, score, evaluatedAt, because }: Awaited<ReturnType<typeof latestOf>>[number],
  { minScore = threshold, maxAgeMinutes }: Asked,
): string[] {
  if (evaluatedAt === null) return [`${name} was never evaluated`];
  if (because !== null) return [`${name} could not be evaluated: ${because}`];
  const minutes = (Date.now() - evaluatedAt.getTime()) / 60_000;
  return [
    ...(score !== null && score < minScore ? [`${name} has score ${score}, below ${minScore}`] : []),
    ...(maxAgeMinutes !== undefined && minutes > maxAgeMinutes
      ? [`${name} was evaluated ${plural(Math.floor(minutes), "minute")} ago`]
      : []),
  ];
}

async function alertsOf({ dataSourceId, schemaName, tableName }: Table): Promise<string[]> {
  const rows = await db
    .select({ sentence: tableAlerts.sentence })
    .from(tableAlerts)
    .innerJoin(watchedTables, eq(watchedTables.id, tableAlerts.tableId))
    .innerJoin(watches, eq(watches.id, watchedTables.dataSourceId))
    .where(
      and(
        eq(watchedTables.dataSourceId, dataSourceId),
        eq(watchedTables.schemaName, schemaName),
        eq(watchedTables.tableName, tableName),
        isNull(tableAlerts.endedAt),
        isNull(tableAlerts.expectedAt),
      ),
    )
    .orderBy(sql`${tableAlerts.kind}`);
  return rows.map(({ sentence }) => sentence);
}
