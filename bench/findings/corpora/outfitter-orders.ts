import type { Random } from "../../../faults/random.ts";
import { type CorpusTable, columnsOf, type Row } from "../corpus.ts";
import {
  cents,
  dateText,
  dayMs,
  digits,
  heavyTailed,
  money,
  mostlyFirst,
  timeText,
  weighted,
} from "../draw.ts";
import { daysFrom, hourMs, isWorkday, momentsOf, poisson, season, weekdayOf } from "./calendar.ts";
import {
  type Campaign,
  type Customer,
  campaignOf,
  now,
  type Product,
  today,
} from "./outfitter-dimensions.ts";

/** What was ordered, line by line, and what came back. */

export const channels = {
  direct: 24,
  organic: 27,
  paid_search: 15,
  shopping: 13,
  email: 9,
  paid_social: 7,
  affiliate: 4,
  influencer: 1,
};

export type Line = {
  order: Order;
  no: number;
  kind: "product" | "gift" | "shipping" | "surcharge";
  product: Product | null;
  quantity: number;
  unit: number;
  discount: number;
  taxRate: number;
};

export type Order = {
  no: string;
  at: number;
  customer: Customer | null;
  customerSk: number;
  country: string;
  currency: string;
  rate: number;
  channel: string;
  campaign: Campaign | null;
  coupon: string | null;
  lines: Line[];
  isCanceled: boolean;
  source: "web" | "app" | "phone";
};

const taxes: Record<string, number> = { DE: 0.19, AT: 0.2, NL: 0.21, SE: 0.25, DK: 0.25, CH: 0.081 };
export const currencies: Record<string, string> = { SE: "SEK", DK: "DKK", CH: "CHF" };

/** Fixed for a month; the Danish krone is tied to the euro. */
export const rateOf = (currency: string, day: number): number => {
  const month = new Date(day).getUTCMonth();
  return currency === "SEK"
    ? ([0.0871, 0.0889, 0.0913, 0.0909, 0.0918, 0.0909, 0.0893, 0.0895, 0.0908, 0.0911, 0.091, 0.0912][
        month
      ] ?? 0.09)
    : currency === "CHF"
      ? ([1.0629, 1.0628, 1.0464, 1.0674, 1.0682, 1.0663, 1.0706, 1.0652, 1.0696, 1.0762, 1.0757, 1.0714][
          month
        ] ?? 1.07)
      : currency === "DKK"
        ? 0.134
        : 1;
};

/** In kronor, prices end in 9; in Switzerland, the number stays. */
const localPrice = (price: number, currency: string): number =>
  currency === "SEK" || currency === "DKK"
    ? Math.ceil((price * (currency === "SEK" ? 11.6 : 7.6)) / 10) * 10 - 1
    : price;

const blackWeek = (day: number): number => {
  const text = dateText(day);
  if (text === "2025-11-28") return 6.5;
  if (text === "2025-12-01") return 3.4;
  return text >= "2025-11-21" && text <= "2025-12-01" ? 2.3 : 1;
};

/** How much is bought on a day. */
export const demandOn = (day: number): number =>
  blackWeek(day) * season(day, -0.12) * ([1.2, 1.1, 1, 0.95, 0.95, 0.85, 0.95][weekdayOf(day)] ?? 1);

export function ordersOf(
  random: Random,
  products: readonly Product[],
  customers: readonly Customer[],
): Order[] {
  const orders: Order[] = [];
  let number = 1_204_511;
  for (const day of daysFrom("2025-03-03", today - dayMs)) {
    const onSale = products.filter(({ from, to }) => from <= day && to > day);
    const byName = [...Map.groupBy(onSale, ({ name }) => name).values()];
    // Small things sell best.
    byName.sort((a, b) => (a[0]?.price ?? 0) - (b[0]?.price ?? 0));
    const able = customers.filter(
      ({ registered, erased }) => registered <= day && (erased === null || erased > day),
    );
    for (const at of momentsOf(random, day, poisson(random, 8.4 * demandOn(day)), [5, 24])) {
      const isGuest = random.chance(0.24);
      const customer = isGuest ? null : mostlyFirst(random, able.toReversed(), 1.3);
      const version = customer?.versions.findLast(({ from }) => from <= day);
      if (customer && !version) continue;
      const country = version?.country ?? weighted(random, { DE: 55, AT: 12, NL: 9, SE: 13, DK: 6, CH: 5 });
      const source = weighted(random, { web: 74, app: 24, phone: 2 });
      const isDirect = customer?.kind === "employee" || source === "phone";
      const channel = isDirect ? "direct" : weighted(random, channels);
      const campaign = campaignOf(random, channel, country, day);
      number += random.between(1, 3);
      const currency = currencies[country] ?? "EUR";
      const order: Order = {
        no: `${country}${number}`,
        at,
        customer,
        customerSk: version?.sk ?? -1,
        country,
        currency,
        rate: rateOf(currency, day),
        // What no campaign paid for came by itself.
        channel: campaign === null && channel !== "organic" ? "direct" : channel,
        campaign,
        coupon: couponOf(random, customer, day),
        lines: [],
        isCanceled: random.chance(0.018),
        source,
      };
      fill(random, order, byName);
      orders.push(order);
    }
  }
  return orders;
}

