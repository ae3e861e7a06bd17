import { Random } from "../../../faults/random.ts";
import { type CorpusDatabase, type CorpusTable, columnsOf, type Row } from "../corpus.ts";
import {
  cents,
  dateText,
  dayMs,
  heavyTailed,
  letters,
  maybe,
  money,
  mostlyFirst,
  timeText,
  weighted,
} from "../draw.ts";
import { hourMs } from "./calendar.ts";
import { iban } from "./codes.ts";
import { firstName, lastName, plain, sentence } from "./names.ts";
import { phone, placesOf } from "./places.ts";

const now = Date.parse("2025-07-03T10:00:00Z");

/** Donors and their gifts: round sums, some very large ones, and now and then one that was paid back. */
export function charity(seed: number): CorpusDatabase {
  const random = new Random(seed * 67 + 3);
  const donors = donorsOf(random);
  const campaigns = campaignsOf(random);
  return {
    name: "charity",
    now,
    tables: [
      donors,
      campaigns,
      giftsOf(random, donors.rows, campaigns.rows),
      pledgesOf(random, donors.rows),
      statementsOf(random),
      volunteersOf(random),
    ],
  };
}

/** Households share an address, and some wish to remain unknown. */
function donorsOf(random: Random): CorpusTable {
  const places = placesOf(random, 90);
  const rows: Row[] = [];
  while (rows.length < 2200) {
    const { country, city, codes } = mostlyFirst(random, places, 1.4);
    const street = `${lastName(random)} ${random.pick(["Street", "Road", "Lane", "Square"])} ${random.between(1, 140)}`;
    const code = random.pick(codes);
    const [family, isAnonymous] = [lastName(random), random.chance(0.015)];
    for (let person = random.chance(0.12) ? 2 : 1; person > 0; person--) {
      const first = firstName(random);
      rows.push([
        `D${String(10_000 + rows.length * 3)}`,
        weighted(random, { person: 93, company: 6, foundation: 1 }),
        weighted(random, { Ms: 48, Mr: 45, Dr: 6, Prof: 1 }),
        isAnonymous ? null : first,
        isAnonymous ? "Anonymous" : family,
        isAnonymous ? null : street,
        isAnonymous ? null : code,
        isAnonymous ? null : city,
        country,
        maybe(random, 0.55, () => `${plain(first)}.${plain(family)}${rows.length}@mail.example`),
        maybe(random, 0.3, () => phone(random, country)),
        maybe(random, 0.4, () => iban(random, random.pick(["DE", "AT", "NL"]))),
        weighted(random, { letter: 60, mail: 35, none: 5 }),
        timeText(Date.parse("2012-01-01") + (rows.length / 2200) * 4900 * dayMs + random.next() * dayMs),
      ]);
    }
  }
  const columns = columnsOf({
    donor_no: "text",
    kind: "text",
    title: "text",
    first_name: "text",
    last_name: "text",
    street: "text",
    postal_code: "text",
    city: "text",
    country: "text",
    email: "text",
    phone: "text",
    iban: "text",
    contact_by: "text",
    entered_at: "time",
  });
  return { name: "donors", columns, rows };
}

function campaignsOf(random: Random): CorpusTable {
  const rows = Array.from({ length: 64 }, (_, index): Row => {
    const begins = Date.parse("2015-02-01") + index * 61 * dayMs;
    return [
      String(index + 1),
      `${random.pick(["Spring", "Winter", "School", "Water", "Night", "Flood"])} appeal ${new Date(begins).getUTCFullYear()}/${index + 1}`,
      dateText(begins),
      index > 60 ? null : dateText(begins + random.between(20, 120) * dayMs),
      String(random.between(5, 120) * 1000),
    ];
  });
  const columns = columnsOf({
    id: "integer key",
    name: "text",
    begins_on: "date",
    ends_on: "date",
    goal: "integer",
  });
  return { name: "campaigns", columns, rows };
}

