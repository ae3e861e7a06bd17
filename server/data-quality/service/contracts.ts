import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { and, eq, inArray, notInArray, sql } from "drizzle-orm";
import type { Author } from "../../audit/service.ts";
import type { SignedIn } from "../../auth/principal.ts";
import { isUserWith, listPeopleWith } from "../../auth/service/people.ts";
import { dialectOf } from "../../data-sources/dialects/dialects.ts";
import { isRest, type Kind } from "../../data-sources/kinds.ts";
import { getDataSource, listDataSources } from "../../data-sources/service/load-data-sources.ts";
import { type Connection, db, type Transaction } from "../../db/client.ts";
import { recordEdit, rejectStale } from "../../edits/service.ts";
import { type FieldError, invalidRequest, Problem } from "../../errors.ts";
import { nextRun } from "../../jobs/cron.ts";
import { databaseNow } from "../../jobs/schedules.ts";
import { listRecipients, requireRecipients } from "../../notifications/service/recipients.ts";
import { rejectPast, rejectSilenced, type Silence, silenceColumns } from "../../notifications/silence.ts";
import { claimManaged, releaseManaged } from "../../stacks/service.ts";
import { fieldErrors } from "../../trpc.ts";
import type { RuleWrite } from "../rule-schema.ts";
import { type ContractUpdate, type ContractWrite, createContractInput } from "../schema.ts";
import { contractRecipients, contracts, rules } from "../tables.ts";
import { isSameCheck, type Link } from "../templates/merge-rules.ts";
import type { ContractContent } from "../version-schema.ts";
import { changesBetween, contentOf } from "./contract-edits.ts";
import { getContractVersion, storeContractVersion } from "./contract-versions.ts";
import {
  contractNotFound,
  getContractTarget,
  isContract,
  loadContract,
  loadContracts,
} from "./load-contracts.ts";
import { closeAlerts } from "./notify-alerts.ts";
import { refreshTableScore, refreshTableScores, type WatchedTable } from "./table-scores.ts";
import { rejectTemplateEdits, storeLinks, withTemplateRules } from "./template-rules.ts";

type Filter = { projectId?: number | undefined; dataSourceId?: number | undefined };

/** The contracts visible to the caller, by name. */
export async function listContracts(ctx: SignedIn, { projectId, dataSourceId }: Filter) {
  const visible = (await listDataSources(ctx, { projectId })).items;
  const sources = visible.filter(({ id }) => id === (dataSourceId ?? id));
  const ids = sources.map(({ id }) => id);
  return { items: await loadContracts(ctx, inArray(contracts.dataSourceId, ids)) };
}

/** Throws not_found if the contract does not exist, is archived, or the caller cannot access its project. */
export async function getContract(ctx: SignedIn, id: number) {
  const contract = await loadContract(ctx, id);
  if (!contract) throw contractNotFound();
  return contract;
}

/**
 * Creates a contract. Throws rejected for a data source that is not a database, not_found for a data source or
 * recipient that the caller cannot access, and invalid for values that do not fit them.
 */
export async function createContract(ctx: SignedIn, write: ContractWrite) {
  const [contract] = await createContracts(ctx, [write]);
  if (!contract) throw new Error("No contract was created");
  return contract;
}

/** Creates all of them, or none if one cannot be. Throws like `createContract`. */
export async function createContracts(ctx: SignedIn, writes: readonly ContractWrite[]) {
  const ids = await insertContracts(ctx, writes);
  return Promise.all(ids.map((id) => getContract(ctx, id)));
}

/** The same, without loading them. Returns their ids in order. */
export async function insertContracts(ctx: SignedIn, writes: readonly ContractWrite[]): Promise<number[]> {
  const resolved = await Promise.all(
    writes.map(async (write) => ({ write, ...(await resolveTarget(ctx, write)) })),
  );
  return db.transaction(async (tx) => {
    const inserted: number[] = [];
    for (const { write, target, projectId, kind } of resolved) {
      const complete = await withTemplateRules(tx, { target, projectId, kind, written: write.rules });
      const author = { by: ctx, ownerId: ctx.principal.userId };
      const id = await insertContract(tx, author, { ...write, ...complete, target }, (contractId) =>
        writeRecipients(tx, ctx, contractId, write.recipientIds, projectId),
      );
      await claimManaged(tx, ctx, { kind: "Contract", id, projectId, revision: 1 });
      inserted.push(id);
    }
    return inserted;
  });
}

