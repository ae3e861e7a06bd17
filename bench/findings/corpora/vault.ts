import { createHash } from "node:crypto";
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
  timeText,
  weighted,
} from "../draw.ts";
import { daysFrom, hourMs, isWorkday, poisson, workdaysLeft } from "./calendar.ts";
import { firstName, lastName, plain } from "./names.ts";
import { placesOf } from "./places.ts";

const now = Date.parse("2025-08-19T05:00:00Z");
const first = Date.parse("2023-02-01");

/**
 * A data vault of pension contracts with a dimension made from it: hashes as keys, a ghost record for what is missing,
 * rows that hold until another came, or until the end of time, and contracts that were bought from another company.
 */
export function vault(seed: number): CorpusDatabase {
  const random = new Random(seed * 131 + 53);
  const loads = daysFrom("2023-02-01", now).filter(isWorkday);
  const persons = personsOf(random, loads);
  const contracts = contractsOf(random, loads);
  const details = detailsOf(random, persons.rows, loads);
  const terms = termsOf(random, contracts.rows, loads);
  const dimension = dimensionOf(random, contracts.rows, terms.rows);
  return {
    name: "vault",
    now,
    tables: [
      persons,
      contracts,
      linkOf(random, persons.rows, contracts.rows),
      details,
      terms,
      dimension,
      paymentsOf(random, dimension.rows),
      balancesOf(random, dimension.rows),
    ],
  };
}

const hash = (text: string) => createHash("md5").update(text).digest("hex").toUpperCase();
const ghost = "0".repeat(32);
const beginning = "1900-01-01 00:00:00+00";
const end = "9999-12-31";
const sources = { CORE: 70, LEGACY_AS400: 22, "M&A.NORDLIFE": 8 };
/** When the load of a day ran. */
const loadedOn = (day: number) => timeText(day + 3 * hourMs + ((day / dayMs) % 37) * 60_000);

function personsOf(random: Random, loads: readonly number[]): CorpusTable {
  const rows: Row[] = [[ghost, "-1", beginning, "SYSTEM"]];
  // On the first day, everything that was there before.
  for (const [index, day] of loads.entries())
    for (let count = index === 0 ? 900 : poisson(random, 1.6); count > 0; count--) {
      const number = `P${String(1_000_000 + rows.length * 7)}`;
      rows.push([hash(number), number, loadedOn(day), weighted(random, sources)]);
    }
  const columns = columnsOf({
    person_hk: "text key",
    person_bk: "text",
    load_dts: "time",
    record_source: "text",
  });
  return { name: "hub_person", columns, rows };
}

function contractsOf(random: Random, loads: readonly number[]): CorpusTable {
  const rows: Row[] = [[ghost, "-1", beginning, "SYSTEM"]];
  for (const [index, day] of loads.entries())
    for (let count = index === 0 ? 1000 : poisson(random, 1.7); count > 0; count--) {
      const source = weighted(random, sources);
      // Each source has numbers of its own.
      const number =
        source === "CORE"
          ? `RV-${String(200_000 + rows.length * 3)}-${random.between(0, 9)}`
          : source === "LEGACY_AS400"
            ? String(40_000_000 + rows.length * 11).padStart(10, "0")
            : `NL/${digits(random, 3)}/${String(rows.length).padStart(5, "0")}`;
      rows.push([hash(number), number, loadedOn(day), source]);
    }
  const columns = columnsOf({
    contract_hk: "text key",
    contract_bk: "text",
    load_dts: "time",
    record_source: "text",
  });
  return { name: "hub_contract", columns, rows };
}

function linkOf(random: Random, persons: readonly Row[], contracts: readonly Row[]): CorpusTable {
  const rows: Row[] = [];
  for (const contract of contracts.slice(1)) {
    const roles = random.chance(0.15) ? ["OWNER", "INSURED"] : ["OWNER"];
    for (const role of roles) {
      const able = persons.slice(1, Math.max(2, Math.floor(persons.length * 0.9)));
      const person = random.pick(able);
      rows.push([
        hash(`${contract[1]}|${person[1]}|${role}`),
        contract[0] ?? null,
        person[0] ?? null,
        role,
        contract[2] ?? null,
        contract[3] ?? null,
      ]);
    }
  }
  const columns = columnsOf({
    contract_person_hk: "text key",
    contract_hk: "text in hub_contract.contract_hk",
    person_hk: "text in hub_person.person_hk",
    role: "text",
    load_dts: "time",
    record_source: "text",
  });
  return { name: "link_contract_person", columns, rows };
}

