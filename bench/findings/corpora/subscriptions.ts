import { Random } from "../../../faults/random.ts";
import { type CorpusDatabase, type CorpusTable, columnsOf, type Row } from "../corpus.ts";
import { dayMs, digits, heavyTailed, maybe, mostlyFirst, timeText, uuid, weighted } from "../draw.ts";
import { daysFrom, hourMs, isWeekend, momentsOf, poisson } from "./calendar.ts";
import { firstName, lastName, plain } from "./names.ts";

const now = Date.parse("2025-09-17T09:40:00Z");
const opened = Date.parse("2023-02-06T08:00:00Z");
/** Customers of the old product came over in one night. */
const imported = Date.parse("2023-06-12T02:00:00Z");
/** A migration touched every account of before. */
const backfilled = Date.parse("2025-04-02T03:00:00Z");

/**
 * What the application of a company that sells software stores, as an ORM leaves it: states are numbers, what is deleted
 * stays, settings are JSON, pairs of a type and an id lead to several tables, invoices have lines for a part of a month,
 * and there are accounts of its own for tests.
 */
export function subscriptions(seed: number): CorpusDatabase {
  const random = new Random(seed * 127 + 71);
  const accounts = accountsOf(random);
  const users = usersOf(random, accounts);
  const contracts = contractsOf(random, accounts);
  const invoices = invoicesOf(random, contracts);
  return {
    name: "subscriptions",
    now,
    tables: [
      planTable(),
      accountTable(random, accounts),
      userTable(random, users),
      contractTable(contracts),
      invoiceTable(invoices),
      lineTable(invoices),
      activityTable(random, users, invoices),
      flagTable(random, accounts),
    ],
  };
}

type Plan = {
  id: number;
  code: string;
  name: string;
  months: 1 | 12;
  base: number;
  seat: number;
  seats: number;
};
const plans: Plan[] = [
  { id: 1, code: "starter_monthly", name: "Starter", months: 1, base: 1900, seat: 500, seats: 3 },
  { id: 2, code: "team_monthly", name: "Team", months: 1, base: 4900, seat: 900, seats: 5 },
  { id: 3, code: "business_monthly", name: "Business", months: 1, base: 14_900, seat: 1400, seats: 10 },
  { id: 4, code: "starter_yearly", name: "Starter", months: 12, base: 19_000, seat: 5000, seats: 3 },
  { id: 5, code: "team_yearly", name: "Team", months: 12, base: 49_000, seat: 9000, seats: 5 },
  { id: 6, code: "business_yearly", name: "Business", months: 12, base: 149_000, seat: 14_000, seats: 10 },
  { id: 7, code: "legacy_flat", name: "Legacy", months: 1, base: 2900, seat: 0, seats: 999 },
  { id: 8, code: "internal", name: "Internal", months: 12, base: 0, seat: 0, seats: 999 },
];
const planOf = (id: number) => plans.find((plan) => plan.id === id) as Plan;

function planTable(): CorpusTable {
  const retired: Record<string, string> = { legacy_flat: timeText(imported) };
  const rows = plans.map(
    (plan): Row => [
      String(plan.id),
      plan.code,
      plan.name,
      plan.months === 1 ? "0" : "1",
      String(plan.base),
      String(plan.seat),
      String(plan.seats),
      retired[plan.code] ?? null,
      timeText(opened - plan.id * hourMs),
    ],
  );
  const columns = columnsOf({
    id: "integer key",
    code: "text",
    name: "text",
    interval: "integer",
    base_price_cents: "integer",
    seat_price_cents: "integer",
    seats_included: "integer",
    retired_at: "time",
    created_at: "time",
  });
  return { name: "plans", columns, rows };
}

const places = {
  US: { zones: ["America/New_York", "America/Los_Angeles", "America/Chicago", "America/Denver"], tax: 0 },
  DE: { zones: ["Europe/Berlin"], tax: 19 },
  GB: { zones: ["Europe/London"], tax: 20 },
  FR: { zones: ["Europe/Paris"], tax: 20 },
  CA: { zones: ["America/Toronto", "America/Vancouver"], tax: 0 },
  AU: { zones: ["Australia/Sydney", "Australia/Perth"], tax: 0 },
  IN: { zones: ["Asia/Kolkata"], tax: 0 },
} as const;
type Country = keyof typeof places;

