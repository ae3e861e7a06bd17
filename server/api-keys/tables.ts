import { sql } from "drizzle-orm";
import {
  type AnyPgColumn,
  boolean,
  index,
  integer,
  jsonb,
  pgEnum,
  pgTable,
  text,
  uniqueIndex,
} from "drizzle-orm/pg-core";
import { scopes } from "../auth/kinds.ts";
import { users } from "../auth/tables.ts";
import { bytes, createdAt, id, moment } from "../db/columns.ts";

export const apiKeyScope = pgEnum("api_key_scope", scopes);

/** Revoked and expired keys are kept: rows are never deleted. */
export const apiKeys = pgTable(
  "api_keys",
  {
    id: id(),
    userId: integer()
      .notNull()
      .references(() => users.id),
    /** The person who created or rotated it for a service account, and has thus seen it; null for anyone's own. */
    createdById: integer().references(() => users.id),
    /** The key that created it: it expires no later and is revoked with it. null if a person created it. */
    parentKeyId: integer().references((): AnyPgColumn => apiKeys.id),
    /** The key that was made to take its place, until which time it still works. */
    replacedById: integer().references((): AnyPgColumn => apiKeys.id),
    name: text().notNull(),
    /** The first 16 characters, for people; not used for validation. */
    prefix: text().notNull(),
    /** SHA-256 of the raw key, which is not stored anywhere. */
    hash: bytes().notNull(),
    scopes: apiKeyScope().array().notNull(),
    /** Whether the key is limited to projects, whatever the list says: a damaged list allows nothing. */
    restricted: boolean().notNull(),
    allowedProjectIds: jsonb().$type<unknown>(),
    /** Addresses and CIDRs from which it works; null: from anywhere. */
    allowedNetworks: text().array(),
    createdAt: createdAt(),
    lastUsedAt: moment(),
    /** Where its last use came from. */
    lastUsedAddress: text(),
    expiresAt: moment(),
    revokedAt: moment(),
  },
  (t) => [
    // Every request with a key looks it up by hash.
    uniqueIndex("api_keys_hash_idx").on(t.hash),
    // A user's own keys.
    index("api_keys_user_idx").on(t.userId),
    // A key's direct children, which are revoked with it.
    index("api_keys_parent_idx").on(t.parentKeyId).where(sql`${t.parentKeyId} is not null`),
  ],
);
