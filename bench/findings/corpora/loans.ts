import { Random } from "../../../faults/random.ts";
import { type CorpusDatabase, type CorpusTable, columnsOf, type Row } from "../corpus.ts";
import {
  cents,
  dateText,
  dayMs,
  digits,
  heavyTailed,
  letters,
  maybe,
  money,
  mostlyFirst,
  some,
  weighted,
} from "../draw.ts";
import { iban } from "./codes.ts";
import { type Loan, loansOf, type Posting } from "./loans-accounts.ts";
import { type Customer, customersOf, customerTable, hostTime } from "./loans-parties.ts";
import {
  branchesOf,
  branchTable,
  indexOf,
  indexTable,
  monthsLater,
  nextWorkday,
  now,
  productTable,
  today,
  yearOf,
} from "./loans-rates.ts";

/**
 * A regional bank's loans on its host: dates are texts, rates were below zero for years, loans in francs that pay
 * nothing back until the end, a bank that was taken over, months that were paused, debits that come back, lines on which
 * there is more than was owed, and securities that are worth one euro.
 */
export function loans(seed: number): CorpusDatabase {
  const random = new Random(seed * 167 + 131);
  const branches = branchesOf(random);
  const customers = customersOf(random, branches);
  const all = loansOf(random, customers);
  const securities = securitiesOf(random, all);
  return {
    name: "loans",
    now,
    tables: [
      branchTable(random, branches),
      productTable(),
      indexTable(random),
      customerTable(random, customers),
      loanTable(random, all),
      partyTable(random, all, customers),
      postingTable(random, all),
      dunningTable(random, all),
      securityTable(random, securities),
      valuationTable(random, securities),
    ],
  };
}

/** Where it was granted; of a branch that was closed before, in the one that took its customers. */
function branchOf({ customer: { branch }, applied }: Loan): string {
  const isClosed = branch.closed !== null && applied >= branch.closed;
  return String((isClosed ? branch.successor : null) ?? branch.no).padStart(4, "0");
}

function loanTable(random: Random, all: readonly Loan[]): CorpusTable {
  const ibans = new Map<Customer, string | null>();
  const rows = all.map((loan): Row => {
    const { customer, product, opened, closed, status } = loan;
    if (!ibans.has(customer))
      ibans.set(
        customer,
        maybe(random, 0.88, () => iban(random, random.chance(0.95) ? "AT" : "DE")),
      );
    const isOpen = opened !== null && closed === null;
    const variable = product.isVariable && opened !== null;
    return [
      loan.no,
      String(customer.no),
      product.code,
      branchOf(loan),
      dateText(loan.applied),
      opened === null ? null : dateText(opened),
      // A line has no end.
      product.way === "REV" ? "9999-12-31" : loan.matures === null ? null : dateText(loan.matures),
      product.way === "REV" ? "0" : String(loan.months),
      String(loan.paused),
      money(loan.principal),
      money(loan.disbursed),
      product.currency,
      opened === null && product.isVariable ? null : loan.rate.toFixed(3),
      variable ? indexOf(product.currency, closed ?? today) : null,
      loan.margin === null ? null : loan.margin.toFixed(3),
      product.way === "REV" ? null : String(loan.day),
      !isOpen || product.way === "REV" || product.way === "BUL" || loan.annuity === null
        ? null
        : money(loan.annuity),
      money(loan.balance),
      status,
      closed === null ? null : dateText(closed),
      loan.reason,
      loan.refinances?.no ?? null,
      loan.isTaken ? `${random.pick(["35", "38"])}-${digits(random, 6)}-${random.between(1, 4)}` : null,
      String(loan.lateSince === null ? 0 : Math.round((today - loan.lateSince) / dayMs)),
      isOpen && product.way !== "REV" ? (ibans.get(customer) ?? null) : null,
      hostTime(random, closed ?? loan.applied),
    ];
  });
  const columns = columnsOf({
    LOANNO: "text key",
    CUSTNO: "integer references CUST.CUSTNO",
    PRODCD: "text in PROD.PRODCD",
    BRNO: "text in BRNCH.BRNO",
    APPDT: "text",
    OPENDT: "text",
    MATDT: "text",
    TERM: "integer",
    PAUSED: "integer",
    PRINC: "decimal",
    DISB: "decimal",
    CCY: "text",
    RATE: "decimal",
    IDXCD: "text",
    MARGIN: "decimal",
    PMTDAY: "integer",
    PMTAMT: "decimal",
    BAL: "decimal",
    STAT: "text",
    CLSDT: "text",
    CLSRSN: "text",
    REFIN: "text references LOAN.LOANNO",
    MIGNO: "text",
    DLQDAYS: "integer",
    IBAN: "text",
    LSTUPD: "text",
  });
  return { name: "LOAN", columns, rows };
}

