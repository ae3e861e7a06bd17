import type { TransactionSql } from "postgres";
import type { Ledger } from "../ledger.ts";
import type { Received } from "../receivers.ts";

/** The input of a check: the database as it stands, the requests made to the service, and the messages that arrived. */
export type Evidence = {
  sql: TransactionSql;
  ledger: Ledger;
  received: readonly Received[];
};

/** An invariant, the number of rows checked, and those that violate it. */
export type Finding = { what: string; looked: number; wrong: unknown[] };

export type Check = (evidence: Evidence) => Promise<Finding>;

/** `of` selects the rows to check, as a table `it`; `wrong` is a condition that must not be true for any of them. */
export const never =
  (what: string, of: string, wrong: string): Check =>
  async ({ sql }) => {
    const [counted] = await sql.unsafe(`select count(*)::int as looked from (${of}) it`);
    const rows = await sql.unsafe(`select * from (${of}) it where ${wrong} limit 5`);
    return { what, looked: counted?.looked ?? 0, wrong: [...rows] };
  };
