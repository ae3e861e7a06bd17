import { and, count, desc, eq, gt, gte, lt, type SQL, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import type { Change, Principal } from "../auth/principal.ts";
import { type Connection, db } from "../db/client.ts";
import { batchSize, inBatches } from "../jobs/in-batches.ts";
import { log, withoutSecrets } from "../telemetry/log.ts";
import { addKeyRead, drainKeyReads, putBack } from "./key-reads.ts";
import type { AuditEntry, AuditFilter } from "./schema.ts";
import { auditEntries, auditLog, keyReads } from "./tables.ts";

/** The actor of an entry. */
export type By = AuditEntry["principal"];

const system: By = { kind: "System", id: null, name: "System", userId: null };
const anonymous: By = { kind: "Anonymous", id: null, name: "Anonymous", userId: null };

/** For a key, the key itself and its user; otherwise a user. */
export function byOf(principal: Principal | null): By {
  if (!principal) return anonymous;
  const { kind, userId, keyId, name, via } = principal;
  return kind === "ApiKey"
    ? { kind, id: keyId ?? null, name, userId }
    : { kind, id: userId, name: via ? `${name} via ${via}` : name, userId: null };
}

/** The service itself, acting for something that people set up, under its name. */
export const systemAs = (name: string): By => ({ ...system, name });

/** Who makes a change: a caller, or the service itself. */
export type Author = { principal: Principal } | By;
export const byOfAuthor = (author: Author): By => ("principal" in author ? byOf(author.principal) : author);

export type Entry = { by: By; address: string } & Change;

/**
 * Adds an entry to the log, in the given transaction or else the open one. If that fails, logs and throws the error,
 * which undoes the change: nothing changes unrecorded.
 */
export async function recordEntry(entry: Entry, connection: Connection = db): Promise<void> {
  await orLogged(entry, () => connection.insert(auditLog).values(rowOf(entry)));
}

/**
 * Adds the entry of a run that is about to begin. Returns a function that adds the outcome, once: the database rejects
 * another. The entry of a killed run stays, and says that no outcome was recorded.
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

/** Records an action of the service itself: on startup, or because of a request from an address. */
export const recordAsSystem = (change: Change, address = "") =>
  recordEntry({ by: system, address, ...change });

/**
 * Adds an entry, at most once per quarter of an hour for an action and address: for actions that anyone can repeat, so that
 * nobody can fill the log.
 */
export async function recordThrottled(entry: Entry): Promise<void> {
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
    // Names are entered by users: a raw API key used as a name must not be stored.
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

/** A page of the entries that match all filters, newest first; empty beyond the last page. */
export async function listEntries({ page, pageSize, ...filter }: AuditFilter) {
  const fits = conditionOf(filter);
  const [counted] = await db.select({ entries: count() }).from(auditEntries).where(fits);
  const totalCount = counted?.entries ?? 0;
  const offset = page * pageSize;
  // PostgreSQL would scan all of them to find nothing.
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

/** The filter options: values that occur in the log, sorted. */
export async function auditChoices() {
  const [actions, objectKinds] = await Promise.all([
    distinctValues(sql`action`, "keys.read"),
    distinctValues(sql`object_kind`, "apiKey"),
  ]);
  return { actions, objectKinds };
}

/** The distinct values of an indexed column, by a skip scan however long the log is, plus the value for key reads. */
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

/** Counts a read by a key; written within a few seconds. */
export function countKeyRead(keyId: number): void {
  addKeyRead(keyId, new Date());
  flushSoon();
}

/** Writes the buffered counts: periodically, and before the process exits. Never throws; failures are retried. */
export async function flushKeyReads(): Promise<void> {
  const reads = drainKeyReads();
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
    log.warn({ err }, "Reads by keys could not be counted; will retry");
    putBack(reads);
    flushSoon();
  }
}

/**
 * Removes entries and hours of key reads from before this moment. Only the database function can do that, and never for
 * the last 365 days. Returns how many were removed.
 */
export async function removeOldEntries(before: Date): Promise<number> {
  const moment = sql`${before.toISOString()}::timestamptz`;
  const entries = await inBatches(async () => {
    const [row] = await db.execute<{ removed: number }>(
      sql`select remove_old_audit_entries(now() - ${moment}, ${batchSize}) as removed`,
    );
    return batchOf(row?.removed ?? 0);
  });
  const reads = await inBatches(async () => {
    const gone = await db.execute(sql`
      delete from ${keyReads} where ctid = any(array(
        select ctid from ${keyReads} where hour < ${moment}
        order by hour limit ${batchSize} for update skip locked))
      returning 1`);
    return batchOf(gone.length);
  });
  return entries + reads;
}

const batchOf = (removed: number) => ({ removed, isLast: removed < batchSize });
