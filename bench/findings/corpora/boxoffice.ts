import { Random } from "../../../faults/random.ts";
import { type CorpusDatabase, type CorpusTable, columnsOf, type Row } from "../corpus.ts";
import {
  cents,
  dateText,
  dayMs,
  digits,
  letters,
  maybe,
  money,
  mostlyFirst,
  timeText,
  uuid,
  weighted,
} from "../draw.ts";
import { type Customer, type Order, ordersOf, paidFor, totalOf } from "./boxoffice-orders.ts";
import {
  now,
  performancesOf,
  performanceTable,
  productionsOf,
  productionTable,
  venuesOf,
  venueTable,
} from "./boxoffice-stage.ts";
import { hourMs } from "./calendar.ts";
import { firstName, lastName, plain } from "./names.ts";

/** The system before gave customers numbers. */
const migrated = Date.parse("2023-08-14");

/**
 * A theater company in four countries: times in UTC of shows after midnight, seats that have a number or none, tickets
 * that cost nothing or what somebody could pay, customers that were forgotten as they wished, orders of nobody, refunds,
 * exchanges, and performances that were moved out of the pandemic.
 */
export function boxoffice(seed: number): CorpusDatabase {
  const random = new Random(seed * 173 + 137);
  const venues = venuesOf(random);
  const productions = productionsOf(random);
  const performances = performancesOf(random, venues, productions);
  const customers = customersOf(random);
  const orders = ordersOf(random, performances, customers);
  const vouchers = vouchersOf(random, orders);
  return {
    name: "boxoffice",
    now,
    tables: [
      venueTable(venues),
      productionTable(random, productions),
      performanceTable(random, performances),
      customerTable(random, customers),
      orderTable(orders),
      ticketTable(orders),
      paymentTable(random, orders),
      voucherTable(random, vouchers),
    ],
  };
}

function customersOf(random: Random): Customer[] {
  const taken = new Set<string>();
  const customers = Array.from({ length: 1900 }, (): Customer => {
    const [first, last] = [firstName(random), lastName(random)];
    const base = `${plain(first)}.${plain(last)}`;
    const create =
      Date.parse("2017-02-01") + Math.floor(random.next() ** 0.7 * (now - Date.parse("2017-02-01")));
    let email = `${base}@${mostlyFirst(random, ["gmail.example", "outlook.example", "icloud.example", "eircom.example", "videotron.example"], 1.6)}`;
    while (taken.has(email)) email = email.replace(/\d*@/, `${random.between(2, 999)}@`);
    taken.add(email);
    const deleted = random.chance(0.04)
      ? create + Math.floor((0.3 + random.next() * 0.7) * (now - create))
      : null;
    return {
      id: uuid(random),
      name: `${first} ${last}`,
      email,
      created: create,
      deleted,
      country: mostlyFirst(random, ["GB", "IE", "US", "CA", "FR"], 1.5),
    };
  });
  return customers.sort((a, b) => a.created - b.created);
}

function customerTable(random: Random, customers: readonly Customer[]): CorpusTable {
  let legacy = 10_400;
  const rows = customers.map(({ id, name, email, created, deleted, country }): Row => {
    legacy += random.between(1, 14);
    const isOld = created < migrated;
    const isGone = deleted !== null;
    const changed = created + Math.floor(random.next() ** 2 * (now - created));
    return [
      id,
      // What they asked us to forget is gone, the row stays for the accounts.
      isGone ? null : email,
      isGone ? null : name,
      isGone ? null : maybe(random, 0.6, () => postcode(random, country)),
      country,
      isOld ? String(legacy) : null,
      isOld && random.chance(0.5) ? null : isGone ? "false" : random.chance(0.4) ? "true" : "false",
      timeText(created),
      timeText(Math.max(deleted ?? 0, isOld ? Math.max(migrated + 7 * hourMs, changed) : changed)),
      deleted === null ? null : timeText(deleted),
    ];
  });
  const columns = columnsOf({
    customerId: "uuid key",
    email: "text",
    fullName: "text",
    postcode: "text",
    country: "text",
    legacyNumber: "integer",
    marketingConsent: "other",
    createdAt: "time",
    updatedAt: "time",
    deletedAt: "time",
  });
  return { name: "customers", columns, rows };
}

