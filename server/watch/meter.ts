import type { Limits, ResultSet, Session, Statement } from "../data-sources/engines/engine.ts";

/** Counts what a look or a profile costs the data source. */
export class Meter {
  statements = 0;
  seconds = 0;
  rowsRead = 0;

  async read(
    session: Session,
    sql: string,
    limits: Partial<Limits> & Pick<Limits, "timeoutMs">,
    scanned = 0,
  ): Promise<ResultSet> {
    const statement: Statement = { sql, parameters: [], ownSql: true };
    const began = performance.now();
    this.statements += 1;
    try {
      return await session.read(statement, { maxRows: 100_000, maxBytes: 64 * 1024 * 1024, ...limits });
    } finally {
      this.seconds += (performance.now() - began) / 1000;
      this.rowsRead += scanned;
    }
  }
}
