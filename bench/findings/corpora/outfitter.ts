import { Random } from "../../../faults/random.ts";
import { type CorpusDatabase, type CorpusTable, columnsOf, type Row } from "../corpus.ts";
import {
  cents,
  dateText,
  dayMs,
  heavyTailed,
  maybe,
  money,
  normal,
  timeText,
  uuid,
  weighted,
} from "../draw.ts";
import { daysFrom, hourMs, momentsOf, poisson, weekdayOf } from "./calendar.ts";
import {
  type Campaign,
  type Customer,
  campaignOf,
  campaigns,
  campaignTable,
  customersOf,
  customerTable,
  isOn,
  now,
  productsOf,
  productTable,
  today,
} from "./outfitter-dimensions.ts";
import {
  channels,
  demandOn,
  lineTable,
  type Order,
  ordersOf,
  rateOf,
  returnTable,
} from "./outfitter-orders.ts";

/** Raw sessions are kept for six weeks. */
const sessionsFrom = "2025-10-23";

/**
 * An online shop's warehouse: dimensions by version, members for what is unknown, lines that are no products, a Black
 * Friday, ads that are billed by the click, by the day or not at all, visitors that did not agree to be counted, and
 * returns that were refunded and never came back.
 */
export function outfitter(seed: number): CorpusDatabase {
  const random = new Random(seed * 181 + 149);
  const products = productsOf(random);
  const customers = customersOf(random);
  const orders = ordersOf(random, products, customers);
  const sessions = sessionsOf(random, orders, customers);
  return {
    name: "outfitter",
    now,
    tables: [
      productTable(products),
      customerTable(customers),
      campaignTable(),
      spendTable(random),
      lineTable(orders),
      returnTable(random, orders),
      sessionTable(sessions),
      assignmentTable(random, sessions),
    ],
  };
}

/** One row for each campaign and day on which it had cost or was seen. */
function spendTable(random: Random): CorpusTable {
  const rows: Row[] = [];
  for (const day of daysFrom("2025-01-01", today - dayMs))
    for (const campaign of campaigns.filter((each) => isOn(each, day))) {
      const row = spendOn(random, campaign, day);
      if (row) rows.push(row);
    }
  const columns = columnsOf({
    spend_date: "date",
    campaign_id: "text in dim_campaign.campaign_id",
    channel: "text",
    impressions: "integer",
    clicks: "integer",
    conversions_reported: "decimal",
    cost_local: "decimal",
    currency: "text",
    cost_eur: "decimal",
    attribution_model: "text",
    loaded_at: "time",
  });
  return { name: "fact_marketing_spend", columns, rows, loads: { column: "spend_date", period: "day" } };
}

/** When the platforms count otherwise, they say so; before, all was by the last click. */
const dataDriven = Date.parse("2025-06-16");

function spendOn(random: Random, campaign: Campaign, day: number): Row | null {
  const { id, channel, currency, daily, perClick, to } = campaign;
  const isMail = channel === "email";
  const isOfSearch = channel === "paid_search" || channel === "shopping";
  // The newsletter goes out on Thursdays, in the black week every other day.
  if (isMail && !(to === null ? weekdayOf(day) === 4 : Math.floor(day / dayMs) % 2 === 0)) return null;
  const demand = Math.min(3.2, Math.sqrt(demandOn(day)) * 1.05);
  const isFixed = channel === "out_of_home" || channel === "influencer";
  // Platforms spend up to twice a day's budget, and less on another.
  const cost = isFixed ? daily : cents(daily * demand * Math.exp(normal(random) * 0.16));
  const clicks = isMail
    ? Math.round(heavyTailed(random, 1450, 0.2))
    : channel === "out_of_home"
      ? null
      : Math.round(cost / perClick / Math.exp(normal(random) * 0.1));
  // Affiliates tell what was clicked, not what was seen; on a poster nobody clicks.
  const ctr = { paid_search: 0.11, shopping: 0.012, paid_social: 0.009, email: 0.031, influencer: 0.04 }[
    channel
  ];
  const seen =
    channel === "out_of_home"
      ? 86_000
      : ctr && clicks !== null
        ? Math.round(clicks / ctr / Math.exp(normal(random) * 0.12))
        : null;
  // Clicks of machines are paid back at the start of the next month.
  const isPaidBack = new Date(day).getUTCDate() === 2 && channel === "paid_search" && random.chance(0.3);
  const costs = isPaidBack ? cents(-cost * 0.14) : cost;
  const isBare = isPaidBack || channel === "out_of_home";
  return [
    dateText(day),
    id,
    channel,
    isPaidBack ? "0" : seen === null ? null : String(seen),
    isPaidBack ? "0" : clicks === null ? null : String(clicks),
    isBare || clicks === null
      ? null
      : (clicks * 0.021 * Math.exp(normal(random) * 0.4)).toFixed(channel === "paid_social" ? 0 : 2),
    money(costs),
    currency,
    money(costs * rateOf(currency, day)),
    isBare || isMail
      ? null
      : channel === "paid_social"
        ? "7d_click_1d_view"
        : day < dataDriven || !isOfSearch
          ? "last_click"
          : "data_driven",
    // What platforms correct within three days is loaded again.
    timeText(Math.min(day + 3 * dayMs, today) + 3 * hourMs + random.between(60, 2400) * 1000),
  ];
}