const postcode = (random: Random, country: string): string =>
  country === "GB"
    ? `${random.pick(["N", "E", "SE", "BS", "EH"])}${random.between(1, 20)} ${random.between(1, 9)}${letters(random, 2)}`
    : country === "US"
      ? `1${digits(random, 4)}`
      : country === "FR"
        ? `75${String(random.between(1, 20)).padStart(3, "0")}`
        : country === "IE"
          ? `D${String(random.between(1, 24)).padStart(2, "0")} ${letters(random, 1)}${digits(random, 3)}`
          : `H${random.between(1, 4)}${letters(random, 1)} ${random.between(1, 9)}${letters(random, 1)}${random.between(1, 9)}`;

function orderTable(orders: readonly Order[]): CorpusTable {
  const rows = orders.map((order): Row => {
    const { tickets, fee, donation } = order;
    return [
      order.no,
      order.customer?.id ?? null,
      order.channel,
      timeText(order.placed),
      order.currency,
      String(tickets.filter(({ status }) => status !== "exchanged").length),
      money(tickets.reduce((sum, ticket) => sum + paidFor(ticket), 0)),
      money(fee),
      money(donation),
      money(totalOf(order)),
      order.status,
    ];
  });
  const columns = columnsOf({
    orderNumber: "text key",
    customerId: "uuid in customers.customerId",
    channel: "text",
    placedAt: "time",
    currency: "text",
    ticketCount: "integer",
    ticketsTotal: "decimal",
    bookingFee: "decimal",
    donation: "decimal",
    total: "decimal",
    status: "text",
  });
  return { name: "orders", columns, rows, loads: { column: "placedAt", period: "week" } };
}

function ticketTable(orders: readonly Order[]): CorpusTable {
  const rows = orders.flatMap(({ no, tickets }) =>
    tickets.map(
      (ticket): Row => [
        ticket.id,
        no,
        ticket.performance.id,
        ticket.barcode,
        ticket.seat?.row ?? null,
        ticket.seat === null ? null : String(ticket.seat.number),
        ticket.type,
        money(ticket.face),
        money(ticket.discount),
        money(paidFor(ticket)),
        ticket.status,
        ticket.scanned === null ? null : timeText(ticket.scanned),
        ticket.replacedBy?.id ?? null,
      ],
    ),
  );
  const columns = columnsOf({
    ticketId: "uuid key",
    orderNumber: "text in orders.orderNumber",
    performanceId: "uuid in performances.performanceId",
    barcode: "text",
    rowLabel: "text",
    seatNumber: "integer",
    priceType: "text",
    faceValue: "decimal",
    discountAmount: "decimal",
    pricePaid: "decimal",
    status: "text",
    scannedAt: "time",
    replacedById: "uuid references tickets.ticketId",
  });
  return { name: "tickets", columns, rows, loads: { childrenOf: "orderNumber" } };
}

type Voucher = {
  code: string;
  amount: number;
  balance: number;
  currency: string;
  issued: number;
  isGift: boolean;
};

/** Each is used up step by step, or never. */
function vouchersOf(random: Random, orders: readonly Order[]): Voucher[] {
  const vouchers = Array.from({ length: 190 }, (): Voucher => {
    const amount = random.pick([20, 25, 25, 50, 50, 50, 100, 37.5]);
    const issued =
      Date.parse("2022-01-10") + Math.floor(random.next() ** 0.6 * (now - Date.parse("2022-01-10")));
    return {
      code: `${letters(random, 4)}-${letters(random, 2)}${digits(random, 2)}-${digits(random, 4)}`,
      amount,
      balance: amount,
      currency: weighted(random, { GBP: 60, EUR: 15, USD: 12, CAD: 13 }),
      issued,
      isGift: amount === 37.5 || random.chance(0.1),
    };
  });
  for (const order of orders) {
    if (
      !["web", "boxOffice"].includes(order.channel) ||
      order.status !== "paid" ||
      totalOf(order) <= 0 ||
      !random.chance(0.03)
    )
      continue;
    const voucher = vouchers.find(
      ({ currency, balance, issued }) =>
        currency === order.currency &&
        balance > 0 &&
        issued < order.placed &&
        issued > order.placed - 700 * dayMs,
    );
    if (!voucher) continue;
    order.voucher = Math.min(voucher.balance, totalOf(order));
    voucher.balance = cents(voucher.balance - order.voucher);
  }
  return vouchers.sort((a, b) => a.issued - b.issued);
}

