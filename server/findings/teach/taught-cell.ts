import { createHmac } from "node:crypto";
import { valueAt } from "../../profile/observed-column.ts";
import type { ObservedTable } from "../../profile/observed-table.ts";
import type { Taught } from "./lesson.ts";

/** An answer as it is kept: without any value of the table. */
export type TaughtCell = { column: string; cell: string; verdict: Taught["verdict"] };

/**
 * The rows of a table by what identifies them: the primary key's values, or all values where there is no key. Of rows
 * that are the same in all columns, the first one counts.
 *
 * Cells go to browsers that see them masked, and are kept. Their hashes are therefore keyed: without the key, nobody can
 * try which value a hash belongs to.
 */
export class RowHashes {
  private readonly table: ObservedTable;
  private readonly key: Buffer;
  private readonly identifying: ObservedTable["columns"];
  private rows: Map<string, number> | undefined;

  constructor(table: ObservedTable, key: Buffer) {
    const keys = table.columns.filter(({ isPrimaryKey }) => isPrimaryKey);
    this.table = table;
    this.key = key;
    this.identifying = keys.length > 0 ? keys : table.columns;
  }

  /** What an answer about a cell is kept under: its row, and its value, so that it ends when the value changes. */
  cellOf({ row, column }: { row: number; column: string }): string {
    const rowHash = this.hashOf(row);
    return `${rowHash}-${this.valueHashOf(column, row, rowHash)}`;
  }

  /** The answers about cells that are still there with the value that was asked about, in their order. */
  answersIn(kept: readonly TaughtCell[]): Taught[] {
    return kept.flatMap(({ column, cell, verdict }) => {
      const [rowHash = "", valueHash] = cell.split("-");
      const row = this.rowOf(rowHash);
      if (row === undefined || this.valueHashOf(column, row, rowHash) !== valueHash) return [];
      return [{ row, column, verdict }];
    });
  }

  /** All rows are hashed when the first one is looked for: without answers, none has to be. */
  private rowOf(hash: string): number | undefined {
    if (!this.rows) {
      this.rows = new Map();
      for (let row = this.table.rowCount - 1; row >= 0; row--) this.rows.set(this.hashOf(row), row);
    }
    return this.rows.get(hash);
  }

  private hashOf(row: number): string {
    return this.hashed(this.identifying.map((column) => valueAt(column, row)));
  }

  /** null for a column that the table does not have any more. Equal values in two rows have different hashes. */
  private valueHashOf(name: string, row: number, rowHash: string): string | null {
    const column = this.table.columns.find((each) => each.name === name);
    return column ? this.hashed([rowHash, name, valueAt(column, row)]) : null;
  }

  private hashed(values: readonly (string | null)[]): string {
    return createHmac("sha256", this.key).update(JSON.stringify(values)).digest("hex").slice(0, 32);
  }
}
