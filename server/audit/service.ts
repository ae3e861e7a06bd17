import { and, count, desc, eq, gt, gte, lt, type SQL, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import type { Change, Context, Principal } from "../auth/principal.ts";
import { type Connection, db } from "../db/client.ts";
import { env } from "../env.ts";
import { batchSize, inBatches } from "../jobs/in-batches.ts";
import { log, withoutSecrets } from "../log.ts";
import { addKeyRead, putBack, takeKeyReads } from "./key-reads.ts";
import type { AuditEntry, AuditFilter } from "./schema.ts";
import { auditEntries, auditLog, keyReads } from "./tables.ts";

/** Who did it, as an entry names them. */
export type By = AuditEntry["principal"];

const system: By = { kind: "System", id: null, name: "System", userId: null };
const anonymous: By = { kind: "Anonymous", id: null, name: "Anonymous", userId: null };

/** A key is named as itself, with its user; everybody else is a user. */
export function byOf(principal: Principal | null): By {
  if (!principal) return anonymous;
  const { kind, userId, keyId, name } = principal;
  return kind === "ApiKey"
    ? { kind, id: keyId ?? null, name, userId }
    : { kind, id: userId, name, userId: null };
}

export type Entry = { by: By; address: string } & Change;

/**
 * Adds an entry to the log, in the transaction that is given, or else the one that is open. What cannot be recorded is
 * told to the process's log and thrown: it undoes the change, and nothing changes unnoticed.
 */
export async function recordEntry(entry: Entry, connection: Connection = db): Promise<void> {
  await orLogged(entry, () => connection.insert(auditLog).values(rowOf(entry)));
}

/**
 * Adds the entry of a run that is about to begin. What it returns adds the outcome, once: the database refuses another.
 * A run that is killed keeps its entry, which says that no outcome was recorded.
 */
export async function recordRunBeginning(entry: Entry): Promise<(outcome: string) => Promise<void>> {
  const values = { ...rowOf(entry), outcome: "" };
  const [begun] = await orLogged(entry, () =>
    db.insert(auditLog).values(values).returning({ id: auditLog.id }),
  );
  if (!begun) throw new Error("The insert returned no entry");
  return async (words) => {
    const outcome = withoutSecrets(words);
    const isOpen = and(eq(auditLog.id, begun.id), eq(auditLog.outcome, ""));
    await orLogged({ ...entry, outcome }, () => db.update(auditLog).set({ outcome }).where(isOpen));
  };
}

async function orLogged<T>(entry: Entry & { outcome?: string }, write: () => PromiseLike<T>): Promise<T> {
  try {
    return await write();
  } catch (err) {
    log.error({ err, entry }, "This could not be recorded in the audit log");
    throw err;
  }
}

/** Records what the service has done by itself: at its start, or because of a request from an address. */
export const recordAsSystem = (change: Change, address = "") =>
  recordEntry({ by: system, address, ...change });

/** What a context needs for its procedures to be recorded. */
export function recorderOf({
  principal,
  address,
}: Pick<Context, "principal" | "address">): Pick<Context, "record" | "beginRun" | "countRead"> {
  const { keyId } = principal ?? {};
  const by = byOf(principal);
  return {
    record: (change, connection) => recordEntry({ by, address, ...change }, connection),
    beginRun: (change) => recordRunBeginning({ by, address, ...change }),
    ...(keyId !== undefined && { countRead: () => countKeyRead(keyId) }),
  };
}

/**
 * The same, at most once a quarter of an hour for one action and address: for what anybody may repeat without end,
 * so that nobody fills the log.
 */
export async function recordOnceInAWhile(entry: Entry): Promise<void> {
  const isRecent = and(
    eq(auditLog.action, entry.action),
    gt(auditLog.at, sql`now() - interval '15 minutes'`),
    sql`${auditLog.address} is not distinct from ${entry.address || null}`,
  );
  if ((await db.$count(auditLog, isRecent)) === 0) await recordEntry(entry);
}

function rowOf({ by, address, action, objectKind, objectId, detail }: Entry): typeof auditLog.$inferInsert {
  return {
    principalKind: by.kind,
    principalId: by.id,
    principalName: withoutSecrets(by.name),
    userId: by.userId,
    action,
    objectKind,
    objectId: objectId ?? null,
    // Names are people's own words: one who gives a thing a raw key for its name is not helped to keep it.
    detail: detail ? withoutSecrets(detail) : null,
    address: address || null,
  };
}

const entryColumns = {
  id: auditEntries.id,
  at: auditEntries.at,
  principal: {
    kind: auditEntries.principalKind,
    id: auditEntries.principalId,
    name: auditEntries.principalName,
    userId: auditEntries.userId,
  },
  action: auditEntries.action,
  objectKind: auditEntries.objectKind,
  objectId: auditEntries.objectId,
  detail: auditEntries.detail,
  address: auditEntries.address,
};

/** A page of the entries that fit all of the filters, newest first; beyond the last page it is empty. */
export async function listEntries({ page, pageSize, ...filter }: AuditFilter) {
  const fits = conditionOf(filter);
  const [counted] = await db.select({ entries: count() }).from(auditEntries).where(fits);
  const totalCount = counted?.entries ?? 0;
  const offset = page * pageSize;
  // PostgreSQL would walk through all of them to find that nothing is left.
  const items =
    offset >= totalCount
      ? []
      : await db
          .select(entryColumns)
          .from(auditEntries)
          .where(fits)
          .orderBy(desc(auditEntries.at), desc(auditEntries.id))
          .limit(pageSize)
          .offset(offset);
  return { items, page, pageSize, totalCount };
}

function conditionOf(filter: Omit<AuditFilter, "page" | "pageSize">): SQL | undefined {
  const is = <Value>(column: PgColumn, value: Value | undefined) =>
    value === undefined ? undefined : eq(column, value);
  return and(
    is(auditEntries.principalKind, filter.principalKind),
    is(auditEntries.principalId, filter.principalId),
    is(auditEntries.action, filter.action),
    is(auditEntries.objectKind, filter.objectKind),
    is(auditEntries.objectId, filter.objectId),
    filter.from && gte(auditEntries.at, filter.from),
    filter.to && lt(auditEntries.at, filter.to),
  );
}

/** What stands in the log to choose from, in alphabetical order. */
export async function auditChoices() {
  const [actions, objectKinds] = await Promise.all([
    distinctValues(sql`action`, "keys.read"),
    distinctValues(sql`object_kind`, "apiKey"),
  ]);
  return { actions, objectKinds };
}

/** The values of an indexed column, a step in the index for each, however long the log is; and that of the reads. */
async function distinctValues(column: SQL, ofReads: string): Promise<string[]> {
  const rows = await db.execute<{ value: string }>(sql`
    with recursive steps (value) as (
      (select ${column} from ${auditLog} order by 1 limit 1)
      union all
      select (select ${column} from ${auditLog} where ${column} > steps.value order by 1 limit 1)
      from steps where steps.value is not null
    )
    select value from steps where value is not null
    union
    select ${ofReads} where exists (select from ${keyReads})
    order by 1`);
  return rows.map(({ value }) => value);
}

const flushAfterMs = 5000;
const flush: { timer?: NodeJS.Timeout | undefined } = {};

function flushSoon(): void {
  flush.timer ??= setTimeout(() => {
    flush.timer = undefined;
    void flushKeyReads();
  }, flushAfterMs).unref();
}

/** Counts a read of a key's, which is written within a few seconds. */
export function countKeyRead(keyId: number): void {
  addKeyRead(keyId, new Date());
  flushSoon();
}

/** Writes what has been counted: now and then, and before the process ends. Never throws: it tries again. */
export async function flushKeyReads(): Promise<void> {
  const reads = takeKeyReads();
  if (reads.length === 0) return;
  try {
    await db
      .insert(keyReads)
      .values(reads)
      .onConflictDoUpdate({
        target: [keyReads.keyId, keyReads.hour],
        set: { count: sql`${keyReads.count} + excluded.count` },
      });
  } catch (err) {
    log.warn({ err }, "What keys have read could not be counted; it is tried again");
    putBack(reads);
    flushSoon();
  }
}

/**
 * Removes entries, and the hours of keys' reading, that are older than so many days; null removes none. Only the function
 * in the database can do that, and none of the last 365 days. Returns how many.
 */
export async function removeOldEntries(days = env().AUDIT_KEPT_DAYS): Promise<number> {
  if (days === null) return 0;
  const entries = await inBatches(async () => {
    const [row] = await db.execute<{ removed: number }>(
      sql`select remove_old_audit_entries(${days} * interval '1 day', ${batchSize}) as removed`,
    );
    return batchOf(row?.removed ?? 0);
  });
  const reads = await inBatches(async () => {
    const gone = await db.execute(sql`
      delete from ${keyReads} where ctid = any(array(
        select ctid from ${keyReads} where hour < now() - ${days} * interval '1 day'
        order by hour limit ${batchSize} for update skip locked))
      returning 1`);
    return batchOf(gone.length);
  });
  return entries + reads;
}

const batchOf = (removed: number) => ({ removed, isLast: removed < batchSize });