type Account = {
  id: number;
  name: string;
  domain: string;
  country: Country;
  created: number;
  from: "web" | "sales" | "import" | "test";
  plan: Plan;
  people: number;
  /** When it stopped to pay, or when its trial ended without a purchase. */
  ended: number | null;
  isPaying: boolean;
  deleted: number | null;
  usersCount: number;
};

const trialMs = 14 * dayMs;

function accountsOf(random: Random): Account[] {
  const starts = [
    ...Array.from({ length: 680 }, () => opened + random.next() ** 0.8 * (now - opened)),
    ...Array.from({ length: 170 }, (_, index) => imported + index * 700),
  ].sort((a, b) => a - b);
  const names = new Set<string>();
  return starts.map((created, index) => {
    const isImported = created >= imported && created < imported + 170 * 700;
    const from = isImported ? "import" : weighted(random, { web: 83, sales: 14, test: 3 });
    const country = mostlyFirst(random, Object.keys(places) as Country[], 1.7);
    const { name, domain } = companyOf(random, names, from === "test");
    const people = Math.max(1, Math.min(55, Math.round(heavyTailed(random, from === "sales" ? 12 : 4, 0.8))));
    const isPaying = isImported || from === "sales" || (from === "web" && random.chance(0.52));
    const paidFrom = isImported ? created : created + trialMs;
    const lasts = heavyTailed(random, isImported ? 700 : 420, 0.9) * dayMs;
    const stops = isPaying ? paidFrom + 35 * dayMs + lasts : created + trialMs;
    const ended = from !== "test" && stops < now - 2 * dayMs ? stops : null;
    const leaves = (ended ?? now) + heavyTailed(random, 40, 0.6) * dayMs;
    return {
      id: 1000 + index,
      name,
      domain,
      country,
      created,
      from,
      plan: planFor(random, from, people),
      people,
      ended,
      isPaying: isPaying && paidFrom < now,
      deleted: ended !== null && leaves < now && random.chance(0.3) ? leaves : null,
      usersCount: 0,
    };
  });
}

function planFor(random: Random, from: Account["from"], people: number): Plan {
  if (from === "test") return planOf(8);
  if (from === "import" && random.chance(0.6)) return planOf(7);
  const size = people > 10 ? 3 : people > 4 ? 2 : 1;
  return planOf(random.chance(0.22) ? size + 3 : size);
}

const heads = [
  "Acorn",
  "Bright",
  "Cedar",
  "Delta",
  "Ember",
  "Fjord",
  "Granite",
  "Harbor",
  "Indigo",
  "Kite",
  "Maple",
  "Opal",
];

function companyOf(random: Random, taken: Set<string>, isTest: boolean): { name: string; domain: string } {
  for (;;) {
    const first = random.chance(0.5) ? random.pick(heads) : lastName(random);
    const base = `${first}${random.pick([" Labs", " Works", " & Sons", " Media", " Studio", " Logistics", " Dental", " Partners", " Ventures", " Foods"])}`;
    const short = isTest ? `qa${random.between(1, 400)}` : `${plain(base)}${random.between(2, 999)}`;
    const name = isTest
      ? `TEST ${short} - do not bill`
      : `${base}${random.pick(["", "", " GmbH", " Inc.", " Ltd", " LLC"])}`;
    if (taken.has(short) || taken.has(name)) continue;
    taken.add(short).add(name);
    return { name, domain: `${short}.example` };
  }
}

type User = { id: number; account: Account; created: number; isOwner: boolean; deleted: number | null };

function usersOf(random: Random, accounts: readonly Account[]): User[] {
  const users = accounts.flatMap((account) => {
    const until = account.ended ?? now;
    return Array.from({ length: account.people }, (_, index) => {
      const isFirst = index === 0 || account.from === "import";
      const created = isFirst
        ? account.created + index * 20
        : account.created + random.next() ** 2 * (until - account.created);
      const left = created + random.next() * (until - created);
      const deleted = account.deleted ?? (index > 0 && random.chance(0.09) ? left : null);
      return { id: 0, account, created, isOwner: index === 0, deleted };
    });
  });
  users.sort((a, b) => a.created - b.created);
  for (const [index, user] of users.entries()) {
    user.id = 20_001 + index;
    if (user.deleted === null) user.account.usersCount++;
  }
  return users;
}

