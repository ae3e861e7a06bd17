import { createHash } from "node:crypto";
import { valueAt } from "../../profile/observed-column.ts";
import type { ObservedTable } from "../../profile/observed-table.ts";
import type { Taught } from "./lesson.ts";

/** An answer as it is kept: without any value of the table. */
export type TaughtCell = { column: string; cell: string; verdict: Taught["verdict"] };

/**
 * The rows of a table by what identifies them: a hash of the primary key's values, or of all values where there is no
 * key. Of rows that are the same in all columns, the first one counts. Pure.
 */
export class RowHashes {
  private readonly table: ObservedTable;
  private readonly identifying: ObservedTable["columns"];
  private readonly rows = new Map<string, number>();

  constructor(table: ObservedTable) {
    const keys = table.columns.filter(({ isPrimaryKey }) => isPrimaryKey);
    this.table = table;
    this.identifying = keys.length > 0 ? keys : table.columns;
    for (let row = 0; row < table.rowCount; row++) {
      const hash = this.hashOf(row);
      if (!this.rows.has(hash)) this.rows.set(hash, row);
    }
  }

  /** What an answer about a cell is kept under: its row, and its value, so that it ends when the value changes. */
  cellOf({ row, column }: { row: number; column: string }): string {
    return `${this.hashOf(row)}-${this.valueHashOf(column, row)}`;
  }

  /** The answers about cells that are still there with the value that was asked about, in their order. */
  answersIn(kept: readonly TaughtCell[]): Taught[] {
    return kept.flatMap(({ column, cell, verdict }) => {
      const [rowHash = "", valueHash] = cell.split("-");
      const row = this.rows.get(rowHash);
      if (row === undefined || this.valueHashOf(column, row) !== valueHash) return [];
      return [{ row, column, verdict }];
    });
  }

  private hashOf(row: number): string {
    return hashed(this.identifying.map((column) => valueAt(column, row)));
  }

  /** null for a column that the table does not have any more. */
  private valueHashOf(name: string, row: number): string | null {
    const column = this.table.columns.find((each) => each.name === name);
    return column ? hashed([name, valueAt(column, row)]) : null;
  }
}

const hashed = (values: readonly (string | null)[]) =>
  createHash("sha256").update(JSON.stringify(values)).digest("hex").slice(0, 32);
