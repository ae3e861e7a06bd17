import { Random } from "../../../faults/random.ts";
import { type CorpusDatabase, type CorpusTable, columnsOf, type Row } from "../corpus.ts";
import {
  cents,
  dateText,
  dayMs,
  digits,
  heavyTailed,
  maybe,
  money,
  mostlyFirst,
  normal,
  timeText,
  weighted,
} from "../draw.ts";
import { lastName, sentence } from "./names.ts";

const now = Date.parse("2025-10-31T20:00:00Z");
const currencies = { EUR: 1, USD: 0.92, GBP: 1.17, CHF: 1.04, PLN: 0.23 };
type Currency = keyof typeof currencies;

/** Double entries with reversals, invoices and credit notes in several currencies; the last invoices are unpaid. */
export function ledger(seed: number): CorpusDatabase {
  const random = new Random(seed);
  const accounts = accountsOf(random);
  const suppliers = suppliersOf(random);
  return {
    name: "ledger",
    now,
    tables: [
      accounts,
      suppliers,
      ...bookingsOf(random, accounts.rows),
      invoicesOf(random, suppliers.rows),
      ratesOf(random),
    ],
  };
}

function accountsOf(random: Random): CorpusTable {
  const types = ["asset", "liability", "equity", "income", "expense"];
  const rows = Array.from({ length: 180 }, (_, index): Row => {
    const type = types[Math.floor(index / 36)] ?? "";
    const opened = Date.parse("2012-01-01") + random.next() * 3000 * dayMs;
    return [
      String(1000 + Math.floor(index / 36) * 1000 + (index % 36) * 10),
      `${type.charAt(0).toUpperCase()}${type.slice(1)} ${lastName(random)}`,
      type,
      type === "income" || type === "expense" ? "P&L" : "Balance sheet",
      mostlyFirst(random, Object.keys(currencies), 4),
      dateText(opened),
      maybe(random, 0.08, () => dateText(opened + random.next() * 1500 * dayMs)),
    ];
  });
  return {
    name: "accounts",
    columns: columnsOf({
      account_no: "text key",
      name: "text",
      type: "text",
      statement: "text",
      currency: "text",
      opened_on: "date",
      closed_on: "date",
    }),
    rows,
  };
}

function suppliersOf(random: Random): CorpusTable {
  const rows = Array.from(
    { length: 420 },
    (_, index): Row => [
      String(70_000 + index),
      `${lastName(random)} ${random.pick(["AG", "S.A.", "Ltd", "GmbH & Co. KG", "Sp. z o.o."])}`,
      mostlyFirst(random, Object.keys(currencies), 2),
      weighted(random, { "14": 20, "30": 70, "60": 9, "90": 1 }),
      digits(random, 9),
      maybe(random, 0.15, () => sentence(random, 6)),
    ],
  );
  return {
    name: "suppliers",
    columns: columnsOf({
      supplier_no: "integer",
      name: "text",
      currency: "text",
      terms_days: "integer",
      tax_number: "text",
      remark: "text",
    }),
    rows,
  };
}

