import { Random } from "../../../faults/random.ts";
import { type CorpusDatabase, type CorpusTable, columnsOf, type Row } from "../corpus.ts";
import {
  cents,
  dateText,
  dayMs,
  heavyTailed,
  maybe,
  money,
  mostlyFirst,
  timeText,
  uuid,
  weighted,
} from "../draw.ts";
import { daysFrom, hourMs, isWeekend, poisson } from "./calendar.ts";
import { firstName, lastName, plain } from "./names.ts";

const now = Date.parse("2025-08-19T05:40:00Z");
const today = Date.parse("2025-08-19");
const seatPrices: Record<string, number> = { free: 0, team: 9, business: 19, enterprise: 34 };

type Tenant = { id: string; plan: string; seats: number; since: number; until: number | null; vat: number };

/** Many customers in one database: names are unique only within one, settings are pairs of words, and some have left. */
export function tenants(seed: number): CorpusDatabase {
  const random = new Random(seed * 41 + 11);
  const all = Array.from({ length: 240 }, (_, index): Tenant => {
    const since = Date.parse("2022-03-01") + ((index + random.next()) / 240) ** 0.8 * 1266 * dayMs;
    return {
      id: uuid(random),
      plan: weighted(random, { team: 45, business: 30, free: 20, enterprise: 5 }),
      seats: Math.max(1, Math.round(heavyTailed(random, 9, 1.1))),
      since,
      until: maybe(random, 0.14, () => since + random.next() * (now - since)),
      vat: Number(weighted(random, { "0.19": 60, "0.2": 25, "0": 15 })),
    };
  });
  return {
    name: "tenants",
    now,
    tables: [
      tenantsOf(random, all),
      ...membersOf(random, all),
      settingsOf(random, all),
      invoicesOf(all),
      usageOf(random, all),
    ],
  };
}

function tenantsOf(random: Random, all: readonly Tenant[]): CorpusTable {
  const taken = new Set<string>();
  const slugOf = () => {
    const slug = `${plain(lastName(random))}-${random.pick(["labs", "co", "group", "studio", "it", "works"])}`;
    const free = taken.has(slug) ? `${slug}-${taken.size}` : slug;
    taken.add(free);
    return free;
  };
  const rows = all.map(({ id, plan, seats, since, until }): Row => {
    const slug = slugOf();
    return [
      id,
      slug,
      plan,
      String(seats),
      weighted(random, { "eu-central-1": 70, "us-east-1": 22, "ap-southeast-2": 8 }),
      timeText(since),
      until === null ? null : timeText(until),
      // A domain of their own is for those who pay for it.
      plan === "free" || plan === "team" ? null : maybe(random, 0.7, () => `login.${slug}.example`),
    ];
  });
  const columns = columnsOf({
    id: "uuid key",
    slug: "text",
    plan: "text",
    seats: "integer",
    region: "text",
    created_at: "time",
    churned_at: "time",
    custom_domain: "text",
  });
  return { name: "tenants", columns, rows };
}

function membersOf(random: Random, all: readonly Tenant[]): CorpusTable[] {
  const [members, teams]: [Row[], Row[]] = [[], []];
  for (const { id, seats, since, until } of all) {
    const names = ["Everyone", "Sales", "Support", "Finance", "Platform"].slice(
      0,
      1 + Math.min(4, seats >> 2),
    );
    for (const name of names)
      teams.push([String(teams.length + 1), id, name, timeText(since + random.next() * dayMs)]);
    for (let seat = 0; seat < Math.min(60, seats); seat++) {
      const [first, last] = [firstName(random), lastName(random)];
      const joined = since + (seat === 0 ? 0 : random.next() * ((until ?? now) - since));
      members.push([
        uuid(random),
        id,
        `${plain(first)}.${plain(last)}${seat}@${id.slice(0, 6)}.example`,
        `${first} ${last}`,
        seat === 0 ? "owner" : weighted(random, { member: 80, admin: 15, guest: 5 }),
        timeText(joined),
        maybe(random, 0.88, () => timeText(joined + random.next() * ((until ?? now) - joined))),
        String(random.chance(0.4)),
        weighted(random, { "en-US": 50, "de-DE": 30, "fr-FR": 12, "ja-JP": 5, "pt-BR": 3 }),
      ]);
    }
  }
  return [
    {
      name: "members",
      columns: columnsOf({
        id: "uuid key",
        tenant_id: "uuid in tenants.id",
        email: "text",
        display_name: "text",
        role: "text",
        joined_at: "time",
        last_seen_at: "time",
        has_mfa: "other",
        locale: "text",
      }),
      rows: members,
    },
    {
      name: "teams",
      columns: columnsOf({
        id: "integer key",
        tenant_id: "uuid in tenants.id",
        name: "text",
        created_at: "time",
      }),
      rows: teams,
    },
  ];
}