/** A row for each change; the dead and the moved are still there. */
function detailsOf(random: Random, persons: readonly Row[], loads: readonly number[]): CorpusTable {
  const places = placesOf(random, 140);
  const rows: Row[] = [];
  for (const person of persons.slice(1)) {
    const [given, family] = [firstName(random), lastName(random)];
    const born = dateText(Date.parse("1938-01-01") + random.next() * 25_000 * dayMs);
    let start = loads.findIndex((day) => loadedOn(day) === person[2]);
    const changes = 1 + poisson(random, 0.5);
    let [name, place] = [family, mostlyFirst(random, places, 1.3)];
    let status = "active";
    for (let change = 0; change < changes && start >= 0 && start < loads.length; change++) {
      if (change > 0) {
        const what = weighted(random, { moved: 68, married: 18, retired: 12, died: 2 });
        if (what === "moved") place = mostlyFirst(random, places, 1.3);
        if (what === "married")
          name = random.chance(0.3) ? `${family}-${lastName(random)}` : lastName(random);
        if (what === "retired") status = "retired";
        if (what === "died") status = "deceased";
      }
      const code = random.pick(place.codes);
      rows.push([
        person[0] ?? null,
        loadedOn(loads[start] ?? first),
        hash([given, name, born, code, status].join("|")),
        given,
        name,
        born,
        code,
        place.city,
        place.country,
        status,
        maybe(random, 0.46, () => `${plain(given)}.${plain(name)}@post.example`),
        random.chance(0.25) ? "1" : "0",
        person[3] ?? null,
      ]);
      if (status === "deceased") break;
      start += random.between(8, 300);
    }
  }
  const columns = columnsOf({
    person_hk: "text in hub_person.person_hk",
    load_dts: "time",
    hash_diff: "text",
    given_name: "text",
    family_name: "text",
    birth_date: "date",
    postal_code: "text",
    city: "text",
    country: "text",
    person_status: "text",
    email: "text",
    paperless: "text",
    record_source: "text",
  });
  return { name: "sat_person_details", columns, rows };
}

const products = {
  CLASSIC: [0.0275, "C"],
  INDEX: [0, "I"],
  HYBRID: [0.009, "H"],
  BASIS: [0.0025, "B"],
} as const;

function termsOf(random: Random, contracts: readonly Row[], loads: readonly number[]): CorpusTable {
  const rows: Row[] = [];
  for (const contract of contracts.slice(1)) {
    const product = weighted(random, { CLASSIC: 46, INDEX: 28, HYBRID: 16, BASIS: 10 });
    let start = loads.findIndex((day) => loadedOn(day) === contract[2]);
    let premium = random.chance(0.04) ? 0 : Math.round(heavyTailed(random, 95, 0.6) / 5) * 5;
    let status = "IN FORCE";
    const begins = Date.parse(contract[2] ?? "") - (start === 0 ? random.next() * 7000 : 20) * dayMs;
    const monthOf = (moment: number) => `${dateText(moment).slice(0, 7)}-01`;
    for (let version = 1; version <= 5 && start >= 0 && start < loads.length; version++) {
      rows.push([
        contract[0] ?? null,
        loadedOn(loads[start] ?? first),
        hash([contract[1], product, premium, status].join("|")),
        product,
        products[product][1],
        products[product][0].toFixed(4),
        monthOf(begins),
        weighted(random, { M: 82, Q: 6, Y: 12 }),
        money(premium),
        status,
        status === "IN FORCE" ? null : dateText(loads[start] ?? first),
        contract[3] ?? null,
      ]);
      if (status === "TERMINATED") break;
      const what = weighted(random, { raise: 44, "paid up": 8, end: 12, nothing: 36 });
      if (what === "nothing") break;
      if (what === "raise") premium = Math.round(premium * 1.05 * 100) / 100;
      if (what === "paid up") [premium, status] = [0, "PAID UP"];
      if (what === "end") status = "TERMINATED";
      start += random.between(20, 260);
    }
  }
  const columns = columnsOf({
    contract_hk: "text in hub_contract.contract_hk",
    load_dts: "time",
    hash_diff: "text",
    product: "text",
    product_class: "text",
    guaranteed_rate: "decimal",
    begins_on: "date",
    payment_mode: "text",
    premium: "decimal",
    contract_status: "text",
    status_date: "date",
    record_source: "text",
  });
  return { name: "sat_contract_terms", columns, rows };
}