type Session = {
  id: string;
  visitor: string | null;
  customer: Customer | null;
  starts: number;
  ends: number;
  landing: string;
  channel: string;
  campaign: Campaign | null;
  device: string;
  country: string;
  views: number;
  order: Order | null;
};

const landings = [
  "/",
  "/",
  "/c/tents",
  "/c/jackets",
  "/c/footwear",
  "/p/tarn-fleece",
  "/p/skar-shell-jacket",
  "/p/dome-2-tent",
  "/magazin/zwiebelprinzip-erklärt",
  "/returns",
  "/login",
  "/sale",
];

/** Most look at one page and leave: such a session ends when it begins. */
function sessionsOf(random: Random, orders: readonly Order[], customers: readonly Customer[]): Session[] {
  const sessions: Session[] = [];
  const inSite = orders.filter(({ at, source }) => at >= Date.parse(sessionsFrom) && source !== "phone");
  for (const order of inSite) {
    const seconds = Math.round(heavyTailed(random, 560, 0.6));
    sessions.push({
      id: uuid(random),
      visitor: null,
      customer: order.customer,
      starts: order.at - seconds * 1000,
      ends: order.at + random.between(2, 90) * 1000,
      landing: random.pick(landings),
      channel: order.channel,
      campaign: order.campaign,
      device: order.source === "app" ? "app" : weighted(random, { mobile: 48, desktop: 46, tablet: 6 }),
      country: order.country,
      views: 5 + Math.round(heavyTailed(random, 9, 0.5)),
      order,
    });
  }
  for (const day of daysFrom(sessionsFrom, today - dayMs))
    for (const starts of momentsOf(random, day, poisson(random, 88 * Math.sqrt(demandOn(day))), [4, 24])) {
      const country = weighted(random, { DE: 50, AT: 10, NL: 9, SE: 13, DK: 7, CH: 6, US: 2, PL: 2, FR: 1 });
      const channel = weighted(random, channels);
      const campaign = campaignOf(random, channel, country, day);
      const isBounce = random.chance(0.46);
      const able = random.chance(isBounce ? 0.02 : 0.16) ? random.pick(customers) : null;
      const customer =
        able && able.registered <= day && (able.erased === null || able.erased > day) ? able : null;
      sessions.push({
        id: uuid(random),
        visitor: null,
        customer,
        starts,
        ends: isBounce ? starts : starts + Math.round(Math.min(12_600, heavyTailed(random, 140, 1.1))) * 1000,
        landing: random.pick(landings),
        channel: campaign === null && channel !== "organic" ? "direct" : channel,
        campaign,
        device: weighted(random, { mobile: 63, desktop: 24, tablet: 4, app: 9 }),
        country: customer?.versions.at(-1)?.country ?? country,
        views: isBounce ? 1 : 1 + Math.ceil(heavyTailed(random, 3, 0.8)),
        order: null,
      });
    }
  const done = sessions.filter(({ ends }) => ends < now).sort((a, b) => a.starts - b.starts);
  return recognized(random, done);
}