function voucherTable(random: Random, vouchers: readonly Voucher[]): CorpusTable {
  const rows = vouchers.map(
    ({ code, amount, balance, currency, issued, isGift }): Row => [
      code,
      dateText(issued),
      // In the provinces of Canada they must not expire.
      currency === "CAD" ? null : dateText(issued + 730 * dayMs),
      money(amount),
      money(balance),
      currency,
      isGift ? "goodwill" : "sale",
      isGift
        ? random.pick(["air con broken", "seat behind pillar", "sorry for the wait", "Chaise cassée"])
        : null,
    ],
  );
  const columns = columnsOf({
    code: "text key",
    issuedOn: "date",
    expiresOn: "date",
    amount: "decimal",
    balance: "decimal",
    currency: "text",
    origin: "text",
    note: "text",
  });
  return { name: "vouchers", columns, rows };
}

/** Nothing is paid for what is free; schools pay an invoice, agents once a month. */
function paymentTable(random: Random, orders: readonly Order[]): CorpusTable {
  type Payment = {
    order: Order;
    kind: string;
    amount: number;
    method: string;
    at: number;
    ref: string | null;
    last4: string | null;
  };
  const payments: Payment[] = [];
  for (const order of orders) {
    const { channel, placed, voucher, refunded, status } = order;
    const total = totalOf(order);
    if (status === "reserved" || total === 0) continue;
    const method =
      channel === "school"
        ? "invoice"
        : channel === "agent"
          ? "settlement"
          : channel === "boxOffice"
            ? weighted(random, { card: 78, cash: 22 })
            : channel === "phone"
              ? "card"
              : weighted(random, { card: 70, applePay: 18, googlePay: 12 });
    const date = new Date(placed);
    const later =
      channel === "school"
        ? placed + random.between(6, 40) * dayMs
        : channel === "agent"
          ? Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 5, 6)
          : placed + random.between(1, 40) * 1000;
    const hasCard = ["card", "applePay", "googlePay"].includes(method);
    const last4 = hasCard ? digits(random, 4) : null;
    const ref = () => (hasCard ? `ch_${letters(random, 6).toLowerCase()}${digits(random, 8)}` : null);
    if (voucher > 0)
      payments.push({
        order,
        kind: "charge",
        amount: voucher,
        method: "voucher",
        at: placed,
        ref: null,
        last4: null,
      });
    if (total > voucher && later < now)
      payments.push({
        order,
        kind: "charge",
        amount: cents(total - voucher),
        method,
        at: later,
        ref: ref(),
        last4,
      });
    if (refunded && refunded.amount > 0 && later < now)
      payments.push({
        order,
        kind: "refund",
        amount: -refunded.amount,
        method: total > voucher ? method : "voucher",
        at: Math.max(refunded.at, later + 1000),
        ref: total > voucher ? ref() : null,
        last4: total > voucher ? last4 : null,
      });
  }
  payments.sort((a, b) => a.at - b.at);
  const rows = payments.map(
    ({ order, kind, amount, method, at, ref, last4 }): Row => [
      uuid(random),
      order.no,
      kind,
      money(amount),
      order.currency,
      method,
      timeText(at),
      ref,
      last4,
    ],
  );
  const columns = columnsOf({
    paymentId: "uuid key",
    orderNumber: "text in orders.orderNumber",
    kind: "text",
    amount: "decimal",
    currency: "text",
    method: "text",
    processedAt: "time",
    providerRef: "text",
    cardLast4: "text",
  });
  return { name: "payments", columns, rows, loads: { column: "processedAt", period: "week" } };
}
