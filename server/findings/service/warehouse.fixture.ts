/**
 * A small shop with faults planted in it, as statements that PostgreSQL and MySQL both run: customers, and orders that
 * refer to them without a declared key.
 */
export function shop(relation: (name: string) => string): string[] {
  const customers = Array.from({ length: 400 }, (_, index) => {
    const id = (index + 1) * 3;
    const email = id === 171 || id === 699 ? "null" : `'c${id}@shop${id % 7}.example'`;
    const country = id === 900 ? "'germany'" : ["'Germany'", "'France'", "'Spain'"][index % 3];
    return `(${id}, ${email}, ${country})`;
  });
  const orders = Array.from({ length: 2000 }, (_, index) => {
    const id = index + 1;
    // Customers have numbers that three divides.
    const customer = 3 * (1 + ((id * 7) % 400)) + ([101, 707, 1303].includes(id) ? 1 : 0);
    const number = id === 1500 ? 1499 : id;
    const price = id === 900 ? "48000.00" : `${20 + ((id * 13) % 60)}.50`;
    return `(${id}, 'ORD-${100_000 + number}', ${customer}, ${price})`;
  });
  return [
    `create table ${relation("customers")} (id int primary key, email varchar(80), country varchar(40))`,
    `insert into ${relation("customers")} values ${customers.join(", ")}`,
    `create table ${relation("orders")} (id int primary key, order_no varchar(20), customer_id int, price decimal(12, 2))`,
    `insert into ${relation("orders")} values ${orders.join(", ")}`,
  ];
}

/** What is wrong with it: kind, table, column, and the ids of the rows. */
export const planted = [
  ["Duplicate", "orders", "order_no", [1499, 1500]],
  ["MissingValue", "customers", "email", [171, 699]],
  ["Orphan", "orders", "customer_id", [101, 707, 1303]],
  ["OutOfRange", "orders", "price", [900]],
  ["Variant", "customers", "country", [900]],
] as const;

const dayAfter = (days: number) =>
  new Date(Date.UTC(2024, 0, 1) + days * 86_400_000).toISOString().slice(0, 10);

/** A table whose numbers and dates are texts, a few of which are neither. */
export function textTable(relation: (name: string) => string): string[] {
  const rows = Array.from({ length: 500 }, (_, index) => {
    const id = index + 1;
    const amount = id === 77 ? "abc" : id === 300 ? "48000.5" : `${20 + ((id * 13) % 60)}.5`;
    const day = (id * 7) % 200;
    const opened = id === 40 || id === 41 ? `0${id - 39}/02/2024` : dayAfter(day);
    const closed = dayAfter(id === 120 || id === 350 ? day - 30 : day + 1 + (id % 9));
    return `(${id}, '${amount}', '${opened}', '${closed}')`;
  });
  return [
    `create table ${relation("cases")} (id int primary key, amount varchar(20), opened varchar(20), closed varchar(20))`,
    `insert into ${relation("cases")} values ${rows.join(", ")}`,
  ];
}

/** What is wrong with it. */
export const plantedInTexts = [
  ["Format", "cases", "opened", [40, 41]],
  ["Impossible", "cases", "opened", [120, 350]],
  ["OutOfRange", "cases", "amount", [300]],
  ["Type", "cases", "amount", [77]],
] as const;
