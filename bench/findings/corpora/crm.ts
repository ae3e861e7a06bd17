import { Random } from "../../../faults/random.ts";
import { type CorpusDatabase, type CorpusTable, columnsOf, type Row } from "../corpus.ts";
import { cents, dateText, dayMs, heavyTailed, maybe, mostlyFirst, weighted } from "../draw.ts";
import { firstName, lastName, plain } from "./names.ts";
import { phone, placesOf } from "./places.ts";

const now = Date.parse("2025-09-22T05:00:00Z");
const since = Date.parse("2018-02-01");

/**
 * An export of a CRM: ids of 18 characters, everything is text, deleted rows are still there, references lead to one of
 * several tables, and names are as salespeople write them.
 */
export function crm(seed: number): CorpusDatabase {
  const random = new Random(seed * 101 + 29);
  const users = usersOf(random);
  const accounts = accountsOf(random, users.rows);
  const contacts = contactsOf(random, accounts.rows, users.rows);
  const opportunities = opportunitiesOf(random, accounts.rows, users.rows);
  return {
    name: "crm",
    now,
    tables: [
      users,
      accounts,
      contacts,
      opportunities,
      tasksOf(random, contacts.rows, accounts.rows, opportunities.rows, users.rows),
      membersOf(random, contacts.rows),
    ],
  };
}

const signs = "ABCDEFGHIJKLMNOPQRSTUVWXYZ012345";

/** The last three characters say which of the others are capitals. */
function idOf(random: Random, prefix: string, number: number): string {
  const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  let [rest, tail] = [number * 7 + random.between(0, 6), ""];
  for (let at = 0; at < 6; at++) {
    tail = alphabet.charAt(rest % 62) + tail;
    rest = Math.floor(rest / 62);
  }
  const body = `${prefix}7Q0000${tail}`;
  const check = [0, 5, 10].map((start) => {
    const bits = [...body.slice(start, start + 5)].reduce(
      (sum, char, index) => sum + (/[A-Z]/.test(char) ? 2 ** index : 0),
      0,
    );
    return signs.charAt(bits);
  });
  return body + check.join("");
}

/** `2025-03-01T10:20:30.000Z`. */
const stamp = (moment: number) => `${new Date(moment).toISOString().slice(0, 19)}.000Z`;

function usersOf(random: Random): CorpusTable {
  const rows = Array.from({ length: 64 }, (_, index): Row => {
    const [first, last] = [firstName(random), lastName(random)];
    const isMachine = index === 1 || index === 40;
    return [
      idOf(random, "005", 1000 + index * 13),
      isMachine ? `${["Integration", "Marketing"][index === 1 ? 0 : 1]} User` : `${first} ${last}`,
      isMachine
        ? `api${index}@corp.example`
        : `${plain(first)}.${plain(last)}${index > 20 ? index : ""}@corp.example`,
      String(isMachine || random.chance(0.78)),
      isMachine ? "System" : weighted(random, { "Sales User": 70, "Sales Manager": 15, Support: 15 }),
      stamp(Date.parse("2018-01-10") + random.next() * 2600 * dayMs),
    ];
  });
  const columns = columnsOf({
    Id: "text key",
    Name: "text",
    Email: "text",
    IsActive: "text",
    UserRole: "text",
    CreatedDate: "text",
  });
  return { name: "User", columns, rows };
}

const industries = [
  "Manufacturing",
  "Retail",
  "Healthcare",
  "Technology",
  "Banking",
  "Education",
  "Energy",
  "Not For Profit",
  "Shipping",
];
const regions: Record<string, string> = {
  DE: "DACH",
  AT: "DACH",
  GB: "UKI",
  NL: "Benelux",
  PL: "CEE",
  SE: "Nordics",
  US: "NA",
  CA: "NA",
};
const currencies: Record<string, string> = { GB: "GBP", PL: "PLN", SE: "SEK", US: "USD", CA: "CAD" };

