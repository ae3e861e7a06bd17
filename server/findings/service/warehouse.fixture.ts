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