const states = { trialing: "0", active: "1", pastDue: "2", canceled: "3", expired: "4" } as const;
const stateOf = ({ ended, isPaying, from }: Account): string => {
  if (ended !== null) return isPaying ? states.canceled : states.expired;
  return isPaying || from === "test" ? states.active : states.trialing;
};

function accountTable(random: Random, accounts: readonly Account[]): CorpusTable {
  const rows = accounts.map((account): Row => {
    const { deleted, country, created, from } = account;
    const last = account.deleted ?? account.ended ?? created + random.next() ** 0.3 * (now - created);
    return [
      String(account.id),
      uuid(random),
      deleted === null ? account.name : "[deleted]",
      deleted === null ? account.domain : null,
      country,
      random.pick(places[country].zones),
      stateOf(account),
      String(account.plan.id),
      settingsOf(random, account),
      String(account.usersCount),
      from === "import" || from === "test" ? null : timeText(created + trialMs),
      from === "test" ? "true" : "false",
      from === "import" ? `C${digits(random, 2)}${String(account.id).padStart(5, "0")}` : null,
      timeText(created),
      timeText(created < backfilled ? Math.max(last, backfilled + account.id * 10) : last),
      deleted === null ? null : timeText(deleted),
    ];
  });
  const columns = columnsOf({
    id: "integer key",
    public_id: "uuid",
    name: "text",
    domain: "text",
    country_code: "text",
    time_zone: "text",
    status: "integer",
    plan_id: "integer references plans.id",
    settings: "text",
    users_count: "integer",
    trial_ends_at: "time",
    is_test: "other",
    legacy_customer_no: "text",
    created_at: "time",
    updated_at: "time",
    deleted_at: "time",
  });
  return { name: "accounts", columns, rows };
}

/** Settings were added over the years: old accounts lack those that nobody touched since. */
const settingsOf = (random: Random, { created, from }: Account): string =>
  JSON.stringify({
    locale: random.pick(["en", "en", "en", "de", "fr"]),
    ...(created > Date.parse("2024-01-15") && { weekly_digest: random.chance(0.6) }),
    ...(random.chance(0.1) && { sso: { provider: random.pick(["okta", "azure", "google"]) } }),
    ...(from === "import" && { legacy_ui: true }),
  });

function userTable(random: Random, users: readonly User[]): CorpusTable {
  const rows = users.map(({ id, account, created, isOwner, deleted }): Row => {
    const [given, family] = [firstName(random), lastName(random)];
    const until = deleted ?? account.ended ?? now;
    const seen = maybe(random, 0.9, () => created + random.next() ** 0.25 * (until - created));
    const mail = `${plain(given)}.${plain(family)}${id % 10_000}@${account.domain}`;
    return [
      String(id),
      String(account.id),
      deleted === null ? mail : `deleted-${id}@users.invalid`,
      deleted === null ? given : null,
      deleted === null ? family : null,
      isOwner ? "0" : weighted(random, { 2: 78, 1: 15, 3: 7 }),
      seen === null ? null : timeText(seen),
      random.chance(0.35) ? "true" : "false",
      timeText(created),
      timeText(deleted ?? seen ?? created),
      deleted === null ? null : timeText(deleted),
    ];
  });
  const columns = columnsOf({
    id: "integer key",
    account_id: "integer references accounts.id",
    email: "text",
    first_name: "text",
    last_name: "text",
    role: "integer",
    last_seen_at: "time",
    otp_required: "other",
    created_at: "time",
    updated_at: "time",
    deleted_at: "time",
  });
  return { name: "users", columns, rows };
}

type Contract = {
  id: string;
  account: Account;
  plan: Plan;
  /** Before an upgrade, if there was one. */
  firstPlan: Plan;
  upgraded: number | null;
  seats: number;
  paidFrom: number;
  periodStart: number;
  periodEnd: number;
  isPastDue: boolean;
};

/** The same day of a later month, or its last day. */
function addMonths(moment: number, months: number): number {
  const date = new Date(moment);
  const first = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1);
  const length = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months + 1, 0)).getUTCDate();
  return first + (Math.min(date.getUTCDate(), length) - 1) * dayMs + (moment % dayMs);
}

