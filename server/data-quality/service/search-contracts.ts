import { and, eq, inArray, isNotNull, isNull, or, type SQL, sql } from "drizzle-orm";
import type { SignedIn } from "../../auth/principal.ts";
import { listDataSources } from "../../data-sources/service/load-data-sources.ts";
import { db } from "../../db/client.ts";
import { ifGiven, orderBy, type Sorts } from "../../db/listed.ts";
import { type Paging, paged } from "../../db/paged.ts";
import { containsWord, wordsIn } from "../../db/words.ts";
import type { ContractSort, ContractState, SearchContracts } from "../schema.ts";
import { contracts } from "../tables.ts";
import { evaluationBefore, loadContracts, measuredBefore } from "./load-contracts.ts";

type Filter = Partial<Omit<SearchContracts, keyof Paging>>;

/**
 * A page of the contracts visible to the caller that match the filters, by name unless asked otherwise. Only the rows of
 * the page are loaded with their rules; evaluations are read only for filters and orders that need them.
 */
export async function searchContracts(ctx: SignedIn, input: Filter & Paging) {
  const visible = (await listDataSources(ctx, { projectId: input.projectId })).items;
  const sources = visible.filter(({ id }) => id === (input.dataSourceId ?? id));
  const latest = evaluationBefore(0, "latest");
  const measured = measuredBefore(0, "measured");
  const isBelow = sql`${latest.score} < ${contracts.failureThreshold}`;
  const wasMeasured = and(isNotNull(latest.evaluatedAt), isNull(latest.notEvaluatedBecause));
  const states: Record<ContractState, SQL | undefined> = {
    Below: and(wasMeasured, isBelow),
    Met: and(wasMeasured, sql`not ${isBelow}`),
    Unreachable: isNotNull(latest.notEvaluatedBecause),
    Waiting: isNull(latest.evaluatedAt),
    Disabled: eq(contracts.enabled, false),
    Silenced: sql`${contracts.silencedUntil} > now()`,
  };
  /** Whether the name of the contract, its table, or its data source contains a word. */
  const holds = (word: string) => {
    const named = sources.filter(({ name }) => name.toLowerCase().includes(word.toLowerCase()));
    return or(
      containsWord(contracts.name, word),
      containsWord(sql`${contracts.schemaName} || '.' || ${contracts.tableName}`, word),
      inArray(
        contracts.dataSourceId,
        named.map(({ id }) => id),
      ),
    );
  };
  const fits = and(
    isNull(contracts.archivedAt),
    inArray(
      contracts.dataSourceId,
      sources.map(({ id }) => id),
    ),
    ifGiven(input.ownerId, contracts.ownerId),
    input.state && states[input.state],
    ...wordsIn(input.search ?? "").map(holds),
  );
  const byTable = [contracts.schemaName, contracts.tableName].map((name) => sql`lower(${name})`);
  const inOrder = sources.toSorted((one, other) => one.name.localeCompare(other.name)).map(({ id }) => id);
  const sorts: Sorts<ContractSort> = {
    Name: { by: [sql`lower(${contracts.name})`], natural: "Asc" },
    Target: {
      by: [
        sql`array_position(${sql.param(`{${inOrder.join(",")}}`)}::int[], ${contracts.dataSourceId})`,
        ...byTable,
      ],
      natural: "Asc",
    },
    Score: { by: [sql`${measured.score}`], natural: "Asc" },
    NextRun: { by: [contracts.nextRunAt], natural: "Asc" },
  };
  return paged(
    input,
    async () => {
      const [row] = await db
        .select({ contracts: sql<number>`count(*)::int` })
        .from(contracts)
        .leftJoinLateral(latest, needsLatest(input) ? sql`true` : sql`false`)
        .where(fits);
      return row?.contracts ?? 0;
    },
    async ({ limit, offset }) => {
      const rows = await db
        .select({ id: contracts.id })
        .from(contracts)
        .leftJoinLateral(latest, needsLatest(input) ? sql`true` : sql`false`)
        .leftJoinLateral(measured, input.sortBy === "Score" ? sql`true` : sql`false`)
        .where(fits)
        .orderBy(
          ...orderBy(sorts, { sortBy: "Name", ...input }, [sql`lower(${contracts.name})`, contracts.id]),
        )
        .limit(limit)
        .offset(offset);
      const ids = rows.map(({ id }) => id);
      const loaded = await loadContracts(ctx, inArray(contracts.id, ids));
      const byId = new Map(loaded.map((contract) => [contract.id, contract]));
      return ids.flatMap((id) => byId.get(id) ?? []);
    },
  );
}

/** Joined on `false`, PostgreSQL never runs the subquery. */
const needsLatest = ({ state }: Filter) =>
  state !== undefined && state !== "Disabled" && state !== "Silenced";
