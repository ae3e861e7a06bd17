import { bigint, index, integer, pgTable, text } from "drizzle-orm/pg-core";
import { bytes, moment } from "../db/columns.ts";

/**
 * Entries that are not in the chain yet, or that have got their outcome since. Filled by triggers in the transaction of the
 * entry, so that none is missed, in whatever order transactions end.
 */
export const auditPending = pgTable("audit_pending", {
  id: bigint({ mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
  entryId: integer().notNull(),
});

/**
 * The chain: each link has the hash of its entry and of the link before it, and some are signed. An entry has another link
 * once its outcome is known.
 */
export const auditChain = pgTable(
  "audit_chain",
  {
    /** Without gaps. */
    position: bigint({ mode: "number" }).primaryKey(),
    entryId: integer().notNull(),
    /** Of the entry. */
    at: moment().notNull(),
    /** SHA-256 of the entry. */
    digest: bytes().notNull(),
    /** SHA-256 of the hash before, and of this link. */
    hash: bytes().notNull(),
    /** Ed25519, of the last link that was added at a time. */
    signature: bytes(),
  },
  (t) => [
    // Whether an entry is in the chain, and which of its links is the last.
    index("audit_chain_entry_idx").on(t.entryId, t.position),
  ],
);

/** The key that signs the chain, and where the chain begins: old entries and their links are removed. */
export const auditChainState = pgTable("audit_chain_state", {
  /** Always 1, so that there is only one row. */
  id: integer().primaryKey(),
  /** The private key, encrypted. */
  signingKey: bytes().notNull(),
  /** The last link that was removed; 0 if none was. */
  position: bigint({ mode: "number" }).notNull(),
  hash: bytes().notNull(),
  /** When the chain was begun: one that was removed as a whole and begun anew is younger than the service. */
  startedAt: moment().notNull(),
  /** Entries from before may be missing. */
  removedBefore: moment(),
  /** Of these four. */
  signature: bytes().notNull(),
});

/** How far the log was sent to a SIEM. */
export const auditExport = pgTable("audit_export", {
  /** Always 1, so that there is only one row. */
  id: integer().primaryKey(),
  /** The last link that the receiver has accepted. */
  position: bigint({ mode: "number" }).notNull(),
  sentAt: moment(),
  /** Why the last attempt failed; contains no address and no secret. */
  lastError: text(),
});
