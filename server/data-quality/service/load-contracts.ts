import { and, asc, desc, eq, inArray, isNotNull, isNull, type SQL, sql } from "drizzle-orm";
import type { SignedIn } from "../../auth/principal.ts";
import { namesOfUsers } from "../../auth/service/user-names.ts";
import { getDataSource } from "../../data-sources/service/load-data-sources.ts";
import { db } from "../../db/client.ts";
import { Problem, problemIn } from "../../errors.ts";
import { listRecipients } from "../../notifications/service/recipients.ts";
import { openTasksOfContracts } from "../../tasks/service/tasks.ts";
import { measuredOf } from "../measured-score.ts";
import { contractAlerts, contractRecipients, contracts, evaluations, rules } from "../tables.ts";
import { trendOf } from "../trend.ts";

export const contractNotFound = () => new Problem("not_found", "Data contract not found");

/** The table that a contract watches. Throws like `getContract`. */
export async function getContractTarget(ctx: SignedIn, id: number) {
  const [contract] = await db
    .select({
      dataSourceId: contracts.dataSourceId,
      schemaName: contracts.schemaName,
      tableName: contracts.tableName,
      timezone: contracts.timezone,
    })
    .from(contracts)
    .where(isContract(id));
  if (!contract) throw contractNotFound();
  await requireVisibleSource(ctx, contract.dataSourceId, contractNotFound());
  return contract;
}

/** Throws the given problem if the caller cannot access this data source's project. */
export async function requireVisibleSource(ctx: SignedIn, dataSourceId: number, otherwise: Problem) {
  return getDataSource(ctx, dataSourceId).catch((error) => {
    throw problemIn(error)?.code === "not_found" ? otherwise : error;
  });
}

/** The contract by id, unless it is archived. */
export const isContract = (id: number) => and(eq(contracts.id, id), isNull(contracts.archivedAt));

/** A contract's completed evaluation, the latest or an earlier one, as a lateral join. */
export const evaluationBefore = (offset: number, name: string, which?: SQL) =>
  db
    .select({
      score: evaluations.overallScore,
      evaluatedAt: evaluations.evaluatedAt,
      notEvaluatedBecause: evaluations.notEvaluatedBecause,
    })
    .from(evaluations)
    .where(and(eq(evaluations.contractId, contracts.id), isNotNull(evaluations.evaluatedAt), which))
    .orderBy(desc(evaluations.evaluatedAt), desc(evaluations.id))
    .offset(offset)
    .limit(1)
    .as(name);

/** The same among measured evaluations, served by the index of that name. */
export const measuredBefore = (offset: number, name: string) =>
  evaluationBefore(offset, name, isNull(evaluations.notEvaluatedBecause));