/** The trial is the first period of whoever did not come from the old product. */
function contractsOf(random: Random, accounts: readonly Account[]): Contract[] {
  return accounts.map((account) => {
    const paidFrom =
      account.from === "import" || account.from === "test" ? account.created : account.created + trialMs;
    const until = account.ended ?? now;
    const wasSmaller = account.isPaying && [2, 3].includes(account.plan.id) && random.chance(0.35);
    const middle = paidFrom + (until - paidFrom) * (0.2 + random.next() * 0.6);
    let period = 0;
    while (account.isPaying && addMonths(paidFrom, (period + 1) * account.plan.months) <= until) period++;
    return {
      id: uuid(random),
      account,
      plan: account.plan,
      firstPlan: wasSmaller ? planOf(account.plan.id - 1) : account.plan,
      upgraded: wasSmaller && until - paidFrom > 70 * dayMs ? Math.floor(middle / 1000) * 1000 : null,
      seats: Math.max(account.plan.id < 7 ? account.plan.seats : 1, account.people),
      paidFrom,
      periodStart: account.isPaying ? addMonths(paidFrom, period * account.plan.months) : account.created,
      periodEnd: account.isPaying ? addMonths(paidFrom, (period + 1) * account.plan.months) : paidFrom,
      isPastDue: account.isPaying && account.ended === null && random.chance(0.03),
    };
  });
}

function contractTable(contracts: readonly Contract[]): CorpusTable {
  const rows = contracts.map((contract): Row => {
    const { account, plan } = contract;
    const isTest = account.from === "test";
    return [
      contract.id,
      String(account.id),
      String(plan.id),
      String(contract.seats),
      contract.isPastDue ? states.pastDue : stateOf(account),
      account.isPaying ? timeText(contract.paidFrom) : null,
      isTest ? null : timeText(contract.periodStart),
      isTest ? null : timeText(contract.periodEnd),
      account.isPaying && account.ended !== null ? timeText(account.ended) : null,
      timeText(account.created),
      timeText(account.ended ?? Math.max(account.created, contract.periodStart)),
    ];
  });
  const columns = columnsOf({
    id: "uuid key",
    account_id: "integer references accounts.id",
    plan_id: "integer references plans.id",
    seats: "integer",
    status: "integer",
    activated_at: "time",
    current_period_start: "time",
    current_period_end: "time",
    canceled_at: "time",
    created_at: "time",
    updated_at: "time",
  });
  return { name: "subscriptions", columns, rows };
}

type Line = { kind: string; text: string; quantity: number; price: number; from: number; to: number };
type Invoice = {
  id: number;
  number: string;
  contract: Contract;
  credits: Invoice | null;
  from: number;
  to: number;
  issued: number;
  paid: number | null;
  state: string;
  lines: Line[];
};

function invoicesOf(random: Random, contracts: readonly Contract[]): Invoice[] {
  const all = contracts
    .filter(({ account }) => account.isPaying)
    .flatMap((contract) => billsOf(random, contract));
  all.sort((a, b) => a.issued - b.issued);
  const perYear = new Map<number, number>();
  for (const [index, invoice] of all.entries()) {
    const year = new Date(invoice.issued).getUTCFullYear();
    const count = (perYear.get(year) ?? 0) + 1;
    perYear.set(year, count);
    invoice.id = index + 1;
    invoice.number = `${invoice.credits ? "CN" : "INV"}-${year}-${String(count).padStart(5, "0")}`;
  }
  return all;
}