/** Couples owe half and half, or one in full; who vouches for them owes nothing yet. */
function partyTable(random: Random, all: readonly Loan[], customers: readonly Customer[]): CorpusTable {
  const people = customers.filter(({ kind, mergedInto }) => kind === "P" && mergedInto === null);
  const rows = all.flatMap((loan): Row[] => {
    const { customer, product, principal, no, applied } = loan;
    const others = people.filter(
      ({ since, born, died }) =>
        since < applied && (born ?? 0) < applied - 18.2 * 365.25 * dayMs && (died === null || died > applied),
    );
    const household = others.filter((one) => one !== customer && one.address === customer.address);
    const partner =
      household[0] ?? (product.code.startsWith("WB") && random.chance(0.4) ? random.pick(others) : null);
    const shared = partner !== null && partner !== customer && random.chance(0.8) ? partner : null;
    const split = shared ? random.pick([50, 50, 50, 70, 100]) : 100;
    const isVouched = random.chance(customer.kind === "B" ? 0.5 : 0.05);
    const [guarantor] = isVouched
      ? some(
          random,
          others.filter((one) => one !== customer && one !== shared),
          1,
        )
      : [];
    return [
      [no, String(customer.no), "HN", String(split), null],
      ...(shared ? [[no, String(shared.no), "MN", String(100 - split), null]] : []),
      ...(guarantor
        ? [
            [
              no,
              String(guarantor.no),
              "BG",
              null,
              money(random.chance(0.6) ? principal : Math.round(principal / 2)),
            ],
          ]
        : []),
    ];
  });
  const columns = columnsOf({
    LOANNO: "text references LOAN.LOANNO",
    CUSTNO: "integer references CUST.CUSTNO",
    ROLE: "text",
    SHRPCT: "integer",
    LIMAMT: "decimal",
  });
  return { name: "LNCUST", columns, rows, loads: { childrenOf: "LOANNO" } };
}

function postingTable(random: Random, all: readonly Loan[]): CorpusTable {
  const postings: Posting[] = all.flatMap((loan) => loan.postings).sort((a, b) => a.posted - b.posted);
  let id = 448_120_000;
  for (const posting of postings) {
    id += random.between(1, 5);
    posting.id = id;
  }
  const inWindow = new Set(postings);
  const users = ["U0417", "U0388", "U0521", "U0102", "WEB"];
  const rows = postings.map((posting): Row => {
    const { loan, code, posted, value, principal, interest, fee, balance, reverses, isBatch } = posting;
    const day = dateText(posted);
    return [
      String(posting.id),
      loan.no,
      day,
      dateText(value),
      code,
      amount(principal + interest + fee),
      amount(principal),
      amount(interest),
      amount(fee),
      amount(balance),
      loan.product.currency,
      reverses && inWindow.has(reverses) ? String(reverses.id) : null,
      isBatch ? `${code === "PMT" ? "SD" : "NB"}${day.replaceAll("-", "").slice(2)}` : null,
      isBatch ? "BATCH" : mostlyFirst(random, users, 1.3),
    ];
  });
  const columns = columnsOf({
    TXNID: "integer key",
    LOANNO: "text in LOAN.LOANNO",
    POSTDT: "text",
    VALDT: "text",
    TXNCD: "text",
    AMT: "decimal",
    PRINPT: "decimal",
    INTPT: "decimal",
    FEEPT: "decimal",
    BALAFT: "decimal",
    CCY: "text",
    REVTXN: "integer in TXN.TXNID",
    BATCH: "text",
    USRID: "text",
  });
  return { name: "TXN", columns, rows, loads: { column: "POSTDT", period: "month" } };
}

const amount = (value: number): string => money(cents(value)).replace(/^-0\.00$/, "0.00");

function dunningTable(random: Random, all: readonly Loan[]): CorpusTable {
  const dunnings = all.flatMap((loan) => loan.dunnings).sort((a, b) => a.day - b.day);
  const rows = dunnings.map(
    ({ loan, day, level, due, fee }): Row => [
      loan.no,
      dateText(day),
      String(level),
      money(due),
      money(fee),
      // The third is a registered letter.
      level === 3 ? "RSB" : yearOf(day) < 2016 ? "BRIEF" : weighted(random, { EBANK: 60, BRIEF: 40 }),
      level === 3 ? dateText(nextWorkday(day + 14 * dayMs)) : null,
    ],
  );
  const columns = columnsOf({
    LOANNO: "text in LOAN.LOANNO",
    DUNDT: "text",
    LVL: "integer",
    AMTDUE: "decimal",
    FEE: "decimal",
    SENTVIA: "text",
    TERMDT: "text",
  });
  return { name: "DUNN", columns, rows };
}

type Security = {
  id: number;
  loan: Loan;
  kind: "RE" | "CAR" | "LIF" | "DEP";
  values: { day: number; value: number; way: string }[];
  from: number;
  released: number | null;
};

