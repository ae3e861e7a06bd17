import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { closeSources, useDatabase } from "../../data-sources/service/connected-sources.ts";
import { sql } from "../../db/client.ts";
import { aDataSource } from "../../test/factories/data-sources.ts";
import { limits } from "../limits.ts";
import { type Scanned, type ScanSteps, scanTables } from "./scan-tables.ts";
import { shop } from "./warehouse.fixture.ts";

const usual = { ...limits };
const tables = ["customers", "orders"].map((tableName) => ({ schemaName: "shop", tableName }));
let source: Scanned;

beforeAll(async () => {
  const { id } = await aDataSource();
  await sql.unsafe("drop schema if exists shop cascade; create schema shop");
  for (const statement of shop((name) => `shop.${name}`)) await sql.unsafe(statement);
  source = {
    introspect: () => useDatabase(id, (_, lent) => lent.introspect()),
    withSession: (work) =>
      useDatabase(id, (dialect, lent) => lent.session((session) => work(session, dialect))),
  };
});
afterEach(() => void Object.assign(limits, usual));
afterAll(closeSources);

/** Notes what happens, in order. */
function noting(more: Partial<ScanSteps> = {}) {
  const notes: string[] = [];
  const steps: ScanSteps = {
    listed: async () => {},
    isDone: () => false,
    skipped: async ({ tableName }) => void notes.push(`skipped ${tableName}`),
    read: async ({ tableName }) => void notes.push(`read ${tableName}`),
    settled: async ({ tableName }, found) =>
      void notes.push(`settled ${tableName}, ${found.length} findings`),
    ...more,
  };
  return { notes, steps };
}

test("the next tables are read while what was read before is looked at", async () => {
  limits.values = 100;
  let ordersAreRead = () => {};
  const untilOrdersAreRead = new Promise<void>((resolve) => {
    ordersAreRead = resolve;
  });
  const { notes, steps } = noting();
  const read = steps.read;
  await scanTables(
    {
      ...source,
      // Customers are not settled before the orders are read.
      answered: async ({ tableName }) => {
        if (tableName === "customers") await untilOrdersAreRead;
        return [];
      },
    },
    tables,
    {
      ...steps,
      read: async (table) => {
        await read(table);
        if (table.tableName === "orders") ordersAreRead();
      },
    },
  );
  expect(notes).toEqual([
    "read customers",
    "read orders",
    // Two missing addresses, and a country in small letters.
    "settled customers, 2 findings",
    // A number twice and a price; that customers are missing cannot be seen without them.
    "settled orders, 2 findings",
  ]);
});

test("what fails beside the reading ends the scan", async () => {
  limits.values = 100;
  const { notes, steps } = noting({
    settled: async () => {
      throw new Error("The findings cannot be stored");
    },
  });
  await expect(scanTables(source, tables, steps)).rejects.toThrow("The findings cannot be stored");
  expect(notes).toEqual(["read customers", "read orders"]);
});