function billsOf(random: Random, contract: Contract): Invoice[] {
  const bills: Invoice[] = [];
  const { account, paidFrom, plan } = contract;
  for (let period = 0; ; period++) {
    const from = addMonths(paidFrom, period * plan.months);
    const to = addMonths(paidFrom, (period + 1) * plan.months);
    const issued = from + random.between(60, 4000) * 1000;
    if (issued >= Math.min(now, account.ended ?? now)) return bills;
    const isLast = to > now;
    const isUnpaid = isLast && (contract.isPastDue || issued > now - 2 * dayMs);
    const isLost = account.ended !== null && to > account.ended && random.chance(0.15);
    const paid =
      isUnpaid || isLost ? null : issued + heavyTailed(random, plan.months === 12 ? 8 : 0.05, 0.8) * dayMs;
    const isPaid = paid !== null && paid < now;
    const bill: Invoice = {
      id: 0,
      number: "",
      contract,
      credits: null,
      from,
      to,
      issued,
      paid: isPaid ? paid : null,
      state: isPaid ? "2" : isLost ? "3" : "1",
      lines: linesOf(
        contract,
        from,
        to,
        period === 0 ? null : addMonths(paidFrom, (period - 1) * plan.months),
      ),
    };
    bills.push(bill);
    const credited = (paid ?? now) + heavyTailed(random, 6, 0.6) * dayMs;
    if (isPaid && credited < now && random.chance(0.012)) bills.push(creditOf(bill, credited));
  }
}

const creditOf = (bill: Invoice, issued: number): Invoice => ({
  ...bill,
  credits: bill,
  issued,
  paid: issued,
  state: "2",
  lines: bill.lines.map((line) => ({
    ...line,
    kind: "3",
    text: `Credit: ${line.text}`,
    quantity: -line.quantity,
  })),
});

/** An upgrade within the period before is charged for the days that were left of it. */
function linesOf(
  { plan, firstPlan, upgraded, seats }: Contract,
  from: number,
  to: number,
  before: number | null,
) {
  const current = upgraded !== null && from < upgraded ? firstPlan : plan;
  const lines: Line[] = [];
  if (upgraded !== null && before !== null && upgraded > before && upgraded <= from) {
    const share = (from - upgraded) / (from - before);
    const part = (sign: number, of: Plan, text: string): Line => ({
      kind: "2",
      text: `${text} ${of.name} after ${timeText(upgraded).slice(0, 10)}`,
      quantity: 1,
      price: sign * Math.round(of.base * share),
      from: upgraded,
      to: from,
    });
    lines.push(part(-1, firstPlan, "Unused time on"), part(1, plan, "Remaining time on"));
  }
  lines.push({ kind: "0", text: `${current.name} plan`, quantity: 1, price: current.base, from, to });
  const extra = seats - current.seats;
  if (extra > 0 && current.seat > 0)
    lines.push({ kind: "1", text: "Additional seats", quantity: extra, price: current.seat, from, to });
  return lines;
}

const amountOf = ({ quantity, price }: Line) => quantity * price;
/** Rounded away from 0, so that a credit note takes back what was charged. */
const taxOf = (amount: number, rate: number) =>
  Math.sign(amount) * Math.round((Math.abs(amount) * rate) / 100);

function invoiceTable(invoices: readonly Invoice[]): CorpusTable {
  const rows = invoices.map((invoice): Row => {
    const { account } = invoice.contract;
    const subtotal = invoice.lines.reduce((sum, line) => sum + amountOf(line), 0);
    const rate = places[account.country].tax;
    const tax = taxOf(subtotal, rate);
    return [
      String(invoice.id),
      invoice.number,
      String(account.id),
      invoice.contract.id,
      invoice.credits ? "1" : "0",
      invoice.credits ? String(invoice.credits.id) : null,
      invoice.state,
      timeText(invoice.from),
      timeText(invoice.to),
      String(invoice.lines.length),
      String(subtotal),
      String(rate),
      String(tax),
      String(subtotal + tax),
      timeText(invoice.issued),
      invoice.paid === null ? null : timeText(invoice.paid),
      timeText(invoice.issued),
      timeText(invoice.paid ?? invoice.issued),
    ];
  });
  const columns = columnsOf({
    id: "integer key",
    number: "text",
    account_id: "integer references accounts.id",
    subscription_id: "uuid references subscriptions.id",
    kind: "integer",
    credited_invoice_id: "integer in invoices.id",
    status: "integer",
    period_start: "time",
    period_end: "time",
    lines_count: "integer",
    subtotal_cents: "integer",
    tax_percent: "integer",
    tax_cents: "integer",
    total_cents: "integer",
    issued_at: "time",
    paid_at: "time",
    created_at: "time",
    updated_at: "time",
  });
  return { name: "invoices", columns, rows };
}