function couponOf(random: Random, customer: Customer | null, day: number): string | null {
  if (customer?.kind === "employee") return "STAFF40";
  if (blackWeek(day) > 1) return random.chance(0.7) ? "BLACK20" : null;
  if (customer && customer.registered > day - 20 * dayMs && random.chance(0.5)) return "HEJ10";
  // Those that the service sends out are for one person.
  return random.chance(0.015) ? `SORRY-${digits(random, 5)}` : null;
}

const shares: Record<string, number> = { STAFF40: 0.4, BLACK20: 0.2, HEJ10: 0.1 };

function fill(random: Random, order: Order, byName: readonly Product[][]): void {
  const { customer, currency, country, coupon, lines } = order;
  const share = coupon === null ? 0 : (shares[coupon] ?? 0.15);
  // Firms abroad pay the tax at home.
  const taxRate = customer?.kind === "business" && country !== "DE" ? 0 : (taxes[country] ?? 0.19);
  const add = (
    kind: Line["kind"],
    product: Product | null,
    quantity: number,
    unit: number,
    discount: number,
  ) =>
    lines.push({
      order,
      no: lines.length + 1,
      kind,
      product,
      quantity,
      unit,
      discount,
      taxRate: product?.category === "Gift cards" ? 0 : taxRate,
    });
  const count = Math.min(14, Math.max(1, Math.round(heavyTailed(random, 1.6, 0.6))));
  for (let line = 0; line < count; line++) {
    const product = random.pick(mostlyFirst(random, byName, 1.25));
    const isCard = product.category === "Gift cards";
    if (isCard && currency !== "EUR") continue;
    const quantity = customer?.isBig
      ? Math.max(4, Math.round(heavyTailed(random, 22, 0.7)))
      : product.price < 30 && random.chance(0.3)
        ? random.between(2, 5)
        : random.chance(0.03)
          ? 2
          : 1;
    const unit = isCard ? product.price : localPrice(product.price, currency);
    add("product", product, quantity, unit, isCard ? 0 : cents(unit * quantity * share));
  }
  if (lines.length === 0) {
    const map = byName.find((each) => each[0]?.category === "Books & maps")?.[0];
    if (map) add("product", map, 1, localPrice(map.price, currency), 0);
  }
  const total = lines.reduce((sum, { quantity, unit, discount }) => sum + quantity * unit - discount, 0);
  // For a while, a spork came with what was large.
  const spork = byName.find((each) => each[0]?.name === "Titanium Spork")?.[0];
  const isSummer = dateText(order.at) >= "2025-06-02" && dateText(order.at) < "2025-07-14";
  if (spork && isSummer && total * order.rate > 200) add("gift", spork, 1, 0, 0);
  const isOnlyCards = lines.every(({ product }) => product?.category === "Gift cards");
  if (total * order.rate < 75 && !isOnlyCards)
    add(
      "shipping",
      null,
      1,
      currency === "SEK" ? 59 : currency === "DKK" ? 39 : country === "CH" ? 9.9 : 4.9,
      0,
    );
  if (country === "CH") add("surcharge", null, 1, 2.5, 0);
}

export const grossOf = ({ quantity, unit, discount }: Line): number => cents(quantity * unit - discount);