function bookingsOf(random: Random, accounts: Row[]): CorpusTable[] {
  const [entries, postings]: [Row[], Row[]] = [[], []];
  for (let index = 0; index < 5200; index++) {
    const at = now - ((5200 - index) / 5200) * 660 * dayMs;
    const isReversal = index > 100 && random.chance(0.02);
    entries.push([
      String(index + 1),
      `JE${new Date(at).getUTCFullYear()}${String(index + 1).padStart(6, "0")}`,
      timeText(at),
      dateText(at - (random.chance(0.8) ? 0 : random.between(1, 5)) * dayMs),
      weighted(random, { AP: 45, AR: 35, BANK: 18, YEAREND: 0.5 }),
      random.chance(0.5) ? sentence(random, random.between(2, 6)) : `Invoice ${digits(random, 7)}`,
      random.pick(["mk", "sb", "auto", "auto", "auto"]),
      isReversal ? String(random.between(1, index)) : null,
    ]);
    const currency = mostlyFirst(random, Object.keys(currencies) as Currency[], 3);
    const amount = cents(heavyTailed(random, 320, 1.7) * (isReversal ? -1 : 1));
    for (const [line, side] of [1, -1].entries()) {
      const signed = cents(amount * side);
      const rate = currencies[currency] * (1 + (currency === "EUR" ? 0 : normal(random) * 0.01));
      postings.push([
        String(index + 1),
        String(line + 1),
        mostlyFirst(random, accounts, 1.4)[0] ?? null,
        side > 0 ? money(amount) : "0.00",
        side < 0 ? money(amount) : "0.00",
        money(signed),
        currency,
        rate.toFixed(4),
        money(cents(signed * Number(rate.toFixed(4)))),
        maybe(random, 0.3, () => random.pick(["V19", "V7", "N0"])),
      ]);
    }
  }
  return [
    {
      name: "entries",
      columns: columnsOf({
        entry_id: "integer",
        entry_no: "text",
        booked_at: "time",
        value_date: "date",
        journal: "text",
        description: "text",
        created_by: "text",
        reversal_of: "integer in entries.entry_id",
      }),
      rows: entries,
    },
    {
      name: "postings",
      columns: columnsOf({
        entry_id: "integer in entries.entry_id",
        line: "integer",
        account_no: "text in accounts.account_no",
        debit: "decimal",
        credit: "decimal",
        amount: "decimal",
        currency: "text",
        rate: "decimal",
        amount_eur: "decimal",
        tax_code: "text",
      }),
      rows: postings,
    },
  ];
}

function invoicesOf(random: Random, suppliers: Row[]): CorpusTable {
  const rows = Array.from({ length: 4200 }, (_, index): Row => {
    const supplier = mostlyFirst(random, suppliers, 1.8);
    const issued = now - ((4200 - index) / 4200) * 660 * dayMs;
    const isCredit = random.chance(0.03);
    const net = cents(heavyTailed(random, 540, 1.3) * (isCredit ? -1 : 1));
    const percent = Number(weighted(random, { "19": 80, "7": 15, "0": 5 }));
    const vat = cents((net * percent) / 100);
    const due = issued + Number(supplier[3]) * dayMs;
    const paid = due + normal(random) * 6 * dayMs;
    return [
      `RE-${String(31_000 + index)}`,
      supplier[0] ?? null,
      isCredit ? "credit note" : "invoice",
      dateText(issued),
      dateText(due),
      paid < now ? dateText(Math.max(paid, issued)) : null,
      paid < now ? "paid" : "open",
      supplier[2] ?? null,
      money(net),
      String(percent),
      money(vat),
      money(cents(net + vat)),
    ];
  });
  // As a file was loaded: all of it is text.
  return {
    name: "invoices",
    columns: columnsOf({
      invoice_no: "text",
      supplier_no: "text in suppliers.supplier_no",
      type: "text",
      issued: "text",
      due: "text",
      paid: "text",
      state: "text",
      currency: "text",
      net: "text",
      vat_pct: "text",
      vat: "text",
      gross: "text",
    }),
    rows,
  };
}

function ratesOf(random: Random): CorpusTable {
  const rows: Row[] = [];
  const walk: Record<string, number> = { ...currencies };
  for (let day = 660; day > 0; day--) {
    const at = now - day * dayMs;
    if ([0, 6].includes(new Date(at).getUTCDay())) continue;
    for (const currency of ["USD", "GBP", "CHF", "PLN"]) {
      walk[currency] = (walk[currency] ?? 1) * (1 + normal(random) * 0.004);
      rows.push([dateText(at), currency, walk[currency].toFixed(5)]);
    }
  }
  return { name: "rates", columns: columnsOf({ day: "date", currency: "text", rate: "decimal" }), rows };
}