/** Slowly changing: each version holds until the day before the next, the last until the end of time. */
function dimensionOf(random: Random, contracts: readonly Row[], terms: readonly Row[]): CorpusTable {
  const rows: Row[] = [["-1", "n/a", "n/a", "n/a", null, "1900-01-01", end, "1", "Y", null]];
  const numbers = new Map(contracts.map((row) => [row[0], row[1]]));
  for (const versions of Map.groupBy(terms, (row) => row[0]).values())
    for (const [index, row] of versions.entries()) {
      const next = versions[index + 1];
      rows.push([
        String(rows.length + 10_000),
        numbers.get(row[0] ?? "") ?? null,
        row[3] ?? null,
        row[9] ?? null,
        row[8] ?? null,
        index === 0 ? (row[6] ?? null) : (row[1]?.slice(0, 10) ?? null),
        next ? dateText(Date.parse(next[1]?.slice(0, 10) ?? "") - dayMs) : end,
        String(index + 1),
        next ? "N" : "Y",
        maybe(random, 0.4, () => String(random.between(100, 148))),
      ]);
    }
  const columns = columnsOf({
    contract_sk: "integer key",
    contract_number: "text",
    product: "text",
    status: "text",
    premium: "decimal",
    valid_from: "date",
    valid_to: "date",
    version: "integer",
    is_current: "text",
    agency_no: "text",
  });
  return { name: "dim_contract", columns, rows };
}

/** Debited near the end of a month; a few come back, and are debited again. */
function paymentsOf(random: Random, dimension: readonly Row[]): CorpusTable {
  const rows: Row[] = [];
  const payers = dimension.filter((row) => row[3] === "IN FORCE" && Number(row[4]) > 0).slice(0, 900);
  for (const day of daysFrom("2025-01-02", now).filter((each) => isWorkday(each) && workdaysLeft(each) === 2))
    for (const row of payers) {
      if ((row[5] ?? "") > dateText(day) || (row[6] ?? "") < dateText(day)) continue;
      const isReturned = random.chance(0.012);
      const gross = Number(row[4]);
      const fee = cents(gross * 0.015 + 0.5);
      const add = (sign: number, kind: string, delay: number) =>
        rows.push([
          String(5_000_000 + rows.length * 3),
          row[0] ?? null,
          dateText(day + delay * dayMs).replaceAll("-", ""),
          dateText(day).slice(0, 7).replace("-", ""),
          kind,
          money(sign * gross),
          money(sign * fee),
          money(cents(sign * (gross - fee))),
          "EUR",
          loadedOn(day + (delay + 1) * dayMs),
        ]);
      add(1, "DEBIT", 0);
      if (isReturned) add(-1, "RETURN", random.between(3, 8));
    }
  const columns = columnsOf({
    payment_id: "integer",
    contract_sk: "integer in dim_contract.contract_sk",
    date_key: "integer",
    period: "integer",
    booking_type: "text",
    gross_amount: "decimal",
    fee: "decimal",
    net_amount: "decimal",
    currency: "text",
    load_dts: "time",
  });
  return { name: "fact_payment", columns, rows };
}

/** At the end of each month; who ends a contract has a last balance of 0. */
function balancesOf(random: Random, dimension: readonly Row[]): CorpusTable {
  const rows: Row[] = [];
  const those = dimension.filter((row) => row[8] === "Y" && row[0] !== "-1").slice(0, 420);
  const balances = new Map(those.map((row) => [row[0], cents(heavyTailed(random, 9000, 1.1))]));
  for (let month = 0; month < 14; month++) {
    const last = Date.UTC(2024, 6 + month, 0);
    for (const row of those) {
      if ((row[5] ?? "") > dateText(last)) continue;
      const opening = balances.get(row[0] ?? "") ?? 0;
      const paid = row[3] === "IN FORCE" ? Number(row[4]) : 0;
      const isEnded = row[3] === "TERMINATED" && (row[5] ?? "") <= dateText(last);
      const interest = cents(opening * 0.0015);
      const payout = isEnded ? cents(opening + paid + interest) : 0;
      const closing = cents(opening + paid + interest - payout);
      rows.push([
        dateText(last),
        row[0] ?? null,
        money(opening),
        money(paid),
        money(interest),
        money(payout),
        money(closing),
        loadedOn(last + 2 * dayMs),
      ]);
      balances.set(row[0] ?? "", closing);
    }
  }
  const columns = columnsOf({
    balance_date: "date",
    contract_sk: "integer in dim_contract.contract_sk",
    opening: "decimal",
    contributions: "decimal",
    interest: "decimal",
    payout: "decimal",
    closing: "decimal",
    load_dts: "time",
  });
  return {
    name: "fact_balance",
    columns,
    rows,
    loads: { column: "balance_date", period: "month", areAtOnce: true, areAlike: true },
  };
}
