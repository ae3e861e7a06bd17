import type { ServerKind } from "../../../server/data-sources/kinds.ts";
import type { Say } from "../../measure.ts";

/** A database server whose tables are scanned, with what the benchmark asks it directly. */
export type ScannedServer = {
  kind: ServerKind;
  /** The address of the database with the tables. */
  url: string;
  /** The server's CPU seconds so far; NaN where that cannot be told. */
  cpu: () => number;
  /** Builds the large table `orders`, unless it has this many rows already. */
  buildOrders(rows: number, say: Say): Promise<void>;
  /** Builds this many tables of so many rows, and nothing else in their database; answers its address. */
  buildManyTables(tables: number, rows: number, say: Say): Promise<string>;
  countOrders(): Promise<void>;
  /** Reads every value of `orders` once. */
  readOrders(): Promise<void>;
  /** How often `orders` was read so far, in sequential scans of it, once the connections of the scan are closed. */
  scansOfOrders(): Promise<number>;
  close(): Promise<void>;
};

/** The largest value of each column of `orders`. */
export const everyValueOfOrders = `
  select count(*), max(id), max(order_no), max(customer_id), max(product_id), max(quantity), max(price),
    max(discount), max(total), max(status), max(country), max(created_at), max(shipped_at)
  from orders`;

/** The name of one of the many tables. */
export const nameOfTable = (index: number) => `t${String(index).padStart(4, "0")}`;
