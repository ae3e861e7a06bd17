import { sql } from "drizzle-orm";
import { customType, integer, timestamp } from "drizzle-orm/pg-core";

/** An identifier: an integer that PostgreSQL assigns. */
export const id = () => integer().primaryKey().generatedAlwaysAsIdentity();

/** A point in time, with zone, read as a Date. */
export const moment = () => timestamp({ withTimezone: true, mode: "date", precision: 3 });

export const createdAt = () => moment().notNull().defaultNow();
export const updatedAt = () =>
  moment()
    .notNull()
    .defaultNow()
    .$onUpdate(() => new Date());

/** Bytes, for what is encrypted. */
export const bytes = customType<{ data: Buffer }>({ dataType: () => "bytea" });

const transactionId = customType<{ data: string }>({ dataType: () => "xid8" });

/**
 * The transaction that last changed what Control Tower counts of a row. Triggers keep it, whoever changes the row, so
 * that a process which knows the counts asks for those alone that have changed since.
 */
export const changed = () => transactionId().notNull().default(sql`pg_current_xact_id()`);