function accountsOf(random: Random, users: readonly Row[]): CorpusTable {
  const places = placesOf(random, 110);
  const rows: Row[] = [];
  for (let index = 0; index < 1500; index++) {
    const { country, city, codes } = mostlyFirst(random, places, 1.2);
    const created = since + (index / 1500) * (now - since - dayMs) + random.next() * dayMs;
    const modified = created + random.next() * (now - created);
    const isDeleted = random.chance(0.03);
    const parent = index > 50 && random.chance(0.12) ? random.pick(rows) : null;
    // A subsidiary is often called like its parent.
    const name =
      parent && random.chance(0.3)
        ? `${parent[2]}${random.pick([" Services", " International", ""])}`
        : `${lastName(random)} ${random.pick(["GmbH", "Ltd", "Ltd.", "AG", "Inc", "B.V.", "Group", "& Sons", "Sp. z o.o."])}`;
    rows.push([
      idOf(random, "001", 40_000 + index * 17),
      String(isDeleted),
      name,
      weighted(random, { Prospect: 48, Customer: 40, Partner: 7, "Former Customer": 5 }),
      parent?.[0] ?? null,
      country,
      city,
      random.chance(0.9) ? random.pick(codes) : null,
      maybe(random, 0.82, () => mostlyFirst(random, industries, 1.4)),
      maybe(random, 0.55, () => String(Math.round(heavyTailed(random, 8, 1.6)) * 1_000_000)),
      maybe(random, 0.6, () => String(Math.max(1, Math.round(heavyTailed(random, 120, 1.5))))),
      mostlyFirst(random, users, 1.2)[0] ?? null,
      maybe(random, 0.41, () => String(1_000_400 + index * 3)),
      regions[country] ?? null,
      weighted(random, { "": 62, A: 8, B: 14, C: 16 }) || null,
      stamp(created),
      stamp(modified),
      stamp(modified + random.between(0, 1) * random.between(0, 5) * 1000),
    ]);
  }
  const columns = columnsOf({
    Id: "text key",
    IsDeleted: "text",
    Name: "text",
    Type: "text",
    ParentId: "text in Account.Id",
    BillingCountryCode: "text",
    BillingCity: "text",
    BillingPostalCode: "text",
    Industry: "text",
    AnnualRevenue: "text",
    NumberOfEmployees: "text",
    OwnerId: "text in User.Id",
    SAP_Number__c: "text",
    Region__c: "text",
    Tier__c: "text",
    CreatedDate: "text",
    LastModifiedDate: "text",
    SystemModstamp: "text",
  });
  return { name: "Account", columns, rows };
}

/** Half of the fields are empty, and mail that came back leaves a date and a reason. */
function contactsOf(random: Random, accounts: readonly Row[], users: readonly Row[]): CorpusTable {
  const rows = Array.from({ length: 3400 }, (_, index): Row => {
    const account = mostlyFirst(random, accounts, 1.3);
    const [first, last] = [firstName(random), lastName(random)];
    const created = Math.max(Date.parse(account[15] ?? ""), since + (index / 3400) * (now - since));
    const isBounced = random.chance(0.06);
    const email = isBounced || random.chance(0.84);
    return [
      idOf(random, "003", 90_000 + index * 11),
      random.chance(0.02) ? "true" : "false",
      account[0] ?? null,
      maybe(random, 0.5, () => random.pick(["Mr.", "Ms.", "Dr.", "Prof."])),
      maybe(random, 0.97, () => first),
      last,
      email
        ? `${plain(first).charAt(0)}.${plain(last)}@${plain(account[2] ?? "").slice(0, 12)}.example`
        : null,
      maybe(random, 0.4, () => phone(random, account[5] ?? "DE")),
      maybe(random, 0.66, () =>
        random.pick([
          "CEO",
          "CFO",
          "Head of IT",
          "head of purchasing",
          "Einkauf",
          "VP Sales",
          "Assistant",
          "IT Manager",
          "Buyer",
          "Owner",
          "Director, Operations",
          "???",
          "Project Manager",
        ]),
      ),
      String(random.chance(0.11)),
      String(random.chance(0.04)),
      isBounced ? stamp(created + random.next() * (now - created)) : null,
      isBounced
        ? weighted(random, { "550 5.1.1 User unknown": 70, "552 Mailbox full": 20, "554 Rejected": 10 })
        : null,
      weighted(random, { Web: 30, "Trade Show": 20, Referral: 14, "Purchased List": 10, Other: 26 }),
      mostlyFirst(random, users, 1.2)[0] ?? null,
      stamp(created),
      stamp(created + random.next() * (now - created)),
    ];
  });
  const columns = columnsOf({
    Id: "text key",
    IsDeleted: "text",
    AccountId: "text in Account.Id",
    Salutation: "text",
    FirstName: "text",
    LastName: "text",
    Email: "text",
    Phone: "text",
    Title: "text",
    HasOptedOutOfEmail: "text",
    DoNotCall: "text",
    EmailBouncedDate: "text",
    EmailBouncedReason: "text",
    LeadSource: "text",
    OwnerId: "text in User.Id",
    CreatedDate: "text",
    LastModifiedDate: "text",
  });
  return { name: "Contact", columns, rows };
}

