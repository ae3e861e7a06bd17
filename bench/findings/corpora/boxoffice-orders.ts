import type { Random } from "../../../faults/random.ts";
import { cents, dayMs, heavyTailed, mostlyFirst, uuid, weighted } from "../draw.ts";
import { now, type Performance } from "./boxoffice-stage.ts";
import { hourMs, weekdayOf } from "./calendar.ts";
import { ean13 } from "./codes.ts";

/** Who ordered which seats, and what became of them. */

/** Orders for what was played before are in the archive. */
const ordersFrom = Date.parse("2025-06-20");
const priceRise = Date.parse("2026-01-01");

export type Customer = {
  id: string;
  name: string;
  email: string;
  created: number;
  deleted: number | null;
  country: string;
};

type Ticket = {
  id: string;
  performance: Performance;
  barcode: string | null;
  seat: { row: string; number: number } | null;
  type: string;
  face: number;
  discount: number;
  status: "valid" | "scanned" | "refunded" | "exchanged" | "reserved";
  scanned: number | null;
  replacedBy: Ticket | null;
};

export type Order = {
  no: string;
  customer: Customer | null;
  channel: "web" | "boxOffice" | "phone" | "agent" | "school";
  placed: number;
  currency: string;
  tickets: Ticket[];
  fee: number;
  donation: number;
  status: "paid" | "reserved" | "refunded" | "partiallyRefunded";
  refunded: { at: number; amount: number } | null;
  voucher: number;
};

export const paidFor = ({ face, discount }: Ticket): number => cents(face - discount);
export const totalOf = ({ tickets, fee, donation }: Order): number =>
  cents(tickets.reduce((sum, ticket) => sum + paidFor(ticket), 0) + fee + donation);

/** Rows have letters, without those that look like digits. */
const rowNames = [..."ABCDEFGHJKLM"];

export function ordersOf(
  random: Random,
  performances: readonly Performance[],
  customers: readonly Customer[],
): Order[] {
  const orders: Order[] = [];
  const free = new Map<Performance, Map<string, number>>();
  const open = performances.filter(
    ({ starts, status }) => starts >= ordersFrom + 20 * dayMs && status !== "moved",
  );
  for (const performance of open)
    free.set(performance, new Map(rowNames.slice(0, performance.venue.rows).map((row) => [row, 1])));
  for (const performance of open) {
    const { production, onSale, starts, day } = performance;
    const busy = weekdayOf(day) === 6 ? 1.25 : weekdayOf(day) === 5 ? 1.1 : 0.85;
    const wanted = Math.min(1, production.demand * busy * (0.7 + random.next() * 0.5));
    for (let left = Math.floor(onSale * wanted * 0.72); left > 0; ) {
      const channel = weighted(random, {
        web: 66,
        boxOffice: 16,
        phone: 6,
        agent: 9,
        school: production.genre === "family" ? 3 : 0.5,
      });
      const size = Math.min(
        left,
        channel === "school"
          ? random.between(16, 32)
          : Number(weighted(random, { 1: 22, 2: 54, 3: 8, 4: 11, 5: 2, 6: 3 })),
      );
      left -= size;
      const before =
        channel === "school"
          ? random.between(30, 90) * dayMs
          : channel === "boxOffice" && random.chance(0.6)
            ? random.between(2, 44) * 60_000
            : 3 * hourMs + Math.min(95, heavyTailed(random, 13, 1)) * dayMs;
      const placed = Math.floor((starts - before) / 1000) * 1000;
      if (placed >= now - hourMs || placed < ordersFrom) continue;
      // Nobody buys after it was called off.
      if (performance.status === "cancelled" && placed > starts - 6 * hourMs) continue;
      const order = orderOf(random, performance, {
        channel,
        size,
        placed,
        rows: free.get(performance) ?? new Map(),
      });
      const known = customers.filter(
        ({ created, deleted }) => created < placed && (deleted === null || deleted > placed),
      );
      const isNobody = channel === "boxOffice" ? random.chance(0.75) : channel === "agent";
      order.customer = isNobody ? null : mostlyFirst(random, known, 0.9);
      settle(random, order, open, free);
      orders.push(order);
    }
  }
  orders.sort((a, b) => a.placed - b.placed);
  const counts = { web: 120_400, boxOffice: 30_010, phone: 8100, agent: 51_000, school: 900 };
  const prefixes = { web: "W", boxOffice: "B", phone: "P", agent: "A", school: "S" };
  for (const order of orders) {
    counts[order.channel] += random.between(1, 3);
    order.no = `${prefixes[order.channel]}-${String(counts[order.channel]).padStart(6, "0")}`;
  }
  return orders;
}

type Wish = { channel: Order["channel"]; size: number; placed: number; rows: Map<string, number> };