/** Presents contracts of the given data sources, with a fixed number of queries. */
export async function loadContracts(
  ctx: SignedIn,
  which: SQL | undefined,
  sources: readonly { id: number; projectId: number; name: string }[],
) {
  const latest = evaluationBefore(0, "latest");
  const previous = evaluationBefore(1, "previous");
  const measured = measuredBefore(0, "measured");
  const measuredPrevious = measuredBefore(1, "measured_previous");
  // Evaluations after the last measured one could not be measured.
  const outage = db
    .select({ since: evaluations.evaluatedAt })
    .from(evaluations)
    .where(
      and(
        eq(evaluations.contractId, contracts.id),
        sql`${evaluations.evaluatedAt} > coalesce(${measured.evaluatedAt}, '-infinity')`,
        isNotNull(evaluations.notEvaluatedBecause),
      ),
    )
    .orderBy(asc(evaluations.evaluatedAt))
    .limit(1)
    .as("outage");
  const rows = await db
    .select({
      contract: contracts,
      latestScore: latest.score,
      lastEvaluatedAt: latest.evaluatedAt,
      previousScore: previous.score,
      measuredScore: measured.score,
      measuredPreviousScore: measuredPrevious.score,
      measuredAt: measured.evaluatedAt,
      outageSince: outage.since,
      outageReason: latest.notEvaluatedBecause,
      alert: contractAlerts,
    })
    .from(contracts)
    .leftJoinLateral(latest, sql`true`)
    .leftJoinLateral(previous, sql`true`)
    .leftJoinLateral(measured, sql`true`)
    .leftJoinLateral(measuredPrevious, sql`true`)
    .leftJoinLateral(outage, sql`true`)
    .leftJoin(contractAlerts, eq(contractAlerts.contractId, contracts.id))
    .where(and(which, isNull(contracts.archivedAt)))
    .orderBy(asc(contracts.name), asc(contracts.id));
  const ids = rows.map(({ contract }) => contract.id);
  const [rulesOf, recipientsOf, people, taskOf] = await Promise.all([
    loadRules(ids),
    loadRecipients(ctx, ids),
    namesOfUsers(rows.flatMap(({ contract: { ownerId, silencedById } }) => [ownerId, silencedById])),
    openTasksOfContracts(ids),
  ]);

  return rows.flatMap(({ contract, latestScore, previousScore, lastEvaluatedAt, ...row }) => {
    const { outageSince, outageReason, alert } = row;
    const source = sources.find(({ id }) => id === contract.dataSourceId);
    if (!source) return [];
    const { archivedAt: _, ownerId, silencedById, ...fields } = contract;
    return {
      ...fields,
      projectId: source.projectId,
      dataSourceName: source.name,
      owner: people.get(ownerId ?? 0) ?? null,
      silencedBy: people.get(silencedById ?? 0) ?? null,
      openTaskId: taskOf.get(contract.id) ?? null,
      recipients: recipientsOf.get(contract.id) ?? [],
      rules: rulesOf.get(contract.id) ?? [],
      latestScore,
      previousScore,
      trend: latestScore === null ? null : trendOf(latestScore, previousScore),
      lastEvaluatedAt,
      measured: measuredOf(row.measuredScore, row.measuredPreviousScore, row.measuredAt),
      outage: outageSince && outageReason !== null ? { since: outageSince, reason: outageReason } : null,
      openAlert: alert && shownAlert(alert, contract.reminderHours),
    };
  });
}

function shownAlert(
  { openedAt, lastToldAt, lastToldFor, lastToldScore, toldNotEvaluated }: typeof contractAlerts.$inferSelect,
  reminderHours: number | null,
) {
  const reminderAfter =
    reminderHours === null ? null : new Date(lastToldFor.getTime() + reminderHours * 3_600_000);
  return { openedAt, lastToldAt, lastToldScore, toldNotEvaluated, reminderAfter };
}

/** Rules by contract, in order. A rule's column is included in its configuration. */
async function loadRules(contractIds: number[]) {
  const rows = await db
    .select()
    .from(rules)
    .where(inArray(rules.contractId, contractIds))
    .orderBy(asc(rules.position));
  return byContract(rows, ({ contractId: _, position: __, otherDataSourceId: ___, ...rule }) => ({
    ...rule,
    configuration: rule.column === null ? rule.configuration : { column: rule.column, ...rule.configuration },
  }));
}

/** Recipients by contract, sorted by name. */
async function loadRecipients(ctx: SignedIn, contractIds: number[]) {
  const links = await db
    .select()
    .from(contractRecipients)
    .where(inArray(contractRecipients.contractId, contractIds));
  if (links.length === 0) return new Map<number, never>();
  const contractsOf = Map.groupBy(links, ({ recipientId }) => recipientId);
  const { items } = await listRecipients(ctx);
  const named = items.flatMap((recipient) =>
    (contractsOf.get(recipient.id) ?? []).map(({ contractId }) => ({ contractId, recipient })),
  );
  return byContract(named, ({ recipient }) => recipient);
}

function byContract<Row extends { contractId: number }, Value>(rows: Row[], toValue: (row: Row) => Value) {
  const groups = Map.groupBy(rows, ({ contractId }) => contractId);
  return new Map([...groups].map(([contractId, own]) => [contractId, own.map(toValue)]));
}