const stages = {
  Prospecting: [10, "Pipeline"],
  Qualification: [20, "Pipeline"],
  Proposal: [50, "Best Case"],
  Negotiation: [75, "Commit"],
  "Closed Won": [100, "Closed"],
  "Closed Lost": [0, "Omitted"],
} as const;

/** Who sells may overrule the usual probability, and few open ones should have been closed long ago. */
function opportunitiesOf(random: Random, accounts: readonly Row[], users: readonly Row[]): CorpusTable {
  const rows = Array.from({ length: 2900 }, (_, index): Row => {
    const account = mostlyFirst(random, accounts, 1.2);
    const created = Math.max(
      Date.parse(account[15] ?? ""),
      since + 300 * dayMs + (index / 2900) * (now - since - 300 * dayMs),
    );
    const close = created + heavyTailed(random, 70, 0.7) * dayMs;
    const isClosed = close < now && random.chance(0.93);
    const stage = isClosed
      ? weighted(random, { "Closed Won": 38, "Closed Lost": 62 })
      : weighted(random, { Prospecting: 35, Qualification: 30, Proposal: 22, Negotiation: 13 });
    const [usual, category] = stages[stage];
    const probability = !isClosed && random.chance(0.08) ? usual + random.pick([-5, 5, 10]) : usual;
    const amount = random.chance(stage === "Prospecting" ? 0.5 : 0.96)
      ? cents(Math.round(heavyTailed(random, 18_000, 1.2) / 50) * 50)
      : null;
    const date = new Date(close);
    return [
      idOf(random, "006", 300_000 + index * 19),
      account[0] ?? null,
      `${account[2]} - ${random.pick(["Renewal", "New Business", "Upsell", "Pilot", "renewal 2025", "POC"])}`,
      stage,
      String(probability),
      category,
      amount === null ? null : amount.toFixed(1),
      amount === null
        ? null
        : cents((amount * probability) / 100)
            .toFixed(2)
            .replace(/0$/, ""),
      currencies[account[5] ?? ""] ?? "EUR",
      dateText(close),
      String(date.getUTCFullYear()),
      String(Math.floor(date.getUTCMonth() / 3) + 1),
      String(isClosed),
      String(stage === "Closed Won"),
      stage === "Closed Lost"
        ? maybe(random, 0.8, () => random.pick(["Price", "Competitor", "No Decision", "Timing", "Other"]))
        : null,
      maybe(random, 0.3, () => `Q-${String(10_000 + index)}`),
      mostlyFirst(random, users, 1.2)[0] ?? null,
      stamp(created),
      stamp(Math.min(now, created + random.next() * (now - created))),
    ];
  });
  const columns = columnsOf({
    Id: "text key",
    AccountId: "text in Account.Id",
    Name: "text",
    StageName: "text",
    Probability: "text",
    ForecastCategory: "text",
    Amount: "text",
    ExpectedRevenue: "text",
    CurrencyIsoCode: "text",
    CloseDate: "text",
    FiscalYear: "text",
    FiscalQuarter: "text",
    IsClosed: "text",
    IsWon: "text",
    Loss_Reason__c: "text",
    Quote_Number__c: "text",
    OwnerId: "text in User.Id",
    CreatedDate: "text",
    LastModifiedDate: "text",
  });
  return { name: "Opportunity", columns, rows };
}