function lineTable(invoices: readonly Invoice[]): CorpusTable {
  const rows = invoices
    .flatMap((invoice) => invoice.lines.map((line) => ({ invoice, line })))
    .map(
      ({ invoice, line }, index): Row => [
        String(index + 1),
        String(invoice.id),
        line.kind,
        line.text,
        String(line.quantity),
        String(line.price),
        String(amountOf(line)),
        timeText(line.from),
        timeText(line.to),
        timeText(invoice.issued),
      ],
    );
  const columns = columnsOf({
    id: "integer key",
    invoice_id: "integer references invoices.id",
    kind: "integer",
    description: "text",
    quantity: "integer",
    unit_price_cents: "integer",
    amount_cents: "integer",
    period_start: "time",
    period_end: "time",
    created_at: "time",
  });
  return { name: "invoice_lines", columns, rows, loads: { childrenOf: "invoice_id" } };
}

/** Kept for a quarter. Jobs act, too: then there is no user. */
function activityTable(random: Random, users: readonly User[], invoices: readonly Invoice[]): CorpusTable {
  const rows: Row[] = [];
  const alive = users.filter(({ account, deleted }) => deleted === null && account.ended === null);
  const billed = new Map(invoices.map((invoice) => [invoice.contract.account.id, invoice]));
  for (const day of daysFrom("2025-06-19", now))
    for (const at of momentsOf(random, day, poisson(random, isWeekend(day) ? 14 : 62), [5, 23])) {
      const user = mostlyFirst(random, alive, 1.2);
      if (at >= now || at < user.created) continue;
      const invoice = billed.get(user.account.id);
      const type = weighted(random, { User: 55, Account: 30, Invoice: 15 });
      const subject =
        type === "Invoice" && invoice && invoice.issued < at
          ? { type, id: invoice.id, action: random.pick(["viewed", "downloaded", "downloaded", "emailed"]) }
          : type === "User"
            ? {
                type,
                id: user.id,
                action: random.pick(["signed_in", "signed_in", "signed_in", "updated", "password_changed"]),
              }
            : {
                type: "Account",
                id: user.account.id,
                action: random.pick(["updated", "settings_changed", "exported"]),
              };
      const isJob = subject.action === "emailed" || subject.action === "exported";
      rows.push([
        uuid(random),
        String(user.account.id),
        isJob ? "Job" : "User",
        isJob ? null : String(user.id),
        subject.type,
        String(subject.id),
        `${subject.type.toLowerCase()}.${subject.action}`,
        subject.action === "signed_in" ? JSON.stringify({ ip: `203.0.113.${random.between(1, 254)}` }) : "{}",
        timeText(at),
      ]);
    }
  const columns = columnsOf({
    id: "uuid key",
    account_id: "integer references accounts.id",
    actor_type: "text",
    actor_id: "integer in users.id",
    subject_type: "text",
    subject_id: "integer",
    action: "text",
    metadata: "text",
    created_at: "time",
  });
  return { name: "activities", columns, rows, loads: { column: "created_at", period: "day" } };
}

/** Turned on for some; a flag that everybody has is soon taken out of the code. */
function flagTable(random: Random, accounts: readonly Account[]): CorpusTable {
  const flags = {
    new_editor: "2024-02-12",
    sso: "2023-09-04",
    ai_summaries: "2025-06-03",
    api_v2: "2024-10-21",
  };
  const rows = Object.entries(flags).flatMap(([flag, since]) =>
    accounts
      .filter(({ from, ended }) => from === "test" || (ended === null && random.chance(0.45)))
      .map(({ id, created, from }): Row => {
        const earliest = Math.max(created, Date.parse(since));
        const at = earliest + random.next() * Math.min(3 * hourMs, now - earliest);
        const on =
          at + (from === "test" ? 0 : random.next() ** 3 * Math.min(90 * dayMs, Math.max(0, now - at)));
        return [
          String(id),
          flag,
          random.chance(0.94) ? "true" : "false",
          from === "test" ? "100" : null,
          timeText(on),
        ];
      }),
  );
  const columns = columnsOf({
    account_id: "integer references accounts.id",
    flag: "text",
    enabled: "other",
    rollout_percent: "integer",
    created_at: "time",
  });
  return { name: "feature_flags", columns, rows };
}
