import { Random } from "../../../faults/random.ts";
import { type CorpusDatabase, type CorpusTable, columnsOf, type Row } from "../corpus.ts";
import {
  cents,
  dateText,
  dayMs,
  heavyTailed,
  letters,
  money,
  mostlyFirst,
  timeText,
  uuid,
  weighted,
} from "../draw.ts";
import {
  daysFrom,
  hourMs,
  isHoliday,
  isWeekend,
  isWorkday,
  momentsOf,
  poisson,
  season,
  weekdayOf,
  workdaysLeft,
} from "./calendar.ts";

const now = Date.parse("2025-10-14T07:30:00Z");
/** The last night's loads are in, and today's are not. */
const today = Date.parse("2025-10-14");

/** A warehouse of nightly and hourly loads, with seasons, holidays and month ends; some tables ended for good. */
export function feeds(seed: number): CorpusDatabase {
  const random = new Random(seed * 17 + 3);
  const skus = Array.from({ length: 42 }, (_, index) => `${letters(random, 2)}-${1100 + index * 7}`);
  return {
    name: "feeds",
    now,
    tables: [
      sessionsOf(random),
      ...ordersOf(random, skus),
      snapshotsOf(random, skus),
      ratesOf(random),
      invoicesOf(random),
      newslettersOf(random),
      ticketsOf(random),
      suppliersOf(random),
      ...[2023, 2024, 2025].map((year) => returnsOf(random, year)),
      clicksOf(random),
    ],
  };
}

function sessionsOf(random: Random): CorpusTable {
  const rows: Row[] = [];
  for (const day of daysFrom("2025-08-05", now))
    for (let hour = 0; hour < 24; hour++) {
      const start = day + hour * hourMs;
      if (start + hourMs > now) break;
      const mean = (2 + 9 * Math.sin((Math.PI * hour) / 24) ** 2) * (isWeekend(day) ? 1.3 : 1);
      const moments = Array.from(
        { length: poisson(random, mean) },
        () => start + random.next() * hourMs,
      ).sort((a, b) => a - b);
      for (const at of moments)
        rows.push([
          uuid(random),
          timeText(at),
          String(1 + Math.floor(heavyTailed(random, 3, 0.9))),
          weighted(random, { mobile: 62, desktop: 33, tablet: 5 }),
          weighted(random, { search: 45, direct: 30, mail: 15, ads: 10 }),
        ]);
    }
  const columns = columnsOf({
    session_id: "uuid",
    started_at: "time",
    pages: "integer",
    device: "text",
    source: "text",
  });
  return { name: "web_sessions", columns, rows, loads: { column: "started_at", period: "hour" } };
}

/** Loaded each night; once, the load of a night came with the next. */
function ordersOf(random: Random, skus: readonly string[]): CorpusTable[] {
  const [orders, lines]: [Row[], Row[]] = [[], []];
  let id = 310_000;
  const nights = daysFrom("2024-01-08", today - dayMs);
  const late = nights[random.between(60, nights.length - 120)];
  for (const day of nights) {
    const trend = 1 + (day - (nights[0] ?? 0)) / dayMs / 900;
    const mean = 11 * trend * season(day, 0.25) * (isWeekend(day) ? 1.4 : 1) * (isHoliday(day) ? 0.6 : 1);
    const loaded = timeText(
      (day === late ? day + dayMs : day) + dayMs + 2 * hourMs + random.between(300, 900) * 1000,
    );
    for (const at of momentsOf(random, day, poisson(random, mean))) {
      id += random.between(1, 2);
      let total = 0;
      for (let line = 1 + poisson(random, 0.9); line > 0; line--) {
        const [quantity, price] = [1 + poisson(random, 0.4), cents(heavyTailed(random, 24, 0.7))];
        total = cents(total + quantity * price);
        lines.push([
          String(lines.length + 1),
          String(id),
          mostlyFirst(random, skus, 1.8),
          String(quantity),
          money(price),
          loaded,
        ]);
      }
      orders.push([
        String(id),
        `C${random.between(10_000, 13_500)}`,
        timeText(at),
        weighted(random, { web: 80, app: 20 }),
        money(total),
        loaded,
      ]);
    }
  }
  return [
    {
      name: "orders",
      columns: columnsOf({
        order_id: "integer key",
        customer_no: "text",
        placed_at: "time",
        channel: "text",
        total: "decimal",
        loaded_at: "time",
      }),
      rows: orders,
      loads: { column: "loaded_at", period: "day", areAtOnce: true },
    },
    {
      name: "order_lines",
      columns: columnsOf({
        line_id: "integer",
        order_id: "integer in orders.order_id",
        sku: "text",
        quantity: "integer",
        unit_price: "decimal",
        loaded_at: "time",
      }),
      rows: lines,
      loads: { column: "loaded_at", period: "day", areAtOnce: true, childrenOf: "order_id" },
    },
  ];
}

/** Every article on every day; the range grows. */
function snapshotsOf(random: Random, skus: readonly string[]): CorpusTable {
  const rows: Row[] = [];
  const days = daysFrom("2025-04-01", today - dayMs);
  const stock = skus.map(() => random.between(5, 400));
  for (const [index, day] of days.entries())
    for (const [place, sku] of skus.entries()) {
      if (place > 34 + index / 28) continue;
      stock[place] = Math.max(0, (stock[place] ?? 0) + random.between(-9, 9));
      rows.push([dateText(day), sku, String(stock[place]), weighted(random, { A: 80, B: 20 })]);
    }
  const columns = columnsOf({ snapshot_on: "date", sku: "text", on_hand: "integer", warehouse: "text" });
  return {
    name: "stock_snapshots",
    columns,
    rows,
    loads: { column: "snapshot_on", period: "day", areAtOnce: true, areAlike: true },
  };
}

