import type { TransactionSql } from "postgres";
import type { Ledger } from "../ledger.ts";
import type { Received } from "../receivers.ts";

/** What checks look at: the database as it stands, what was asked of the service, and what has arrived. */
export type Evidence = {
  sql: TransactionSql;
  ledger: Ledger;
  received: readonly Received[];
};

/** One thing that must hold, of how many it was looked at, and where it does not hold. */
export type Finding = { what: string; looked: number; wrong: unknown[] };

export type Check = (evidence: Evidence) => Promise<Finding>;

/** `of` selects everything that is looked at, in a table `it`; `wrong` is a condition on it that must never be true. */
export const never =
  (what: string, of: string, wrong: string): Check =>
  async ({ sql }) => {
    const [counted] = await sql.unsafe(`select count(*)::int as looked from (${of}) it`);
    const rows = await sql.unsafe(`select * from (${of}) it where ${wrong} limit 5`);
    return { what, looked: counted?.looked ?? 0, wrong: [...rows] };
  };
