import { Random } from "../../../faults/random.ts";
import { type CorpusDatabase, type CorpusTable, columnsOf, type Row } from "../corpus.ts";
import { cents, dayMs, digits, heavyTailed, maybe, money, mostlyFirst, timeText, weighted } from "../draw.ts";
import { sentence } from "./names.ts";
import { customersOf, productsOf } from "./shop-catalog.ts";

const now = Date.parse("2025-06-30T18:00:00Z");

/** Orders with their items, payments and refunds; the last orders are still open. */
export function shop(seed: number): CorpusDatabase {
  const random = new Random(seed);
  const customers = customersOf(random, now);
  const products = productsOf(random, now);
  return {
    name: "shop",
    now,
    tables: [
      customers,
      products,
      ...ordersOf(random, customers.rows, products.rows),
      reviewsOf(random, products.rows),
    ],
  };
}

function ordersOf(random: Random, customers: Row[], products: Row[]): CorpusTable[] {
  const [orders, items, payments]: [Row[], Row[], Row[]] = [[], [], []];
  let item = 9_000;
  for (let index = 0; index < 6000; index++) {
    const id = 90_000 + index * 3 + random.between(0, 2);
    const orderedAt = now - ((6000 - index) / 6000) ** 0.8 * 700 * dayMs;
    let subtotal = 0;
    for (let line = 1; line <= 1 + Math.min(9, Math.floor(heavyTailed(random, 1, 0.9))); line++) {
      const product = mostlyFirst(random, products, 2);
      const price = Number(product[4]);
      const quantity = random.chance(0.7) ? 1 : Math.max(1, Math.round(heavyTailed(random, 2, 0.9)));
      subtotal = cents(subtotal + price * quantity);
      items.push([
        String(item++),
        String(id),
        String(line),
        product[0] ?? null,
        String(quantity),
        money(price),
        money(cents(price * quantity)),
      ]);
    }
    const discount = random.chance(0.1) ? cents(subtotal * 0.1) : 0;
    const shipping = subtotal > 100 ? 0 : 4.9;
    const tax = cents((subtotal - discount) * 0.19);
    const total = cents(subtotal - discount + shipping + tax);
    const age = now - orderedAt;
    const isOpen = age < (2 + random.next() * 6) * dayMs;
    const status = isOpen
      ? random.chance(0.5)
        ? "open"
        : "paid"
      : weighted(random, { delivered: 90, returned: 5, canceled: 5 });
    const isShipped = status === "delivered" || status === "returned";
    const shippedAt = orderedAt + (0.2 + random.next() * 2) * dayMs;
    orders.push([
      String(id),
      `SO-${new Date(orderedAt).getUTCFullYear()}-${String(index + 1).padStart(6, "0")}`,
      mostlyFirst(random, customers, 1.7)[0] ?? null,
      status,
      // The marketplace is new.
      index > 5600
        ? weighted(random, { web: 60, app: 30, phone: 1, marketplace: 9 })
        : weighted(random, { web: 65, app: 33, phone: 2 }),
      timeText(orderedAt),
      isShipped ? timeText(shippedAt) : null,
      isShipped ? timeText(shippedAt + (0.5 + heavyTailed(random, 2, 0.6)) * dayMs) : null,
      money(subtotal),
      money(discount),
      money(shipping),
      money(tax),
      money(total),
      discount > 0 ? random.pick(["WELCOME10", "SPRING10", "FRIENDS10"]) : null,
    ]);
    if (status === "open" || status === "canceled") continue;
    const method = weighted(random, { card: 70, paypal: 20, invoice: 10 });
    const paid = (amount: number, at: number): Row => [
      String(payments.length + 1),
      String(id),
      method,
      money(amount),
      timeText(at),
      method === "card" ? digits(random, 4) : null,
      `PAY${digits(random, 10)}`,
    ];
    payments.push(paid(total, orderedAt + random.next() * 3_600_000));
    if (status === "returned") payments.push(paid(-total, shippedAt + 9 * dayMs));
  }
  return [
    {
      name: "orders",
      columns: columnsOf({
        id: "integer key",
        order_no: "text",
        customer_id: "integer in customers.id",
        status: "text",
        channel: "text",
        ordered_at: "time",
        shipped_at: "time",
        delivered_at: "time",
        subtotal: "decimal",
        discount: "decimal",
        shipping_fee: "decimal",
        tax: "decimal",
        total: "decimal",
        coupon: "text",
      }),
      rows: orders,
    },
    {
      name: "order_items",
      columns: columnsOf({
        id: "integer",
        order_id: "integer in orders.id",
        line_no: "integer",
        product_id: "integer in products.id",
        quantity: "integer",
        unit_price: "decimal",
        line_total: "decimal",
      }),
      rows: items,
    },
    {
      name: "payments",
      columns: columnsOf({
        id: "integer",
        order_id: "integer in orders.id",
        method: "text",
        amount: "decimal",
        paid_at: "time",
        card_last4: "text",
        reference: "text",
      }),
      rows: payments,
    },
  ];
}

function reviewsOf(random: Random, products: Row[]): CorpusTable {
  const rows = Array.from(
    { length: 900 },
    (_, index): Row => [
      String(index + 1),
      mostlyFirst(random, products, 2)[0] ?? null,
      String(weighted(random, { "5": 50, "4": 25, "3": 10, "2": 5, "1": 10 })),
      maybe(random, 0.7, () => sentence(random, random.between(2, 30))),
      timeText(now - random.next() * 600 * dayMs),
    ],
  );
  return {
    name: "reviews",
    columns: columnsOf({
      id: "integer",
      product_id: "integer references products.id",
      rating: "integer",
      text: "text",
      written_at: "time",
    }),
    rows,
  };
}