/** No rates on weekends and holidays. */
function ratesOf(random: Random): CorpusTable {
  const rates: Record<string, number> = { USD: 1.08, GBP: 0.85, CHF: 0.95, JPY: 162, SEK: 11.3, PLN: 4.3 };
  const rows: Row[] = [];
  for (const day of daysFrom("2023-11-01", today - dayMs).filter(isWorkday))
    for (const currency of Object.keys(rates)) {
      rates[currency] = (rates[currency] ?? 1) * (1 + (random.next() - 0.5) * 0.008);
      rows.push([dateText(day), currency, rates[currency]?.toFixed(4) ?? null]);
    }
  const columns = columnsOf({ valid_on: "date", currency: "text", rate: "decimal" });
  return {
    name: "exchange_rates",
    columns,
    rows,
    loads: { column: "valid_on", period: "day", areAtOnce: true, areAlike: true },
  };
}

/** Most are written on the last days of a month. */
function invoicesOf(random: Random): CorpusTable {
  const rows: Row[] = [];
  for (const day of daysFrom("2024-02-01", today - dayMs).filter(isWorkday))
    for (let count = poisson(random, workdaysLeft(day) <= 2 ? 45 : 7); count > 0; count--)
      rows.push([
        `R${String(rows.length + 40_001)}`,
        `C${random.between(10_000, 10_400)}`,
        dateText(day),
        money(heavyTailed(random, 480, 1)),
        weighted(random, { open: 10, paid: 90 }),
      ]);
  const columns = columnsOf({
    invoice_no: "text",
    customer_no: "text",
    issued_on: "date",
    amount: "decimal",
    status: "text",
  });
  return { name: "invoices", columns, rows, loads: { column: "issued_on", period: "day" } };
}

function newslettersOf(random: Random): CorpusTable {
  const rows: Row[] = [];
  for (const day of daysFrom("2023-06-01", today).filter((each) => weekdayOf(each) === 4))
    for (const segment of ["all", "loyal", "new", "dormant"])
      rows.push([
        String(rows.length + 1),
        timeText(day + 9 * hourMs + random.between(0, 1800) * 1000),
        segment,
        String(Math.round(heavyTailed(random, 5200, 0.4))),
        String(Math.round(heavyTailed(random, 900, 0.5))),
      ]);
  const columns = columnsOf({
    send_id: "integer",
    sent_at: "time",
    segment: "text",
    recipients: "integer",
    opened: "integer",
  });
  return {
    name: "newsletters",
    columns,
    rows,
    loads: { column: "sent_at", period: "week", areAtOnce: true, areAlike: true },
  };
}

/** Too few to say of any day that they are missing. */
function ticketsOf(random: Random): CorpusTable {
  const rows: Row[] = [];
  for (const day of daysFrom("2024-05-01", today - dayMs))
    for (const at of momentsOf(random, day, poisson(random, isWorkday(day) ? 3.2 : 0.4), [7, 21]))
      rows.push([
        String(rows.length + 7001),
        timeText(at),
        weighted(random, { delivery: 50, payment: 20, product: 25, other: 5 }),
        weighted(random, { low: 60, normal: 35, urgent: 5 }),
      ]);
  const columns = columnsOf({ ticket_id: "integer", created_at: "time", topic: "text", priority: "text" });
  return { name: "support_tickets", columns, rows };
}

/** Nobody has become one for months. */
function suppliersOf(random: Random): CorpusTable {
  const rows = Array.from(
    { length: 130 },
    (_, index): Row => [
      String(index + 1),
      `${letters(random, 1)}${letters(random, 3).toLowerCase()} ${random.pick(["Trading", "Foods", "Paper", "Tools"])}`,
      random.pick(["DE", "FR", "IT", "PL"]),
      timeText(Date.parse("2021-01-10") + ((index + random.next()) / 130) * 1600 * dayMs),
    ],
  );
  return {
    name: "suppliers",
    columns: columnsOf({ id: "integer key", name: "text", country: "text", created_at: "time" }),
    rows,
  };
}

/** A table for each year; the last one goes on. */
function returnsOf(random: Random, year: number): CorpusTable {
  const rows: Row[] = [];
  for (const day of daysFrom(`${year}-01-02`, Math.min(today - dayMs, Date.parse(`${year}-12-31`))))
    for (let count = poisson(random, isWeekend(day) ? 1 : 6); count > 0; count--)
      rows.push([
        `${year}-${String(rows.length + 1).padStart(5, "0")}`,
        String(random.between(310_000, 330_000)),
        dateText(day),
        weighted(random, { size: 50, damage: 20, regret: 30 }),
      ]);
  return {
    name: `returns_${year}`,
    columns: columnsOf({ return_no: "text", order_ref: "integer", received_on: "date", cause: "text" }),
    rows,
  };
}

/** A campaign that was over in spring. */
function clicksOf(random: Random): CorpusTable {
  const rows: Row[] = [];
  for (const day of daysFrom("2025-03-01", Date.parse("2025-05-10")))
    for (const at of momentsOf(random, day, poisson(random, 24)))
      rows.push([
        String(rows.length + 1),
        timeText(at),
        weighted(random, { banner: 60, mail: 40 }),
        String(random.between(1, 6)),
      ]);
  return {
    name: "spring_clicks",
    columns: columnsOf({ click_id: "integer", created_at: "time", medium: "text", slot: "integer" }),
    rows,
  };
}