/** Stores a contract with its first version. Its target and its rules have been resolved. */
export async function insertContract(
  tx: Transaction,
  { by, ownerId }: { by: Author; ownerId: number },
  { links, target, ...write }: ContractWrite & { links: readonly Link[]; target: WatchedTable },
  addRecipients: (contractId: number) => Promise<void> = async () => {},
): Promise<number> {
  const nextRunAt = nextRunOf(write, await databaseNow(tx));
  const [created] = await tx
    .insert(contracts)
    .values({ ...columnsOf(write), ...target, ownerId, nextRunAt })
    .returning({ id: contracts.id });
  if (!created) throw new Error("The insert returned no contract");
  await writeRules(tx, created.id, write.rules);
  await storeLinks(tx, created.id, links);
  await addRecipients(created.id);
  await storeContractVersion(tx, by, {
    ...{ contractId: created.id, number: 1, revision: 1, changes: [], restoredFrom: null },
    content: await contentOf(tx, created.id),
  });
  return created.id;
}

/**
 * Replaces a contract: its fields, all rules, and its recipients. What differs makes a new version. A rule sent back
 * with its key remains the same rule, and one that is not changed keeps its results; those of other rules are deleted.
 * Summaries and scores stay. Throws like `createContract`, and conflict if the caller's revision is no longer current.
 *
 * An open alert stays open, unless the table changes or alerts are turned off.
 */
export async function updateContract(ctx: SignedIn, update: ContractUpdate) {
  await replaceContract(ctx, update, null);
  return getContract(ctx, update.id);
}

/**
 * Gives a contract the content of one of its versions again, as a new version. Rules return under their keys, so their
 * series continue; recipients that no longer exist are left out. Without a difference, nothing is saved. Throws like
 * `updateContract`, and not_found for an unknown version.
 */
export async function restoreContractVersion(
  ctx: SignedIn,
  { id, number, baseRevision }: { id: number; number: number; baseRevision?: number | undefined },
) {
  const { content } = await getContractVersion(ctx, { id, number });
  const { projectId } = await getDataSource(ctx, content.dataSourceId);
  const known = new Set((await listRecipients(ctx, { projectId })).items.map((recipient) => recipient.id));
  const recipientIds = content.recipientIds.filter((recipientId) => known.has(recipientId));
  const write = createContractInput.safeParse({ ...content, recipientIds });
  if (!write.success)
    throw new Problem(
      "rejected",
      `Version ${number} does not fit the rules of today and cannot be restored`,
      {
        errors: fieldErrors(write.error).slice(0, 100),
      },
    );
  const now = await db.transaction((tx) => contentOf(tx, id));
  if (changesBetween(now, { ...content, recipientIds }).length > 0)
    await replaceContract(ctx, { id, baseRevision, ...write.data }, number);
  return getContract(ctx, id);
}

/** The same as `updateContract`, without loading it. */
export async function replaceContract(
  ctx: SignedIn,
  { id, baseRevision, ...write }: ContractUpdate,
  restoredFrom: number | null = null,
): Promise<void> {
  await getContractTarget(ctx, id);
  const { target, projectId, kind } = await resolveTarget(ctx, write);
  await db.transaction(async (tx) => {
    const [current] = await tx.select().from(contracts).where(isContract(id)).for("update");
    if (!current) throw contractNotFound();
    await rejectStale(tx, { kind: "Contract", id, revision: current.revision, baseRevision });
    if (restoredFrom === null) {
      await rejectUnknownKeys(tx, id, write.rules);
      await rejectTemplateEdits(tx, id, write.rules);
    }
    const before = await contentOf(tx, id);
    const sameSchedule =
      current.cronExpression === write.cronExpression && current.timezone === write.timezone;
    // An edit that leaves the schedule unchanged must not skip a run that is due but not yet claimed.
    const keepsRun = write.enabled && sameSchedule && current.nextRunAt !== null;
    const nextRunAt = keepsRun ? current.nextRunAt : nextRunOf(write, await databaseNow(tx));
    const revision = current.revision + 1;
    await claimManaged(tx, ctx, { kind: "Contract", id, projectId, revision });
    await tx
      .update(contracts)
      .set({ ...columnsOf(write), ...target, nextRunAt, revision })
      .where(eq(contracts.id, id));
    const isOtherTable = !isDeepStrictEqual(targetOf(current), target);
    const complete = await withTemplateRules(tx, {
      ...{ contractId: id, target, projectId, kind, written: write.rules, isOtherTable },
    });
    await replaceRules(tx, id, complete.rules, { isOtherTable });
    await storeLinks(tx, id, complete.links);
    await tx.delete(contractRecipients).where(eq(contractRecipients.contractId, id));
    await writeRecipients(tx, ctx, id, write.recipientIds, projectId);
    if (isOtherTable || !write.alertOnFailure) await closeAlerts(tx, [id]);
    await storeRevision(tx, ctx, { ...current, revision, before, restoredFrom });
    await refreshTableScores(tx, [current, target]);
  });
}