/** WhoId is a contact or, in a few, a lead that was not exported; WhatId is an account or an opportunity. */
function tasksOf(
  random: Random,
  contacts: readonly Row[],
  accounts: readonly Row[],
  opportunities: readonly Row[],
  users: readonly Row[],
): CorpusTable {
  const rows = Array.from({ length: 4200 }, (_, index): Row => {
    const created = Date.parse("2021-01-04") + (index / 4200) * 1722 * dayMs + random.next() * dayMs * 0.3;
    const isDone = random.chance(0.88);
    const subject = random.pick([
      "Call",
      "Email",
      "Send Quote",
      "Follow up",
      "RE: offer",
      "call",
      "Meeting",
      "Lunch",
      "Demo (2nd)",
    ]);
    return [
      idOf(random, "00T", 700_000 + index * 23),
      maybe(random, 0.7, () =>
        random.chance(0.08) ? idOf(random, "00Q", random.between(1, 9000)) : (random.pick(contacts)[0] ?? ""),
      ),
      maybe(random, 0.6, () => random.pick(random.chance(0.5) ? accounts : opportunities)[0] ?? ""),
      subject,
      isDone ? "Completed" : weighted(random, { "Not Started": 70, "In Progress": 20, Deferred: 10 }),
      weighted(random, { Normal: 90, High: 9, Low: 1 }),
      maybe(random, 0.8, () => dateText(created + random.between(-2, 21) * dayMs)),
      String(isDone),
      isDone ? stamp(created + heavyTailed(random, 2, 1.2) * dayMs) : null,
      subject.toLowerCase() === "call" ? maybe(random, 0.6, () => String(random.between(0, 1800))) : null,
      mostlyFirst(random, users, 1.2)[0] ?? null,
      stamp(created),
    ];
  });
  const columns = columnsOf({
    Id: "text key",
    WhoId: "text",
    WhatId: "text",
    Subject: "text",
    Status: "text",
    Priority: "text",
    ActivityDate: "text",
    IsClosed: "text",
    CompletedDateTime: "text",
    CallDurationInSeconds: "text",
    OwnerId: "text in User.Id",
    CreatedDate: "text",
  });
  return { name: "Task", columns, rows };
}

function membersOf(random: Random, contacts: readonly Row[]): CorpusTable {
  const campaigns = Array.from({ length: 24 }, (_, index) => ({
    id: idOf(random, "701", 50 + index * 31),
    name: `${2020 + Math.floor(index / 5)} ${random.pick(["Webinar", "Trade Fair", "Newsletter", "Roadshow"])} ${(index % 5) + 1}`,
    at: Date.parse("2020-02-01") + index * 85 * dayMs,
  }));
  const rows: Row[] = [];
  for (const { id, name, at } of campaigns) {
    const start = random.between(0, contacts.length - 260);
    for (const contact of contacts.slice(start, start + random.between(60, 240))) {
      const status = weighted(random, { Sent: 62, Opened: 25, Responded: 9, Unsubscribed: 4 });
      rows.push([
        idOf(random, "00v", 5000 + rows.length * 7),
        id,
        name,
        contact[0] ?? null,
        status,
        String(status === "Responded"),
        status === "Responded" ? dateText(at + random.between(1, 30) * dayMs) : null,
        stamp(at),
      ]);
    }
  }
  const columns = columnsOf({
    Id: "text key",
    CampaignId: "text",
    Campaign_Name__c: "text",
    ContactId: "text in Contact.Id",
    Status: "text",
    HasResponded: "text",
    FirstRespondedDate: "text",
    CreatedDate: "text",
  });
  return { name: "CampaignMember", columns, rows };
}