/** An order that was canceled before it was sent keeps its lines. */
export function lineTable(orders: readonly Order[]): CorpusTable {
  const rows = orders.flatMap((order) =>
    order.lines.map((line): Row => {
      const gross = grossOf(line);
      const net = cents(gross / (1 + line.taxRate));
      return [
        order.no,
        String(line.no),
        line.kind,
        timeText(order.at),
        String(order.customerSk),
        String(line.product?.sk ?? -2),
        order.channel,
        order.campaign?.id ?? null,
        line.kind === "product" ? order.coupon : null,
        order.source,
        String(line.quantity),
        money(line.unit),
        money(line.discount),
        money(gross),
        line.taxRate.toFixed(3),
        money(net),
        money(cents(gross - net)),
        order.currency,
        order.rate.toFixed(4),
        money(gross * order.rate),
        order.isCanceled ? "canceled" : order.at > now - 30 * hourMs ? "open" : "shipped",
      ];
    }),
  );
  const columns = columnsOf({
    order_no: "text",
    line_no: "integer",
    line_kind: "text",
    ordered_at: "time",
    customer_sk: "integer in dim_customer.customer_sk",
    product_sk: "integer in dim_product.product_sk",
    channel: "text",
    campaign_id: "text in dim_campaign.campaign_id",
    coupon_code: "text",
    source: "text",
    quantity: "integer",
    unit_price: "decimal",
    discount_amount: "decimal",
    gross_amount: "decimal",
    tax_rate: "decimal",
    net_amount: "decimal",
    tax_amount: "decimal",
    currency: "text",
    fx_rate_eur: "decimal",
    gross_amount_eur: "decimal",
    line_status: "text",
  });
  return { name: "fact_order_lines", columns, rows, loads: { column: "ordered_at", period: "day" } };
}

const returnRates: Record<string, number> = {
  Footwear: 0.38,
  Pants: 0.34,
  Jackets: 0.3,
  Fleece: 0.2,
  "Base layers": 0.12,
};
const nextWorkday = (moment: number): number => {
  let at = moment;
  while (!isWorkday(Math.floor(at / dayMs) * dayMs)) at += dayMs;
  return at;
};

/** What is broken and cheap may be kept: it is refunded and never arrives. Who sends back an empty slip has no reason. */
export function returnTable(random: Random, orders: readonly Order[]): CorpusTable {
  type Return = {
    line: Line;
    announced: number;
    received: number | null;
    refunded: number | null;
    quantity: number;
    reason: string | null;
    isKept: boolean;
  };
  const returns: Return[] = [];
  for (const order of orders)
    for (const line of order.lines) {
      const { product } = line;
      if (!product || line.kind !== "product" || order.isCanceled || product.category === "Gift cards")
        continue;
      if (!random.chance(returnRates[product.category] ?? 0.05)) continue;
      const announced = order.at + heavyTailed(random, 9, 0.7) * dayMs + 2 * dayMs;
      if (announced >= today) continue;
      const isKept = product.price < 30 && random.chance(0.5);
      const arrives = nextWorkday(announced + Math.max(1, heavyTailed(random, 6, 0.5)) * dayMs);
      // The warehouse opens parcels by day.
      const received = Math.floor(arrives / dayMs) * dayMs + random.between(6 * 60, 15 * 60) * 60_000;
      const refunded = nextWorkday((isKept ? announced : received) + random.between(2, 90) * hourMs);
      const fits: Record<string, number> =
        product.size !== null
          ? { too_small: 34, too_large: 26, not_as_described: 10, changed_mind: 22, defect: 8 }
          : { changed_mind: 45, defect: 35, not_as_described: 14, wrong_item: 6 };
      returns.push({
        line,
        announced,
        received: isKept || received >= today ? null : received,
        refunded: refunded >= today || (!isKept && received >= today) ? null : refunded,
        quantity: line.quantity > 4 && random.chance(0.8) ? random.between(1, 3) : line.quantity,
        reason: isKept ? "defect" : random.chance(0.07) ? null : weighted(random, fits),
        isKept,
      });
    }
  returns.sort((a, b) => a.announced - b.announced);
  const rows = returns.map(
    ({ line, announced, received, refunded, quantity, reason, isKept }, index): Row => {
      const share = quantity === line.quantity ? 1 : quantity / line.quantity;
      const amount = cents(grossOf(line) * share);
      return [
        `R${String(310_000 + index * 3 + (index % 7))}`,
        line.order.no,
        String(line.no),
        String(line.product?.sk ?? -2),
        timeText(announced),
        received === null ? null : timeText(received),
        refunded === null ? null : timeText(refunded),
        String(quantity),
        reason,
        received === null ? null : reason === "defect" ? "C" : weighted(random, { A: 86, B: 12, C: 2 }),
        refunded === null ? null : money(amount),
        line.order.currency,
        refunded === null ? "open" : isKept ? "kept" : "closed",
      ];
    },
  );
  const columns = columnsOf({
    return_no: "text key",
    order_no: "text in fact_order_lines.order_no",
    line_no: "integer",
    product_sk: "integer in dim_product.product_sk",
    announced_at: "time",
    received_at: "time",
    refunded_at: "time",
    quantity: "integer",
    reason_code: "text",
    condition_grade: "text",
    refund_amount: "decimal",
    currency: "text",
    return_status: "text",
  });
  return { name: "fact_returns", columns, rows, loads: { column: "announced_at", period: "week" } };
}
