import { createPublicKey } from "node:crypto";
import { asc, eq, gt, sql } from "drizzle-orm";
import { auditLog } from "../../audit/tables.ts";
import { db, type Transaction } from "../../db/client.ts";
import { Problem } from "../../errors.ts";
import { type ChainedEntry, digestOf, firstHash, hashOf, isAnchorSigned, isLinkSigned } from "../chain.ts";
import type { AuditProblem, AuditVerification, VerifyAuditInput } from "../schema.ts";
import { auditChain, auditChainState, auditExport, auditPending } from "../tables.ts";
import { signingKey } from "./seal-chain.ts";

const pageSize = 5000;
const maxProblems = 100;

/**
 * Reads the whole log and its chain, at one moment, and says what was removed, changed, or added by something other than
 * the service. The end of the chain can only be missed by who knows it: compare with one that was noted elsewhere. Throws
 * invalid for a hash without its position.
 */
export function verifyChain(known: VerifyAuditInput = {}): Promise<AuditVerification> {
  if (known.hash !== undefined && known.position === undefined)
    throw new Problem("invalid", "hash needs its position", {
      errors: [{ path: "position", message: "is required with hash" }],
    });
  return db.transaction((tx) => verify(tx, known), {
    isolationLevel: "repeatable read",
    accessMode: "read only",
  });
}

async function verify(tx: Transaction, known: VerifyAuditInput): Promise<AuditVerification> {
  const [state] = await tx.select().from(auditChainState);
  const [sent = null] = await tx.select().from(auditExport);
  const waiting = await tx.$count(auditPending);
  const problems: AuditProblem[] = [];
  let count = 0;
  const found = (problem: AuditProblem) => {
    count += 1;
    if (problems.length < maxProblems) problems.push(problem);
  };
  const ofChain = (kind: AuditProblem["kind"], at: number | null) =>
    found({ kind, entryId: null, at: null, action: null, position: at });
  const key = state ? signingKey(state) : null;
  if (state && key && !isAnchorSigned(state, state.signature, key)) ofChain("NotSigned", state.position);
  let { position, hash } = state ?? { position: 0, hash: firstHash };
  // What was noted may be from before the anchor.
  let isKnownFound = known.position === undefined || known.position <= position;
  if (known.position === position && isOther(known, hash)) ofChain("Broken", position);
  let links = 0;
  let isEndSigned = true;
  let [from, to] = [null, null] as [Date | null, Date | null];
  for (;;) {
    const page = await pageAfter(tx, position);
    for (const { link, entry, isSuperseded } of page) {
      links += 1;
      if (!from || link.at < from) from = link.at;
      if (!to || link.at > to) to = link.at;
      const where = {
        ...{ entryId: link.entryId, at: link.at, position: link.position },
        action: entry?.action ?? null,
      };
      const isNext = link.position === position + 1;
      if (!isNext || !hashOf(link, hash).equals(link.hash)) found({ kind: "Broken", ...where });
      if (link.signature && key && !isLinkSigned(link, link.signature, key))
        found({ kind: "NotSigned", ...where });
      const mayBeGone = state?.removedBefore && link.at < state.removedBefore;
      if (!isSuperseded && !entry && !mayBeGone) found({ kind: "Removed", ...where });
      if (entry && !isLinkOf(link, entry, isSuperseded)) found({ kind: "Changed", ...where });
      if (link.position === known.position) {
        isKnownFound = true;
        if (isOther(known, link.hash)) found({ kind: "Broken", ...where });
      }
      ({ position, hash } = link);
      isEndSigned = link.signature !== null;
    }
    if (page.length < pageSize) break;
  }
  if (!isEndSigned) ofChain("NotSigned", position);
  if (!isKnownFound) ofChain("Shortened", known.position ?? null);
  for (const { id, at, action } of await unchained(tx))
    found({ kind: "Added", entryId: id, at: new Date(at), action, position: null });
  return {
    ok: count === 0,
    ...{ links, waiting, problemCount: count, problems },
    end: { position, hash: hash.toString("hex") },
    ...{ from, to },
    startedAt: state?.startedAt ?? null,
    removedBefore: state?.removedBefore ?? null,
    publicKey: key && createPublicKey(key).export({ format: "pem", type: "spki" }).toString(),
    exported: sent && {
      ...{ position: sent.position, behind: Math.max(0, position - sent.position) },
      ...{ at: sent.sentAt, lastError: sent.lastError },
    },
  };
}

const isOther = (known: VerifyAuditInput, hash: Buffer) =>
  known.hash !== undefined && known.hash !== hash.toString("hex");

/** A link that was followed by another may be from before the outcome of a run was known. Nothing else ever changes. */
function isLinkOf({ digest }: { digest: Buffer }, entry: ChainedEntry, isSuperseded: boolean): boolean {
  return (
    digestOf(entry).equals(digest) || (isSuperseded && digestOf({ ...entry, outcome: "" }).equals(digest))
  );
}

/** Links in order, each with its entry, and whether the entry has a later link. */
async function pageAfter(tx: Transaction, position: number) {
  const rows = await tx
    .select({
      link: auditChain,
      entry: auditLog,
      isSuperseded: sql<boolean>`
        exists (select from audit_chain later
          where later.entry_id = ${auditChain.entryId} and later.position > ${auditChain.position})
        or exists (select from ${auditPending} where ${auditPending.entryId} = ${auditChain.entryId})`,
    })
    .from(auditChain)
    .leftJoin(auditLog, eq(auditLog.id, auditChain.entryId))
    .where(gt(auditChain.position, position))
    .orderBy(asc(auditChain.position))
    .limit(pageSize);
  return rows as {
    link: typeof auditChain.$inferSelect;
    entry: ChainedEntry | null;
    isSuperseded: boolean;
  }[];
}

/** Entries that are neither in the chain nor about to be: their links were removed, or triggers were off. */
async function unchained(tx: Transaction) {
  return tx.execute<{ id: number; at: number; action: string }>(sql`
    select id, extract(epoch from at)::float8 * 1000 as at, action from ${auditLog}
    where not exists (select from ${auditChain} where ${auditChain.entryId} = ${auditLog.id})
      and not exists (select from ${auditPending} where ${auditPending.entryId} = ${auditLog.id})
      and at >= coalesce((select removed_before from ${auditChainState}), '-infinity')
    order by id limit ${maxProblems}`);
}
