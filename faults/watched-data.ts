import type { Sql } from "postgres";

export const watched = { database: "plumbline", user: "reader", password: "reads" };

/** Data to watch, with a few faults that rules and planners find, and a user with read-only access. */
export async function makeWatchedData(sql: Sql): Promise<void> {
  await sql.unsafe(`
    create role ${watched.user} login password '${watched.password}';
    create table customers (
      id integer primary key, email text, country text not null, created_at timestamptz not null);
    create table orders (
      id integer primary key, customer_id integer references customers, number text not null,
      amount numeric, status text not null, placed_at timestamptz not null);
    create table payments (
      id integer primary key, order_id integer references orders, amount numeric not null, paid_at timestamptz);
    create table products (id integer primary key, name text not null, price numeric, updated_at timestamptz);
    insert into customers select n, case when n % 7 > 0 then 'c' || n || '@example.com' end,
      (array['DE', 'FR', 'US'])[1 + n % 3], now() - n * interval '1 minute' from generate_series(1, 1000) n;
    insert into orders select n, 1 + n % 1000, 'O-' || n % 4900, case when n % 20 > 0 then n % 400 end,
      (array['new', 'paid', 'sent'])[1 + n % 3], now() - n * interval '1 minute' from generate_series(1, 5000) n;
    insert into payments select n, n, n % 400, case when n % 9 > 0 then now() - n * interval '1 minute' end
      from generate_series(1, 4000) n;
    insert into products select n, 'Product ' || n, n % 90, now() - n * interval '1 hour'
      from generate_series(1, 200) n;
    analyze;
    grant select on all tables in schema public to ${watched.user};`);
}
