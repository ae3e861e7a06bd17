import { createHash } from "node:crypto";
import { rejectInTransaction } from "../../db/ambient.ts";
import { groupDb } from "../../db/client.ts";
import { compiled } from "../../db/compiled.ts";
import { decrypt } from "../../db/encryption.ts";
import { gathered, idsOf, isOneOfIds } from "../../db/gathered.ts";
import { Problem } from "../../errors.ts";
import { ifJobAfterRequests } from "../../requests-first.ts";
import { secretText, withSecret } from "../connection-secret.ts";
import type { Cost } from "../cost.ts";
import type { Dialect } from "../dialects/dialect.ts";
import {
  type Engine,
  isSourceError,
  type OpenConnection,
  type Session,
  type Source,
} from "../engines/engine.ts";
import { getEngine } from "../engines/engines.ts";
import { metered } from "../metered.ts";
import { observed } from "../observed.ts";
import { type Priority, Slots } from "../slots.ts";
import { dataSources } from "../tables.ts";
import { leftToday, recordCost } from "./costs.ts";
import { forgetReadSecrets, refersToSecrets, withReadSecrets } from "./read-secrets.ts";

type StoredDataSource = typeof dataSources.$inferSelect;

type Connected = {
  source: Source;
  /** What it was opened with, as stored, including the secret. */
  openedWith: string;
  users: number;
  /** It has been replaced, and closes with its last user. */
  retired: boolean;
  idle?: NodeJS.Timeout;
};

const idleMs = 5 * 60_000;

/** One pool per data source. */
const connected = new Map<number, Connected>();
/** Kept separately from the pools: a changed connection still leads to the same data source. */
const slots = new Map<number, Slots>();

/** A source whose connections are shared. */
export type LentSource = Pick<Source, "introspect" | "session" | "gate" | "request"> & {
  /** A second session, or null if no connection is free. Never waits. */
  spareSession<T>(work: (session: Session) => Promise<T>): Promise<T> | null;
};

/** The place a data source's secret is bound to: it cannot be decrypted in another row. */
export const secretOf = (dataSourceId: number) => `data-source:${dataSourceId}`;

/** The stored connection with its secret decrypted, which may refer to one that is kept elsewhere. */
export function openConnection(
  stored: Pick<StoredDataSource, "id" | "connection" | "secret">,
): OpenConnection {
  const secret = stored.secret === null ? "" : decrypt(stored.secret, secretOf(stored.id));
  return withSecret(stored.connection, secret);
}

/**
 * Lends pooled connections of a stored data source. The pool follows the row: after its connection or secret has
 * changed, new work gets a new pool, and the old one closes with its last user. Sessions wait for a connection by
 * priority; do not wait for another one while holding one. The caller checks access. Throws not_found, and what `work`
 * throws.
 */
export async function useSource<T>(
  dataSourceId: number,
  work: (engine: Engine, source: LentSource) => Promise<T>,
  priority: Priority = "person",
): Promise<T> {
  rejectInTransaction("A data source");
  const row = await storedSource(dataSourceId);
  if (!row) {
    forgetSource(dataSourceId);
    throw new Problem("not_found", "Data source not found");
  }
  const stored = openConnection(row);
  const read = refersToSecrets(stored) ? await withReadSecrets(stored, row.projectId) : null;
  const lent = connectedTo(row, read);
  const source = metered(
    observed(row.kind, lent.source),
    row.dailyBudget === null ? null : () => leftToday(row),
  );
  lent.users++;
  clearTimeout(lent.idle);
  try {
    return await work(
      getEngine(row.kind),
      shareConnections(dataSourceId, read ? forgettingSecrets(row, stored, source) : source, priority),
    );
  } finally {
    lent.users--;
    if (lent.users === 0) rest(dataSourceId, lent);
  }
}

const sourcesByIds = compiled(
  (db) => db.select().from(dataSources).where(isOneOfIds(dataSources.id)),
  groupDb,
);

const storedSource = gathered(async (ids: readonly number[]) => {
  const rows = await sourcesByIds().execute(idsOf(ids));
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.map((id) => byId.get(id) ?? null);
});

/**
 * A source that forgets its remembered secrets when it could not connect, or when its requests were refused: they may have
 * been changed where they are kept, so the next run reads them again.
 */