/** Of each sort of setting the values are alike; together they are numbers, words, addresses, and flags. */
function settingsOf(random: Random, all: readonly Tenant[]): CorpusTable {
  const sorts: Record<string, () => string> = {
    "session.minutes": () => random.pick(["15", "30", "60", "480"]),
    "mail.footer": () => random.pick(["Kind regards", "Sent by our robot", "–"]),
    "sso.enabled": () => String(random.chance(0.2)),
    "webhook.url": () => `https://hooks.example/${uuid(random).slice(0, 8)}`,
    "theme.color": () => `#${uuid(random).slice(0, 6)}`,
    "retention.days": () => random.pick(["30", "90", "365", "unlimited"]),
  };
  const rows: Row[] = [];
  for (const { id, since } of all)
    for (const [key, value] of Object.entries(sorts))
      if (random.chance(0.55)) rows.push([id, key, value(), timeText(since + random.next() * (now - since))]);
  const columns = columnsOf({
    tenant_id: "uuid in tenants.id",
    key: "text",
    value: "text",
    updated_at: "time",
  });
  return { name: "tenant_settings", columns, rows };
}

/** On the first of each month for all who pay. */
function invoicesOf(all: readonly Tenant[]): CorpusTable {
  const rows: Row[] = [];
  for (let month = 3; Date.UTC(2022, month, 1) < now; month++) {
    const issued = Date.UTC(2022, month, 1);
    for (const { id, plan, seats, since, until, vat } of all) {
      if (plan === "free" || since > issued || (until !== null && until < issued)) continue;
      const net = cents(seats * (seatPrices[plan] ?? 0));
      const tax = cents(net * vat);
      const number = `${new Date(issued).getUTCFullYear()}-${String(rows.length + 1).padStart(6, "0")}`;
      rows.push([
        number,
        id,
        dateText(issued),
        timeText(issued + 3 * hourMs + rows.length * 137),
        String(seats),
        money(net),
        money(tax),
        money(cents(net + tax)),
        issued < now - 30 * dayMs ? "paid" : "open",
      ]);
    }
  }
  const columns = columnsOf({
    invoice_no: "text",
    tenant_id: "uuid in tenants.id",
    issued_on: "date",
    created_at: "time",
    seats: "integer",
    net: "decimal",
    tax: "decimal",
    gross: "decimal",
    status: "text",
  });
  return {
    name: "invoices",
    columns,
    rows,
    loads: { column: "created_at", period: "month", areAtOnce: true },
  };
}

/** Counted each night; customers that did nothing have no row. */
function usageOf(random: Random, all: readonly Tenant[]): CorpusTable {
  const rows: Row[] = [];
  const habits = all.map(({ seats }) => heavyTailed(random, seats * 12, 0.8));
  for (const day of daysFrom("2025-03-01", today - dayMs))
    for (const [index, { id, since, until }] of all.slice(0, 60).entries()) {
      if (since > day || (until !== null && until < day)) continue;
      const calls = poisson(random, (habits[index] ?? 0) * (isWeekend(day) ? 0.15 : 1));
      if (calls === 0) continue;
      rows.push([
        dateText(day),
        id,
        String(calls),
        String(poisson(random, calls * 0.004)),
        (calls * (0.02 + random.next() * 0.01)).toFixed(3),
        mostlyFirst(random, ["v3", "v2", "v1"], 2.2),
      ]);
    }
  const columns = columnsOf({
    day: "date",
    tenant_id: "uuid in tenants.id",
    calls: "integer",
    errors: "integer",
    gb_out: "decimal",
    api: "text",
  });
  return { name: "daily_usage", columns, rows, loads: { column: "day", period: "day", areAtOnce: true } };
}
