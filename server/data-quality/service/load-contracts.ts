import { and, asc, desc, eq, getTableColumns, isNotNull, isNull, type SQL, sql } from "drizzle-orm";
import { maySeeProject, type SignedIn } from "../../auth/principal.ts";
import { nameOfUser } from "../../auth/service/user-names.ts";
import type { Kind } from "../../data-sources/kinds.ts";
import { getDataSource, sourceColumns } from "../../data-sources/service/load-data-sources.ts";
import { mayBeTable } from "../../data-sources/service/may-be-table.ts";
import { keyIn, type Named } from "../../data-sources/table-key.ts";
import { type Connection, db } from "../../db/client.ts";
import { compiled } from "../../db/compiled.ts";
import { gathered, idsOf, isOneOfIds } from "../../db/gathered.ts";
import { Problem, problemIn } from "../../errors.ts";
import { listRecipients } from "../../notifications/service/recipients.ts";
import { openTaskOf } from "../../tasks/service/tasks.ts";
import { contractAlerts, evaluations } from "../evaluations/tables.ts";
import { measuredOf } from "../measured-score.ts";
import { contracts, rules } from "../tables.ts";
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
  const { projectId } = await requireVisibleSource(ctx, contract.dataSourceId, contractNotFound);
  return { ...contract, projectId };
}

/** Throws the given problem if the caller cannot access this data source's project. */
export async function requireVisibleSource(ctx: SignedIn, dataSourceId: number, otherwise: () => Problem) {
  return getDataSource(ctx, dataSourceId).catch((error) => {
    throw problemIn(error)?.code === "not_found" ? otherwise() : error;
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

const {
  contractId: _contract,
  position: _position,
  otherDataSourceId: _other,
  ...ruleColumns
} = getTableColumns(rules);

/** A rule as stored. Each column's value is the same in JSON as by itself. */
type StoredRule = Pick<typeof rules.$inferSelect, keyof typeof ruleColumns>;

/** A contract's rules in order, within its row, so that both are of the same moment. */
const rulesInOrder = sql<StoredRule[]>`(
  select coalesce(json_agg(json_build_object(${sql.join(
    Object.entries(ruleColumns).map(([name, column]) => sql`${sql.raw(`'${name}'`)}, ${column}`),
    sql`, `,
  )}) order by ${rules.position}), '[]')
  from ${rules} where ${rules.contractId} = ${contracts.id}
)`;

/** A contract's row with its rules, its latest evaluations, and its alert. */
function contractRows(which: SQL | undefined, connection: Connection = db) {
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
  return connection
    .select({
      contract: contracts,
      rules: rulesInOrder,
      latestScore: latest.score,
      lastEvaluatedAt: latest.evaluatedAt,
      previousScore: previous.score,
      measuredScore: measured.score,
      measuredPreviousScore: measuredPrevious.score,
      measuredAt: measured.evaluatedAt,
      outageSince: outage.since,
      outageReason: latest.notEvaluatedBecause,
      alert: contractAlerts,
      recipientIds: sql<number[]>`array(
        select linked.recipient_id from contract_recipients linked where linked.contract_id = ${contracts.id}
      )`,
      ...sourceColumns(contracts.dataSourceId),
      ownerName: nameOfUser(contracts.ownerId),
      silencedByName: nameOfUser(contracts.silencedById),
      openTaskId: openTaskOf(contracts.id),
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
}

type ContractRow = Awaited<ReturnType<typeof contractRows>>[number];

/** Presents those contracts that the caller can access, with a fixed number of queries. */
export async function loadContracts(ctx: SignedIn, which: SQL | undefined) {
  return present(ctx, await contractRows(which));
}

/** The contracts of one table, by name. The caller checks access to its data source. */
export async function listContractsOf(ctx: SignedIn, { id, kind }: { id: number; kind: Kind }, table: Named) {
  const found = await loadContracts(
    ctx,
    and(eq(contracts.dataSourceId, id), mayBeTable(kind, contracts, table)),
  );
  return found.filter((contract) => keyIn(kind, contract) === keyIn(kind, table));
}

const contractsByIds = compiled((db) => contractRows(isOneOfIds(contracts.id), db));

const contractById = gathered(async (ids: readonly number[]) => {
  const rows = new Map((await contractsByIds().execute(idsOf(ids))).map((row) => [row.contract.id, row]));
  return ids.map((id) => rows.get(id));
});

/** The contract by id; undefined if it does not exist, is archived, or the caller cannot access its project. */
export async function loadContract(ctx: SignedIn, id: number) {
  const row = await contractById(id);
  return (await present(ctx, row ? [row] : []))[0];
}

async function present(ctx: SignedIn, rows: readonly ContractRow[]) {
  const visible = rows.filter(({ projectId }) => maySeeProject(ctx.principal, projectId));
  const recipientsById = await loadRecipients(ctx, visible);
  return visible.map(({ contract, latestScore, previousScore, lastEvaluatedAt, ...row }) => {
    const { outageSince, outageReason, alert, projectId, dataSourceName, openTaskId } = row;
    const { archivedAt: _, ownerId, silencedById, ...fields } = contract;
    return {
      ...fields,
      ...{ projectId, dataSourceName, openTaskId },
      owner: named(ownerId, row.ownerName),
      silencedBy: named(silencedById, row.silencedByName),
      recipients: recipientsById.filter(({ id }) => row.recipientIds.includes(id)),
      rules: row.rules.map(shownRule),
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

const named = (id: number | null, name: string | null) =>
  id === null || name === null ? null : { id, name };

function shownAlert(
  { openedAt, lastToldAt, lastToldFor, lastToldScore, toldNotEvaluated }: typeof contractAlerts.$inferSelect,
  reminderHours: number | null,
) {
  const reminderAfter =
    reminderHours === null ? null : new Date(lastToldFor.getTime() + reminderHours * 3_600_000);
  return { openedAt, lastToldAt, lastToldScore, toldNotEvaluated, reminderAfter };
}

/** A rule's column is included in its configuration. */
function shownRule(rule: StoredRule) {
  const { column, configuration } = rule;
  return { ...rule, configuration: column === null ? configuration : { column, ...configuration } };
}

/** The recipients of any of these contracts, by name. */
async function loadRecipients(ctx: SignedIn, rows: readonly ContractRow[]) {
  if (rows.every(({ recipientIds }) => recipientIds.length === 0)) return [];
  return (await listRecipients(ctx)).items;
}
