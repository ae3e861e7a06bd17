import type { Context } from "../auth/principal.ts";
import { env } from "../env.ts";
import { log } from "../telemetry/log.ts";
import { RecentNames } from "./recent-names.ts";
import { byOf, countKeyRead, type Entry, recordEntry, recordRunBeginning } from "./service.ts";

/** What calls need to be recorded: what they change, read, and were refused. */

/** Provides a context with what its procedures need to be recorded. */
export function recorderOf({
  principal,
  address,
}: Pick<Context, "principal" | "address">): Pick<
  Context,
  "record" | "beginRun" | "countRead" | "recordRefusal" | "recordRead"
> {
  const { keyId } = principal ?? {};
  const by = byOf(principal);
  const of = (procedure: string) => ({ by, address, objectKind: "procedure", detail: procedure });
  return {
    recordRefusal: (procedure) => recordRefusal({ ...of(procedure), action: "access.refused" }),
    ...(principal &&
      keyId === undefined && {
        recordRead: (procedure: string, objectId: number | null) =>
          recordRead({ ...of(procedure), action: "access.read", objectId }),
      }),
    record: (change, connection) => recordEntry({ by, address, ...change }, connection),
    beginRun: (change) => recordRunBeginning({ by, address, ...change }),
    ...(keyId !== undefined && { countRead: () => countKeyRead(keyId) }),
  };
}

const refusals = new RecentNames({ windowMs: 15 * 60_000, max: 1000 });
/** Fewer, because anyone can send these, from any number of addresses. */
const refusalsOfNobody = new RecentNames({ windowMs: 15 * 60_000, max: 100 });
const reads = new RecentNames({ windowMs: 60 * 60_000, max: 20_000 });

/**
 * Adds an entry of an attempt that was refused: at most one per quarter of an hour for the same caller and procedure, or
 * for the same address if nobody is signed in, and at most 1,000 and 100 in a process. Never throws: the attempt is refused in any
 * case, and the log of the process has the failure.
 */
export async function recordRefusal(entry: Entry): Promise<void> {
  const { by, action, detail } = entry;
  const name = [action, by.kind, by.id ?? entry.address, detail].join(" ");
  if (!(by.id === null ? refusalsOfNobody : refusals).isNew(name)) return;
  await quietly(() => recordEntry(entry));
}

/** Notes that a key or a JWT from this address was not valid. Which one is not said: it may be a secret elsewhere. */
export const recordRefusedCredential = (address: string): Promise<void> =>
  recordRefusal({ by: byOf(null), address, action: "access.refusedCredential", objectKind: "apiKey" });

/** Adds an entry of what a person read, with AUDIT_READS: at most one per hour for the same procedure and object. */
export async function recordRead(entry: Entry): Promise<void> {
  if (!env().AUDIT_READS) return;
  const { by, detail, objectId } = entry;
  if (reads.isNew([by.kind, by.id, detail, objectId].join(" "))) await quietly(() => recordEntry(entry));
}

/** What must not fail the request; `recordEntry` has logged the failure. */
async function quietly(work: () => Promise<void>): Promise<void> {
  await work().catch((err) => log.debug({ err }, "An entry of the audit log is missing"));
}
