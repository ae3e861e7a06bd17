import { eq } from "drizzle-orm";
import { refuseInTransaction } from "../db/ambient.ts";
import { db } from "../db/client.ts";
import { decrypt } from "../encryption.ts";
import { Problem } from "../errors.ts";
import { withSecret } from "./connection-secret.ts";
import type { Engine, OpenConnection, Session, Source } from "./engines/engine.ts";
import { getEngine } from "./engines/engines.ts";
import { observed } from "./observed.ts";
import { type Priority, Slots } from "./slots.ts";
import { dataSources } from "./tables.ts";

type StoredDataSource = typeof dataSources.$inferSelect;

type Connected = {
  source: Source;
  /** What it was opened with, secret included, as stored. */
  openedWith: string;
  users: number;
  /** Another one took its place: it ends with its last user. */
  retired: boolean;
  idle?: NodeJS.Timeout;
};

const idleMs = 5 * 60_000;

/** One pool per data source and process, although several parts of the process load this module. */
const shared = globalThis as {
  plumblineSources?: Map<number, Connected>;
  plumblineSlots?: Map<number, Slots>;
};
shared.plumblineSources ??= new Map();
shared.plumblineSlots ??= new Map();
const connected = shared.plumblineSources;
/** Kept beside the pools: a changed connection is still one to the same data source. */
const slots = shared.plumblineSlots;

/** A source whose connections are shared out. */
export type LentSource = Pick<Source, "introspect" | "session" | "gate" | "request"> & {
  /** One more session beside the first, or null when no connection is to spare. It waits for nobody. */
  spareSession<T>(work: (session: Session) => Promise<T>): Promise<T> | null;
};

/** What the secret of a data source is sealed for: in another row it does not open. */
export const secretOf = (dataSourceId: number) => `data-source:${dataSourceId}`;

/** The connection as it is stored, with its secret in the clear; only for opening it. */
export function openConnection(
  stored: Pick<StoredDataSource, "id" | "connection" | "secret">,
): OpenConnection {
  const secret = stored.secret === null ? "" : decrypt(stored.secret, secretOf(stored.id));
  return withSecret(stored.connection, secret);
}

/**
 * Lends the pooled connections of a stored data source. The pool follows the row: once its connection or
 * secret has changed, new work gets a new pool, and the old one ends with its last user. Sessions wait for a
 * connection by their priority; whoever holds one must not wait for another. Whether the caller may see the data
 * source is the caller's business. Throws not_found, and what `work` throws.
 */
export async function useSource<T>(
  dataSourceId: number,
  work: (engine: Engine, source: LentSource) => Promise<T>,
  priority: Priority = "person",
): Promise<T> {
  refuseInTransaction("A data source");
  const [row] = await db.select().from(dataSources).where(eq(dataSources.id, dataSourceId));
  if (!row) {
    forgetSource(dataSourceId);
    throw new Problem("not_found", "Data source not found");
  }
  const lent = connectedTo(row);
  lent.users++;
  clearTimeout(lent.idle);
  try {
    return await work(
      getEngine(row.kind),
      sharedOut(dataSourceId, observed(row.kind, lent.source), priority),
    );
  } finally {
    lent.users--;
    if (lent.users === 0) rest(dataSourceId, lent);
  }
}

function sharedOut(dataSourceId: number, source: Source, priority: Priority): LentSource {
  const inSlot = async <T>(work: () => Promise<T>) => {
    const own = slotsOf(dataSourceId);
    try {
      return await own.use(priority, work);
    } finally {
      forgetSlots(dataSourceId, own);
    }
  };
  const { gate, request } = source;
  return {
    introspect: () => inSlot(() => source.introspect()),
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

/** The data source has changed or is gone. What is under way on the old connections ends undisturbed. */
export function forgetSource(dataSourceId: number): void {
  const old = connected.get(dataSourceId);
  if (!old) return;
  connected.delete(dataSourceId);
  old.retired = true;
  clearTimeout(old.idle);
  if (old.users === 0) void old.source.close();
}

/** Ends every connection to every data source, and what runs on them; the process is about to exit. */
export async function closeSources(): Promise<void> {
  const all = [...connected.values()];
  connected.clear();
  for (const each of all) {
    each.retired = true;
    clearTimeout(each.idle);
  }
  await Promise.all(all.map(({ source }) => source.close()));
}

function connectedTo(row: StoredDataSource): Connected {
  const openedWith = JSON.stringify([
    row.kind,
    row.connection,
    row.secret?.toString("base64"),
    row.allowedFunctions,
  ]);
  const found = connected.get(row.id);
  if (found?.openedWith === openedWith) return found;
  forgetSource(row.id);
  const source = getEngine(row.kind).open(openConnection(row), row);
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