/** Who agrees to it has a number from the first visit on, which ends in when that was. */
function recognized(random: Random, sessions: readonly Session[]): Session[] {
  const known = new Map<Customer, string>();
  const visitors: string[] = [];
  return sessions.map((session): Session => {
    const { customer, starts, order } = session;
    if (!random.chance(order ? 0.78 : 0.7)) return session;
    const isBack = customer === null && visitors.length > 50 && random.chance(0.3);
    const seconds = Math.floor(starts / 1000);
    const first = random.chance(0.6) ? seconds : random.between(1_690_000_000, seconds);
    const visitor =
      (customer && known.get(customer)) ??
      (isBack ? random.pick(visitors) : `${random.between(100_000_000, 2_147_483_647)}.${first}`);
    if (customer) known.set(customer, visitor);
    else if (!isBack) visitors.push(visitor);
    return { ...session, visitor };
  });
}

/** Who did not agree has no visitor; apps have no browser, and their landing page is none. */
function sessionTable(sessions: readonly Session[]): CorpusTable {
  const rows = sessions.map(
    ({
      id,
      visitor,
      customer,
      starts,
      ends,
      landing,
      channel,
      campaign,
      device,
      country,
      views,
      order,
    }): Row => [
      id,
      visitor,
      customer === null || customer.erased !== null ? null : String(customer.id),
      timeText(starts),
      timeText(ends),
      String((ends - starts) / 1000),
      device === "app" ? null : landing,
      channel,
      campaign?.id ?? null,
      device,
      country,
      String(views),
      String(views === 1),
      order?.no ?? null,
    ],
  );
  const columns = columnsOf({
    session_id: "uuid key",
    visitor_id: "text",
    customer_id: "integer in dim_customer.customer_id",
    started_at: "time",
    ended_at: "time",
    duration_s: "integer",
    landing_path: "text",
    channel: "text",
    campaign_id: "text in dim_campaign.campaign_id",
    device_class: "text",
    country_code: "text",
    page_views: "integer",
    is_bounce: "other",
    order_no: "text in fact_order_lines.order_no",
  });
  return { name: "fact_sessions", columns, rows, loads: { column: "started_at", period: "day" } };
}

type Experiment = {
  key: string;
  from: number;
  to: number;
  weights: (day: number) => Record<string, number>;
  share: number;
};

const ramp = Date.parse("2025-11-13");

/** One is careful at first and sends a tenth, one has three arms, one was stopped after two days. */
const experiments: Experiment[] = [
  {
    key: "pdp-size-advisor",
    from: Date.parse("2025-10-27"),
    to: Date.parse("2025-11-19"),
    weights: () => ({ control: 50, treatment: 50 }),
    share: 0.5,
  },
  {
    key: "checkout-express-v2",
    from: Date.parse("2025-11-06"),
    to: today,
    weights: (day): Record<string, number> =>
      day < ramp ? { control: 90, treatment: 10 } : { control: 50, treatment: 50 },
    share: 0.4,
  },
  {
    key: "free-shipping-bar",
    from: Date.parse("2025-11-10"),
    to: Date.parse("2025-12-01"),
    weights: () => ({ control: 34, bar_top: 33, bar_cart: 33 }),
    share: 0.3,
  },
  {
    key: "login-wall",
    from: Date.parse("2025-11-03"),
    to: Date.parse("2025-11-05"),
    weights: () => ({ control: 50, treatment: 50 }),
    share: 0.3,
  },
];

/** A visitor is in an experiment once, and may be in several. */
function assignmentTable(random: Random, sessions: readonly Session[]): CorpusTable {
  const rows: Row[] = [];
  const taken = new Set<string>();
  for (const { visitor, starts, views, id, device } of sessions)
    for (const { key, from, to, weights, share } of experiments) {
      const isIn = visitor !== null && starts >= from && starts < to && !taken.has(`${key} ${visitor}`);
      if (!isIn || device === "app" || !random.chance(share)) continue;
      taken.add(`${key} ${visitor}`);
      const hasSeen = views > 2;
      const assigned = starts + random.between(0, 900);
      rows.push([
        key,
        visitor,
        weighted(random, weights(starts)),
        timeText(assigned),
        id,
        // Only those count that came to the page that differs.
        hasSeen ? timeText(assigned + random.between(1, 25) * 1000) : null,
        maybe(random, 0.006, () => random.pick(["staff_ip", "bot_score"])),
      ]);
    }
  const columns = columnsOf({
    experiment_key: "text",
    visitor_id: "text",
    variant: "text",
    assigned_at: "time",
    session_id: "uuid in fact_sessions.session_id",
    exposed_at: "time",
    exclusion_reason: "text",
  });
  return { name: "experiment_assignments", columns, rows };
}