/** Notes who made a revision that has been written, and stores a version if it differs from the content before. */
export async function storeRevision(
  tx: Transaction,
  by: Author,
  {
    id,
    version,
    revision,
    before,
    restoredFrom,
  }: { id: number; version: number; revision: number; before: ContractContent; restoredFrom: number | null },
): Promise<void> {
  const content = await contentOf(tx, id);
  const changes = changesBetween(before, content);
  await recordEdit(tx, by, { kind: "Contract", id, revision, changes });
  if (changes.length === 0) return;
  const number = version + 1;
  await storeContractVersion(tx, by, { contractId: id, number, revision, content, changes, restoredFrom });
  await tx.update(contracts).set({ version: number }).where(eq(contracts.id, id));
}

/** Archives a contract: unschedules it and hides it from every list; its history is kept. */
export async function archiveContract(ctx: SignedIn, id: number): Promise<{ name: string }> {
  await getContractTarget(ctx, id);
  return db.transaction(async (tx) => {
    await releaseManaged(tx, ctx, { kind: "Contract", id });
    const [archived] = await tx
      .update(contracts)
      .set({ archivedAt: sql`now()`, nextRunAt: null })
      .where(isContract(id))
      .returning();
    if (!archived) throw contractNotFound();
    await closeAlerts(tx, [id]);
    await refreshTableScore(tx, archived);
    return { name: archived.name };
  });
}

/**
 * Silences alerts until then, or ends the silence if there is no time. Evaluations and tasks go on. Not an edit: rules
 * keep their results, and a save that began before leaves it as it is.
 */
export async function silenceContract(ctx: SignedIn, given: { id: number } & Silence) {
  await silenceRow(ctx, given);
  return getContract(ctx, given.id);
}

/** The same, without loading it. Returns its name. */
export async function silenceRow(ctx: SignedIn, { id, ...silence }: { id: number } & Silence) {
  await getContractTarget(ctx, id);
  rejectPast(silence.until ?? null);
  return db.transaction(async (tx) => {
    const [current] = await tx
      .select({ silencedUntil: contracts.silencedUntil })
      .from(contracts)
      .where(isContract(id))
      .for("update");
    if (!current) throw contractNotFound();
    rejectSilenced(silence, current.silencedUntil);
    return setColumns(id, silenceColumns(silence, ctx.principal.userId), tx);
  });
}

/** Gives a contract an owner who may configure contracts, or none. */
export async function assignContract(ctx: SignedIn, given: Assignment) {
  await assignRow(ctx, given);
  return getContract(ctx, given.id);
}

type Assignment = { id: number; userId?: number | null | undefined };

/** The same, without loading it. Returns its name. */
export async function assignRow(ctx: SignedIn, { id, userId = null }: Assignment) {
  const { projectId } = await getContractTarget(ctx, id);
  if (userId !== null && !(await isUserWith("contracts:configure", userId, projectId)))
    throw new Problem("not_found", "User not found");
  return setColumns(id, { ownerId: userId });
}

/** Users who can own a contract. */
export const listOwners = (ctx: SignedIn) => listPeopleWith(ctx, "contracts:configure");

async function setColumns(
  id: number,
  set: Partial<typeof contracts.$inferInsert>,
  connection: Connection = db,
) {
  const [updated] = await connection
    .update(contracts)
    .set(set)
    .where(isContract(id))
    .returning({ name: contracts.name });
  if (!updated) throw contractNotFound();
  return updated;
}

/** Validates a contract's references and returns what it consists of. Throws like `createContract`. */
export async function resolveTarget(
  ctx: SignedIn,
  write: Pick<ContractWrite, "dataSourceId" | "schemaName" | "tableName" | "rules">,
  pathOf = (index: number) => `rules.${index}`,
) {
  const source = await getDataSource(ctx, write.dataSourceId);
  const dialect = dialectOf(source.kind);
  if (dialect === null || isRest(source.connection))
    throw new Problem("rejected", "Data contract's data source must be a database type");
  const schemaName = write.schemaName ?? dialect.defaultSchema(source.connection);
  rejectForeignSchemas(write.rules, schemaName, pathOf);
  await requireComparable(ctx, write.rules, source.projectId, pathOf);
  return {
    target: { dataSourceId: source.id, schemaName, tableName: write.tableName },
    projectId: source.projectId,
    kind: source.kind as Kind,
  };
}

/**
 * The other data source of a rule that compares two must be a database of the same project. Throws not_found for one
 * that the caller cannot access.
 */