function forgettingSecrets(
  { projectId }: StoredDataSource,
  stored: OpenConnection,
  { gate, request, ...source }: Source,
): Source {
  const forgetting = <T>(done: Promise<T>): Promise<T> =>
    done.catch((error) => {
      if (isSourceError(error) && (error.kind === "unreachable" || request))
        forgetReadSecrets(stored, projectId);
      throw error;
    });
  return {
    ...source,
    introspect: (signal) => forgetting(source.introspect(signal)),
    session: (work) =>
      source.session(({ check, explain, ...session }) =>
        work({
          read: (...asked) => forgetting(session.read(...asked)),
          ...(check && { check: (...asked) => forgetting(check(...asked)) }),
          ...(explain && { explain: (...asked) => forgetting(explain(...asked)) }),
        }),
      ),
    ...(gate && { gate }),
    ...(request && { request: (...asked) => forgetting(request(...asked)) }),
  };
}

/** The same for a database, with its dialect. Throws rejected for other kinds. */
export function useDatabase<T>(
  dataSourceId: number,
  work: (dialect: Dialect, source: LentSource) => Promise<T>,
  priority?: Priority,
): Promise<T> {
  return useSource(
    dataSourceId,
    ({ dialect }, source) => {
      if (dialect === null) throw new Problem("rejected", "The data source must be a database");
      return work(dialect, source);
    },
    priority,
  );
}

function shareConnections(dataSourceId: number, source: Source, priority: Priority): LentSource {
  const inSlot = async <T>(work: () => Promise<T>) => {
    await ifJobAfterRequests();
    const own = slotsOf(dataSourceId);
    try {
      return await own.use(priority, work);
    } finally {
      forgetSlots(dataSourceId, own);
    }
  };
  const { gate, request } = source;
  return {
    introspect: (signal) => inSlot(() => source.introspect(signal)),
    session: (work) => inSlot(() => source.session(work)),
    ...(gate && { gate }),
    ...(request && { request: (asked, limits) => inSlot(() => request(asked, limits)) }),
    spareSession(work) {
      const own = slotsOf(dataSourceId);
      const lent = own.useSpare(() => source.session(work));
      return lent?.finally(() => forgetSlots(dataSourceId, own)) ?? null;
    },
  };
}

function slotsOf(dataSourceId: number): Slots {
  const found = slots.get(dataSourceId) ?? new Slots();
  slots.set(dataSourceId, found);
  return found;
}

function forgetSlots(dataSourceId: number, unused: Slots): void {
  if (unused.areAtRest) slots.delete(dataSourceId);
}

/** The data source was changed or deleted. Work in progress on the old connections completes normally. */
export function forgetSource(dataSourceId: number): void {
  const old = connected.get(dataSourceId);
  if (!old) return;
  connected.delete(dataSourceId);
  old.retired = true;
  clearTimeout(old.idle);
  if (old.users === 0) void old.source.close();
}

/** Closes every connection to every data source, with running statements, before the process exits. */
export async function closeSources(): Promise<void> {
  const all = [...connected.values()];
  connected.clear();
  for (const each of all) {
    each.retired = true;
    clearTimeout(each.idle);
  }
  await Promise.all(all.map(({ source }) => source.close()));
}

/** `read` is the connection with the secrets that the stored one refers to, if it does. */
function connectedTo(row: StoredDataSource, read: OpenConnection | null): Connected {
  const openedWith = JSON.stringify([
    row.kind,
    row.connection,
    row.secret?.toString("base64"),
    row.allowedFunctions,
    read && createHash("sha256").update(secretText(read)).digest("base64"),
  ]);
  const found = connected.get(row.id);
  if (found?.openedWith === openedWith) return found;
  forgetSource(row.id);
  const reportCost = (cost: Cost) => recordCost(row.id, cost);
  const source = getEngine(row.kind).open(read ?? openConnection(row), { ...row, reportCost });
  const opened: Connected = { source, openedWith, users: 0, retired: false };
  connected.set(row.id, opened);
  return opened;
}

function rest(dataSourceId: number, unused: Connected): void {
  if (unused.retired) {
    void unused.source.close();
    return;
  }
  unused.idle = setTimeout(() => forgetSource(dataSourceId), idleMs);
  unused.idle.unref();
}
