import { randomFrom } from "../random.fixture.ts";

/**
 * A store's database of eight tables, clean or with faults planted in it, as statements for PostgreSQL. Times lead up to
 * today, so that what stopped has stopped lately.
 */
export function store(schema: string, isFaulty: boolean): string[] {
  const random = randomFrom(11);
  const cities = ["Berlin", "Hamburg", "Munich", "Cologne", "Leipzig"];
  const places = cities.flatMap((city, at) =>
    Array.from({ length: 6 }, (_, n) => ({ city, zip: String(10_000 + at * 9000 + n * 137) })),
  );
  const statuses = ["paid", "paid", "paid", "shipped", "shipped", "open"];
  const nouns = ["Kettle", "Lamp", "Chair", "Table", "Mug", "Shelf", "Clock", "Rug"];
  const looks = ["small", "large", "blue", "green", "oak", "steel", "round", "light", "dark", "plain"];
  const day = (days: number, hours = 0) =>
    `date_trunc('day', now()) - interval '${days} days' + interval '${hours} hours'`;

  const customers = Array.from({ length: 600 }, (_, index) => {
    const id = 1001 + index * 3;
    const { city, zip } = random.pick(places);
    const phone = `+49 ${30 + random.below(60)} ${1_000_000 + random.below(8_999_999)}`;
    const bad = isFaulty ? id : 0;
    return [
      id,
      bad === 1103 || bad === 1376 ? null : `${random.pick(nouns).toLowerCase()}.${id}@mail.example`,
      bad === 1202 || bad === 1310 ? "n/a" : phone,
      bad === 1451 ? "1O137" : zip,
      bad === 1520 ? "munich" : city,
    ];
  });
  const products = Array.from({ length: 240 }, (_, index) => {
    const id = index + 1;
    const name = `${random.pick(looks)} ${random.pick(nouns)} ${random.pick(looks)} ${100 + index}`;
    const price = (4 + random.lognormal(3, 0.5)).toFixed(2);
    return [
      id,
      `SKU-${String(4000 + id * 3)}`,
      isFaulty && id === 77 ? `Th\u00c3\u00a9i\u00c3\u00a8re ${100 + index}` : name,
      isFaulty && id === 130 ? "48000.00" : price,
      isFaulty && id === 41 ? "heavy" : String(100 + random.below(4000)),
    ];
  });
  const ordered = Array.from({ length: 3000 }, (_, index) => ({
    id: index + 1,
    days: 199 - Math.floor((index * 200) / 3000),
    hours: random.below(24),
  }));
  const orders = ordered.map(({ id, days, hours }) => [
    id,
    `ORD-${500_000 + (isFaulty && id === 2100 ? 2099 : id)}`,
    isFaulty && [301, 907, 1503].includes(id) ? 1002 + id : 1001 + random.below(600) * 3,
    random.pick(statuses),
    { sql: day(days, hours) },
  ]);
  const items = ordered.flatMap(({ id }) =>
    Array.from({ length: 1 + random.below(3) }, (_, at) => {
      const quantity = 1 + random.below(5);
      const cents = 400 + random.below(9000);
      const off = isFaulty && at === 0 && [444, 1888].includes(id) ? 1700 : 0;
      return [
        id * 10 + at,
        id,
        1 + random.below(240),
        quantity,
        (cents / 100).toFixed(2),
        ((quantity * cents + off) / 100).toFixed(2),
      ];
    }),
  );
  const shipments = ordered
    .filter(({ id }) => id % 2 === 0)
    .map(({ id, days, hours }) => {
      const took = isFaulty && (id === 500 || id === 1600) ? -6 : 1 + random.below(6);
      return [id, id, { sql: day(days, hours + 5) }, { sql: day(days - took, hours + 5) }];
    });
  const payments = ordered.map(({ id, days, hours }) => [
    id,
    id,
    random.pick(["card", "card", "invoice", "transfer"]),
    isFaulty && id === 1234 ? { sql: "timestamptz '2099-01-01'" } : { sql: day(days, hours + 1) },
  ]);
  const daily = (from: number, until: number) =>
    Array.from({ length: from - until }, (_, at) => [
      { sql: `(${day(from - at)})::date` },
      40 + random.below(30),
      (900 + random.below(400)).toFixed(2),
    ]);

  const table = (name: string, columns: string, rows: readonly Row[]) => [
    `create table ${schema}.${name} (${columns})`,
    `insert into ${schema}.${name} values ${rows.map(values).join(", ")}`,
  ];
  return [
    `create schema ${schema}`,
    ...table(
      "customers",
      "id int primary key, email text, phone text, zip text, city text not null",
      customers,
    ),
    ...table(
      "products",
      "id int primary key, sku text not null, name text not null, price numeric(12, 2), weight_grams text",
      products,
    ),
    ...table(
      "orders",
      "id int primary key, order_no text not null, customer_id int, status text not null, ordered_at timestamptz not null",
      orders,
    ),
    ...table(
      "order_items",
      "id int primary key, order_id int, product_id int, quantity int, unit_price numeric(12, 2), total numeric(12, 2)",
      items,
    ),
    ...table(
      "shipments",
      "id int primary key, order_id int, shipped_at timestamptz, delivered_at timestamptz",
      shipments,
    ),
    ...table("payments", "id int primary key, order_id int, method text, paid_at timestamptz", payments),
    ...table("daily_sales", "day date primary key, orders int, revenue numeric(12, 2)", daily(200, 0)),
    // Faulty: it stopped three weeks ago, while the sales of each day go on.
    ...table(
      "daily_visits",
      "day date primary key, visitors int, seconds numeric(12, 2)",
      daily(200, isFaulty ? 21 : 0),
    ),
    `analyze ${schema}.orders, ${schema}.order_items`,
  ];
}

type Row = readonly (number | string | null | { sql: string })[];

const values = (row: Row) =>
  `(${row
    .map((cell) =>
      cell === null
        ? "null"
        : typeof cell === "object"
          ? cell.sql
          : typeof cell === "number"
            ? cell
            : `'${cell}'`,
    )
    .join(", ")})`;

/** Each planted fault: its table and column, and how many rows of the table are doubted (0 where rows are missing). */
export const plantedInStore = [
  ["customers", "email", 2],
  ["customers", "phone", 2],
  ["customers", "zip", 1],
  ["customers", "city", 1],
  ["products", "name", 1],
  ["products", "price", 1],
  ["products", "weight_grams", 1],
  ["orders", "order_no", 2],
  ["orders", "customer_id", 3],
  ["order_items", "total", 2],
  ["shipments", "delivered_at", 2],
  ["payments", "paid_at", 1],
  ["daily_visits", "day", 0],
] as const;

export const storeTables = [
  ...["customers", "daily_sales", "daily_visits", "order_items", "orders", "payments"],
  ...["products", "shipments"],
];
