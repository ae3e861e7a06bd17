import { Random } from "../../../faults/random.ts";
import { type CorpusDatabase, type CorpusTable, columnsOf, type Row } from "../corpus.ts";
import { cents, dateText, dayMs, heavyTailed, maybe, money, mostlyFirst, weighted } from "../draw.ts";
import { daysFrom, isWeekend, poisson } from "./calendar.ts";

const now = Date.parse("2025-07-01T02:00:00Z");

/** A star: dimensions have a row for what is unknown, and dates are whole numbers. */
export function mart(seed: number): CorpusDatabase {
  const random = new Random(seed * 79 + 9);
  const days = datesOf();
  const products = productsOf(random);
  const stores = storesOf(random);
  return {
    name: "mart",
    now,
    tables: [
      days,
      products,
      stores,
      salesOf(random, products.rows, stores.rows),
      stockOf(random, products.rows, stores.rows),
    ],
  };
}

const keyOf = (day: number) => dateText(day).replaceAll("-", "");
const unknownKey = "-1";

function datesOf(): CorpusTable {
  const rows = daysFrom("2024-01-01", now).map((day): Row => {
    const date = new Date(day);
    return [
      keyOf(day),
      dateText(day),
      String(date.getUTCFullYear()),
      `Q${Math.floor(date.getUTCMonth() / 3) + 1}`,
      date.toLocaleString("en-US", { month: "long", timeZone: "UTC" }),
      date.toLocaleString("en-US", { weekday: "short", timeZone: "UTC" }),
      isWeekend(day) ? "Y" : "N",
    ];
  });
  const columns = columnsOf({
    date_key: "integer",
    full_date: "date",
    year: "integer",
    quarter: "text",
    month_name: "text",
    day_name: "text",
    is_weekend: "text",
  });
  return { name: "dim_date", columns, rows };
}

function productsOf(random: Random): CorpusTable {
  const groups = {
    Dairy: "Food",
    Bread: "Food",
    Fruit: "Food",
    Toys: "Other",
    Paper: "Other",
    Drinks: "Food",
  } as const;
  const rows: Row[] = [[unknownKey, "UNKNOWN", "Unknown product", "Unknown", "Unknown", null, null]];
  for (let index = 0; index < 300; index++) {
    const group = mostlyFirst(random, Object.keys(groups) as (keyof typeof groups)[], 1.3);
    const price = cents(heavyTailed(random, 3.5, 0.7) + 0.3);
    rows.push([
      String(index + 1),
      `SKU${String(20_000 + index * 11)}`,
      `${group} article ${index + 1}`,
      group,
      groups[group],
      money(price),
      maybe(random, 0.8, () => random.pick(["g", "ml", "pc"])),
    ]);
  }
  const columns = columnsOf({
    product_key: "integer",
    sku: "text",
    product_name: "text",
    category: "text",
    department: "text",
    list_price: "decimal",
    unit: "text",
  });
  return { name: "dim_product", columns, rows };
}

function storesOf(random: Random): CorpusTable {
  const rows: Row[] = [[unknownKey, "N/A", "Unknown store", "Unknown", null, null]];
  for (let index = 0; index < 60; index++)
    rows.push([
      String(index + 1),
      `S${String(index + 1).padStart(3, "0")}`,
      `Store ${index + 1}`,
      ["North", "South", "East", "West"][index % 4] ?? null,
      String(Math.round(heavyTailed(random, 600, 0.5))),
      dateText(Date.parse("1998-01-01") + random.next() * 9000 * dayMs),
    ]);
  const columns = columnsOf({
    store_key: "integer",
    store_code: "text",
    store_name: "text",
    region: "text",
    area_m2: "integer",
    opened_on: "date",
  });
  return { name: "dim_store", columns, rows };
}

function salesOf(random: Random, products: readonly Row[], stores: readonly Row[]): CorpusTable {
  const rows: Row[] = [];
  for (const day of daysFrom("2025-01-02", now - dayMs))
    for (let sale = 0, of = poisson(random, 44); sale < of; sale++) {
      const product = random.chance(0.004) ? products[0] : mostlyFirst(random, products.slice(1), 1.3);
      const quantity = random.chance(0.01) ? random.between(20, 90) : random.between(1, 6);
      const price = Number(product?.[5] ?? heavyTailed(random, 4, 0.5).toFixed(2));
      const discount = random.chance(0.12) ? cents(quantity * price * 0.1) : 0;
      rows.push([
        keyOf(day),
        product?.[0] ?? null,
        random.chance(0.003) ? unknownKey : (mostlyFirst(random, stores.slice(1), 1.2)[0] ?? null),
        String(quantity),
        money(price),
        money(discount),
        money(cents(quantity * price - discount)),
        String(rows.length + 1),
        dateText(day + dayMs),
      ]);
    }
  const columns = columnsOf({
    date_key: "integer in dim_date.date_key",
    product_key: "integer in dim_product.product_key",
    store_key: "integer in dim_store.store_key",
    quantity: "integer",
    unit_price: "decimal",
    discount: "decimal",
    net_amount: "decimal",
    line_no: "integer",
    loaded_on: "date",
  });
  return {
    name: "fact_sales",
    columns,
    rows,
    loads: { column: "loaded_on", period: "day", areAtOnce: true },
  };
}

function stockOf(random: Random, products: readonly Row[], stores: readonly Row[]): CorpusTable {
  const weeks = daysFrom("2025-01-05", now).filter((_, index) => index % 7 === 0);
  const rows = weeks.flatMap((day) =>
    products
      .slice(1, 31)
      .flatMap((product) =>
        stores
          .slice(1, 6)
          .map(
            (store): Row => [
              keyOf(day),
              product[0] ?? null,
              store[0] ?? null,
              String(Math.round(heavyTailed(random, 40, 0.7))),
              weighted(random, { A: 70, B: 25, X: 5 }),
            ],
          ),
      ),
  );
  const columns = columnsOf({
    date_key: "integer in dim_date.date_key",
    product_key: "integer in dim_product.product_key",
    store_key: "integer in dim_store.store_key",
    on_hand: "integer",
    class: "text",
  });
  return { name: "fact_stock", columns, rows };
}