function giftsOf(random: Random, donors: readonly Row[], campaigns: readonly Row[]): CorpusTable {
  const round = [10, 20, 25, 30, 50, 50, 50, 100, 100, 200, 500];
  const rows = Array.from({ length: 7200 }, (_, index): Row => {
    const at = Date.parse("2019-01-02") + (index / 7200) ** 0.9 * (now - Date.parse("2019-01-02"));
    const donor = mostlyFirst(random, donors, 1.3);
    const isBack = random.chance(0.003);
    const gross = random.chance(0.9) ? random.pick(round) : cents(heavyTailed(random, 80, 1.7) + 1);
    const fee = random.chance(0.4) ? cents(gross * 0.019 + 0.3) : 0;
    return [
      String(index + 1),
      donor[0] ?? null,
      maybe(random, 0.7, () => mostlyFirst(random, campaigns, 1)[0] ?? ""),
      dateText(at),
      money(isBack ? -gross : gross),
      money(isBack ? 0 : fee),
      money(isBack ? -gross : cents(gross - fee)),
      fee > 0
        ? weighted(random, { card: 70, wallet: 30 })
        : weighted(random, { transfer: 70, debit: 25, cash: 4, cheque: 1 }),
      maybe(random, 0.82, () => `R-${String(100_000 + index * 2)}`),
      maybe(random, 0.06, () => sentence(random, random.between(2, 9))),
    ];
  });
  const columns = columnsOf({
    id: "integer key",
    donor_no: "text in donors.donor_no",
    campaign_id: "integer in campaigns.id",
    given_on: "date",
    amount: "decimal",
    fee: "decimal",
    net: "decimal",
    paid_by: "text",
    receipt_no: "text",
    remark: "text",
  });
  return { name: "gifts", columns, rows };
}

/** What was promised, until next year. */
function pledgesOf(random: Random, donors: readonly Row[]): CorpusTable {
  const rows: Row[] = [];
  for (const donor of donors.filter((_, index) => index % 11 === 0)) {
    const amount = random.pick([5, 8, 10, 15, 25]);
    const from = random.between(0, 30);
    for (let month = from; month < from + random.between(6, 18); month++) {
      const due = Date.UTC(2023, month, 1);
      rows.push([
        String(rows.length + 1),
        donor[0] ?? null,
        dateText(due),
        money(amount),
        due > now ? "planned" : weighted(random, { received: 95, failed: 5 }),
      ]);
    }
  }
  const columns = columnsOf({
    id: "integer key",
    donor_no: "text in donors.donor_no",
    due_on: "date",
    amount: "decimal",
    status: "text",
  });
  return { name: "pledges", columns, rows };
}

/** What the bank sends each quarter. */
function statementsOf(random: Random): CorpusTable {
  const rows: Row[] = [];
  let balance = 182_000;
  for (let quarter = 0; Date.UTC(2014, quarter * 3 + 3, 1) <= now; quarter++) {
    const at = Date.UTC(2014, quarter * 3 + 3, 1) + 7 * hourMs;
    for (const account of ["operations", "reserve", "projects"]) {
      const [credit, debit] = [
        cents(heavyTailed(random, 90_000, 0.3)),
        cents(heavyTailed(random, 86_000, 0.3)),
      ];
      const opening = balance;
      balance = cents(balance + credit - debit);
      rows.push([
        `${new Date(at - dayMs).getUTCFullYear()}Q${(quarter % 4) + 1}-${letters(random, 2)}${rows.length + 10}`,
        account,
        timeText(at + rows.length * 1000),
        money(opening),
        money(credit),
        money(debit),
        money(balance),
      ]);
    }
  }
  const columns = columnsOf({
    statement_no: "text",
    account: "text",
    received_at: "time",
    opening: "decimal",
    credit: "decimal",
    debit: "decimal",
    closing: "decimal",
  });
  return { name: "bank_statements", columns, rows };
}

function volunteersOf(random: Random): CorpusTable {
  const rows = Array.from({ length: 320 }, (_, index): Row => {
    const began = Date.parse("2016-01-01") + random.next() * 3300 * dayMs;
    return [
      String(index + 1),
      `${firstName(random)} ${lastName(random)}`,
      maybe(random, 0.985, () => dateText(Date.parse("1940-01-01") + random.next() * 24_000 * dayMs)),
      dateText(began),
      maybe(random, 0.3, () => dateText(began + random.next() * (now - began))),
      String(random.between(1, 12)),
      weighted(random, { kitchen: 30, driving: 25, office: 20, events: 20, board: 5 }),
      weighted(random, { S: 12, M: 40, L: 33, XL: 12, XXL: 3 }),
    ];
  });
  const columns = columnsOf({
    id: "integer key",
    name: "text",
    born_on: "date",
    began_on: "date",
    left_on: "date",
    hours_a_week: "integer",
    group: "text",
    shirt: "text",
  });
  return { name: "volunteers", columns, rows };
}