async function requireComparable(
  ctx: SignedIn,
  written: readonly RuleWrite[],
  projectId: number,
  pathOf: (index: number) => string,
): Promise<void> {
  const named = written.flatMap(({ configuration: { otherDataSourceId: id } }, index) =>
    typeof id === "number" ? { id, path: `${pathOf(index)}.configuration.otherDataSourceId` } : [],
  );
  const sources = await Promise.all(named.map(({ id }) => getDataSource(ctx, id)));
  refuse(
    sources.flatMap((source, at) => {
      const message =
        source.projectId !== projectId
          ? "must be in the same project"
          : dialectOf(source.kind) === null
            ? "must be a database"
            : null;
      return message === null ? [] : { path: named[at]?.path ?? "", message };
    }),
  );
}

function refuse(errors: FieldError[]): void {
  if (errors.length > 0) throw invalidRequest(errors);
}

function rejectForeignSchemas(
  written: readonly RuleWrite[],
  schemaName: string,
  pathOf: (index: number) => string,
): void {
  refuse(
    written.flatMap(({ claimedSchema }, index) =>
      claimedSchema === undefined || claimedSchema === schemaName
        ? []
        : { path: `${pathOf(index)}.configuration.schema`, message: "must be the contract's own schema" },
    ),
  );
}

async function rejectUnknownKeys(tx: Transaction, contractId: number, written: readonly RuleWrite[]) {
  const known = await tx.select({ key: rules.key }).from(rules).where(eq(rules.contractId, contractId));
  const keys = new Set(known.map(({ key }) => key));
  refuse(
    written.flatMap(({ key }, index) =>
      key === undefined || keys.has(key)
        ? []
        : { path: `rules.${index}.key`, message: "is not the key of a rule of this contract" },
    ),
  );
}

function columnsOf({
  recipientIds: _,
  rules: __,
  dataSourceId: ___,
  schemaName: ____,
  ...columns
}: ContractWrite) {
  return { ...columns, description: columns.description ?? null, context: columns.context ?? null };
}

const targetOf = ({ dataSourceId, schemaName, tableName }: WatchedTable) => ({
  dataSourceId,
  schemaName,
  tableName,
});

/** The first run after now; null if the schedule is off. */
function nextRunOf({ enabled, cronExpression, timezone }: ContractWrite, now: Date): Date | null {
  return enabled ? nextRun(cronExpression, timezone, now) : null;
}

const writeRules = (tx: Transaction, contractId: number, written: readonly RuleWrite[]) =>
  insertRules(
    tx,
    contractId,
    written.map((rule, position) => ({ rule, position })),
  );

async function insertRules(
  tx: Transaction,
  contractId: number,
  written: readonly { rule: RuleWrite; position: number }[],
): Promise<void> {
  if (written.length === 0) return;
  await tx.insert(rules).values(
    written.map(({ rule: { claimedSchema: _, key, ...rule }, position }) => ({
      ...rule,
      contractId,
      position,
      key: key ?? randomUUID(),
    })),
  );
}

/**
 * A rule that checks and counts the same as before keeps its row, and with it its results; its name, its place, and
 * whether it is enabled may change. The others are replaced, which deletes their results.
 */
export async function replaceRules(
  tx: Transaction,
  contractId: number,
  written: readonly RuleWrite[],
  { isOtherTable }: { isOtherTable: boolean },
): Promise<void> {
  const stored = await tx.select().from(rules).where(eq(rules.contractId, contractId));
  const sameOf = (rule: RuleWrite) =>
    isOtherTable ? undefined : stored.find((each) => each.key === rule.key && isSameCheck(each, rule));
  const placed = written.map((rule, position) => ({ rule, position, same: sameOf(rule) }));
  const kept = placed.flatMap(({ rule: { name, enabled }, position, same }) =>
    same ? { id: same.id, name, enabled, position } : [],
  );
  await tx.delete(rules).where(
    and(
      eq(rules.contractId, contractId),
      notInArray(
        rules.id,
        kept.map(({ id }) => id),
      ),
    ),
  );
  // Positions are unique at every moment, so they are vacated first.
  await tx
    .update(rules)
    .set({ position: sql`-1 - ${rules.position}` })
    .where(eq(rules.contractId, contractId));
  await tx.execute(sql`
    update ${rules} set name = kept.name, enabled = kept.enabled, position = kept.position
    from jsonb_to_recordset(${JSON.stringify(kept)}::jsonb) as kept (id integer, name text, enabled boolean, position integer)
    where ${rules.id} = kept.id`);
  await insertRules(
    tx,
    contractId,
    placed.filter(({ same }) => !same),
  );
}

async function writeRecipients(
  tx: Transaction,
  ctx: SignedIn,
  contractId: number,
  recipientIds: readonly number[],
  projectId: number,
): Promise<void> {
  const ids = await requireRecipients(tx, ctx, recipientIds, {
    ...{ projectId, path: "recipientIds", belongsTo: "data source" },
  });
  if (ids.length > 0)
    await tx.insert(contractRecipients).values(ids.map((recipientId) => ({ contractId, recipientId })));
}