function securitiesOf(random: Random, all: readonly Loan[]): Security[] {
  const securities: Security[] = [];
  for (const loan of all) {
    const { product, opened, principal, closed } = loan;
    if (opened === null) continue;
    const isHome = product.code.startsWith("WB") || product.code === "FW01";
    const kinds: Security["kind"][] = isHome
      ? product.way === "BUL"
        ? ["RE", "LIF"]
        : ["RE"]
      : product.forWhom === "B" && random.chance(0.6)
        ? [random.pick(["RE", "DEP", "CAR"] as const)]
        : product.code === "KK01" && random.chance(0.25)
          ? ["CAR"]
          : [];
    for (const kind of kinds) {
      const released = closed === null ? null : nextWorkday(closed + random.between(3, 60) * dayMs);
      const security: Security = {
        id: 0,
        loan,
        kind,
        values: [],
        from: opened,
        released: released !== null && released < today ? released : null,
      };
      value(random, security, principal);
      securities.push(security);
    }
  }
  securities.sort((a, b) => a.from - b.from);
  for (const [index, security] of securities.entries()) security.id = 60_001 + index;
  return securities;
}

/** Houses gain, cars lose until they stand there with one euro, and policies grow with what is paid in. */
function value(random: Random, { kind, values, from, released, loan }: Security, principal: number): void {
  let worth = principal * { RE: 1.35, CAR: 1.15, LIF: 0.02, DEP: 0.3 }[kind] * (0.85 + random.next() * 0.5);
  const pays = principal * 0.028;
  const every = kind === "RE" ? 36 : 12;
  for (let month = 0; ; month += every) {
    const day = month === 0 ? from : nextWorkday(monthsLater(from, month, random.between(1, 28)));
    if (day >= Math.min(today, released ?? today)) return;
    const isMemo = kind === "CAR" && worth < 1800;
    const rounded =
      kind === "RE"
        ? Math.round(worth / 1000) * 1000
        : kind === "CAR"
          ? Math.round(worth / 50) * 50
          : cents(worth);
    values.push({
      day,
      value: isMemo ? 1 : rounded,
      way:
        kind === "RE"
          ? month === 0
            ? "SACHV"
            : weighted(random, { INDEX: 85, SACHV: 15 })
          : kind === "CAR"
            ? isMemo
              ? "ERINN"
              : "EUROTAX"
            : kind === "LIF"
              ? "RKW"
              : "SALDO",
    });
    if (isMemo) return;
    if (kind === "RE") worth *= 1.04 + random.next() * 0.1;
    else if (kind === "CAR") worth *= 0.7 + random.next() * 0.12;
    else if (kind === "LIF") worth = worth * 1.015 + pays * (loan.product.currency === "CHF" ? 1 : 0.5);
    else worth *= 1.001 + random.next() * 0.01;
  }
}

function securityTable(random: Random, securities: readonly Security[]): CorpusTable {
  const rows = securities.map(({ id, loan, kind, values, from, released }): Row => {
    const latest = values.at(-1);
    const isCar = kind === "CAR";
    const bank = loan.product.currency;
    return [
      String(id),
      loan.no,
      kind,
      latest ? money(latest.value) : null,
      kind === "RE" || isCar ? "EUR" : bank,
      latest ? dateText(latest.day) : null,
      String({ RE: 70, CAR: 50, LIF: 90, DEP: 100 }[kind]),
      kind === "RE" ? `EZ ${random.between(12, 3800)} KG ${random.between(60_101, 68_399)}` : null,
      kind === "RE" ? maybe(random, 0.9, () => String(Math.round(heavyTailed(random, 780, 0.5)))) : null,
      isCar
        ? `${random.pick(["WVWZZZ1K", "VF1BZ0A0", "TMBJG7NE", "WBA3D310"])}${random.pick(["Z", "8"])}${letters(random, 1)}${letters(random, 1)}${digits(random, 6)}`
        : null,
      // Most are a few years old when they are bought.
      isCar ? String(yearOf(from) - random.pick([0, 0, 1, 2, 3, 5, 8])) : null,
      kind === "LIF" ? `LV${digits(random, 8)}` : null,
      kind === "LIF"
        ? mostlyFirst(random, ["Grazer Wechselseitige", "UNIQA", "Wiener Städtische", "MuKi"], 1.4)
        : null,
      dateText(from),
      released === null ? null : dateText(released),
    ];
  });
  const columns = columnsOf({
    COLLID: "integer key",
    LOANNO: "text in LOAN.LOANNO",
    TYP: "text",
    VAL: "decimal",
    CCY: "text",
    VALDT: "text",
    LTVPCT: "integer",
    LANDREG: "text",
    AREAM2: "integer",
    VIN: "text",
    MDLYR: "integer",
    POLNO: "text",
    INSURER: "text",
    PLDGDT: "text",
    RELDT: "text",
  });
  return { name: "COLL", columns, rows };
}

function valuationTable(random: Random, securities: readonly Security[]): CorpusTable {
  const all = securities.flatMap(({ id, values }) => values.map((one) => ({ id, ...one })));
  const rows = all
    .sort((a, b) => a.day - b.day)
    .map(
      ({ id, day, value: worth, way }): Row => [
        String(id),
        dateText(day),
        money(worth),
        way,
        way === "SACHV" ? mostlyFirst(random, ["DI Kogler", "Arch. Lückl", "SV Zach", "intern"], 1.3) : null,
      ],
    );
  const columns = columnsOf({
    COLLID: "integer references COLL.COLLID",
    VALDT: "text",
    VAL: "decimal",
    METH: "text",
    VALBY: "text",
  });
  return { name: "COLLVAL", columns, rows };
}