function orderOf(random: Random, performance: Performance, { channel, size, placed, rows }: Wish): Order {
  const { venue, production, isFree, day } = performance;
  const list = venue.price + (weekdayOf(day) === 6 ? 4 : 0) + (placed >= priceRise ? 2 : 0);
  const isGuest = channel === "boxOffice" && random.chance(0.12);
  const isPress = production.first === day && channel !== "school" && random.chance(0.25);
  const places = seatsFor(random, rows, size, Math.ceil(venue.capacity / Math.max(1, venue.rows)));
  const tickets = Array.from({ length: size }, (_, index): Ticket => {
    const type =
      channel === "school"
        ? index % 10 === 0
          ? "teacher"
          : "school"
        : isPress
          ? "press"
          : isGuest
            ? "comp"
            : isFree
              ? "payWhatYouCan"
              : weighted(random, {
                  full: 66,
                  concession: 22,
                  under26: production.genre === "family" ? 0 : 12,
                  child: production.genre === "family" ? 70 : 0,
                });
    const face = type === "payWhatYouCan" ? random.pick([1, 2, 5, 5, 8, 10, 10, 12, 15, 20, 30]) : list;
    const discounts: Record<string, number> = {
      teacher: list,
      press: list,
      comp: list,
      concession: cents(list * 0.3),
      under26: list - 10,
      school: list - 9,
      child: list / 2,
    };
    const discount = discounts[type] ?? 0;
    return {
      id: uuid(random),
      performance,
      barcode: ean13(random),
      seat: places?.[index] ?? null,
      type,
      face,
      discount,
      status: "valid",
      scanned: null,
      replacedBy: null,
    };
  });
  const isPaid = tickets.some((ticket) => paidFor(ticket) > 0);
  const fee = !isPaid ? 0 : channel === "web" ? Math.min(8, size * 1.75) : channel === "phone" ? 2 : 0;
  const donation = channel === "web" && random.chance(0.06) ? random.pick([1, 2, 2, 5, 5, 10, 20, 250]) : 0;
  return {
    no: "",
    customer: null,
    channel,
    placed,
    currency: venue.currency,
    tickets,
    fee,
    donation,
    status: "paid",
    refunded: null,
    voucher: 0,
  };
}

/** Side by side, in a row that has as many left. Where there are no rows, and for a class that no row holds, no number. */
function seatsFor(random: Random, rows: Map<string, number>, size: number, width: number) {
  const able = [...rows].filter(([, next]) => next + size - 1 <= width);
  if (able.length === 0) return null;
  const [row, next] = mostlyFirst(random, able, 1.2);
  rows.set(row, next + size);
  return Array.from({ length: size }, (_, index) => ({ row, number: next + index }));
}

/** What became of it: cancelled, given back, exchanged, or used. */
function settle(
  random: Random,
  order: Order,
  open: readonly Performance[],
  free: Map<Performance, Map<string, number>>,
): void {
  const { tickets, channel, placed } = order;
  const [{ performance } = { performance: open[0] as Performance }] = tickets;
  const { starts, status } = performance;
  if (status === "cancelled") {
    for (const ticket of tickets) ticket.status = "refunded";
    order.status = "refunded";
    const at = starts - 5 * hourMs + random.between(20, 4000) * 60_000;
    order.refunded = { at: Math.min(at, now - random.between(60, 900) * 1000), amount: totalOf(order) };
    return;
  }
  if (channel === "school" && starts > now) {
    for (const ticket of tickets) Object.assign(ticket, { status: "reserved", barcode: null });
    order.status = "reserved";
    return;
  }
  const isEarly = starts - placed > 3 * dayMs && placed < now - dayMs && ["web", "phone"].includes(channel);
  if (isEarly && random.chance(0.03)) {
    const some = tickets.length > 1 && random.chance(0.5) ? tickets.slice(0, 1) : tickets;
    for (const ticket of some) ticket.status = "refunded";
    order.status = some.length < tickets.length ? "partiallyRefunded" : "refunded";
    // Fees and what was given are kept.
    const amount = cents(some.reduce((sum, ticket) => sum + paidFor(ticket), 0));
    const at = placed + Math.floor(random.next() * (Math.min(now, starts) - placed - hourMs));
    if (amount > 0) order.refunded = { at, amount };
  } else if (isEarly && random.chance(0.025)) {
    const other = open.find(
      (one) =>
        one.production === performance.production &&
        one.venue === performance.venue &&
        one.starts > starts &&
        one.status !== "cancelled",
    );
    if (other) {
      const places = seatsFor(
        random,
        free.get(other) ?? new Map(),
        tickets.length,
        Math.ceil(other.venue.capacity / Math.max(1, other.venue.rows)),
      );
      for (const [index, ticket] of [...tickets].entries()) {
        const next: Ticket = {
          ...ticket,
          id: uuid(random),
          performance: other,
          barcode: ean13(random),
          seat: places?.[index] ?? null,
          type: "exchange",
          face: 0,
          discount: 0,
        };
        Object.assign(ticket, { status: "exchanged", replacedBy: next });
        tickets.push(next);
      }
    }
  }
  for (const ticket of tickets) {
    if (ticket.status !== "valid" || ticket.performance.status !== "played" || !random.chance(0.91)) continue;
    const from = ticket.performance.starts;
    ticket.status = "scanned";
    // Most come in the last minutes, some after it has begun.
    ticket.scanned = Math.max(
      placed + 60_000,
      from +
        Math.round(-29 * random.next() ** 0.8 + (random.chance(0.04) ? 30 * random.next() : 0)) * 60_000 +
        random.between(0, 59) * 1000,
    );
  }
}
