import type { Random } from "../../../faults/random.ts";
import { type CorpusTable, columnsOf, type Row } from "../corpus.ts";
import { dateText, dayMs, digits, maybe, mostlyFirst, some } from "../draw.ts";
import { type Branch, now, today, yearOf } from "./loans-rates.ts";
import { firstName, lastName, plain } from "./names.ts";

/** Who owes. */

/** Another bank was taken over: its customers and loans got numbers of their own. */
export const takeover = Date.parse("2013-10-01");

export type Customer = {
  no: number;
  kind: "P" | "B";
  name: string;
  first: string;
  born: number | null;
  register: string | null;
  since: number;
  branch: Branch;
  address: string;
  died: number | null;
  mergedInto: Customer | null;
  /** Pays late, or not at all. */
  isWeak: boolean;
};

const streets =
  "Hauptplatz,Grazer Straße,Bahnhofstraße,Lindenweg,Kirchengasse,Am Sonnenhang,Schulgasse,Mühlgang,Wiener Straße,Siedlungsstraße,Dr.-Karl-Renner-Ring,Obere Zeile".split(
    ",",
  );
const trades =
  "Tischlerei,Gasthof,Elektro,Bau,Autohaus,Obsthof,Installationen,Bäckerei,Steuerberatung,Transporte,Weingut".split(
    ",",
  );
const forms = ["GmbH", "KG", "OG", "e.U.", "GmbH & Co KG"];

/** The last letter is computed from six digits. */
function registerNumber(random: Random): string {
  const body = `${random.between(1, 5)}${digits(random, 5)}`;
  const sum = [6, 4, 14, 15, 10, 1].reduce((all, weight, at) => all + weight * Number(body[at]), 0);
  return `FN ${body}${"abdfghikmpstvwxyz"[sum % 17]}`;
}

export function customersOf(random: Random, branches: readonly Branch[]): Customer[] {
  const customers = Array.from({ length: 820 }, (): Customer => {
    const kind = random.chance(0.14) ? "B" : "P";
    const branch = mostlyFirst(random, branches, 1.2);
    const since = Math.max(
      branch.opened === takeover ? 0 : branch.opened,
      Date.parse("1978-05-02") + Math.floor(random.next() ** 0.6 * 16_900) * dayMs,
    );
    const name = lastName(random);
    return {
      no: 0,
      kind,
      name: kind === "B" ? `${random.pick(trades)} ${name} ${mostlyFirst(random, forms, 1.5)}` : name,
      first: kind === "B" ? "" : firstName(random),
      // Of age when they came, or children with a savings book.
      born:
        kind === "B"
          ? null
          : since -
            Math.floor(
              (random.chance(0.15) ? 4 + random.next() * 13 : 18 + random.next() ** 1.7 * 48) * 365.25,
            ) *
              dayMs,
      register: null,
      since: Math.min(since, today - 30 * dayMs),
      branch,
      address: `${random.pick(streets)} ${random.between(1, 140)}${random.chance(0.2) ? `/${random.between(1, 24)}` : ""}`,
      died: null,
      mergedInto: null,
      isWeak: random.chance(0.09),
    };
  });
  // Small ones need not be registered.
  for (const customer of customers)
    if (customer.kind === "B" && random.chance(customer.name.endsWith("e.U.") ? 0.6 : 1))
      customer.register = registerNumber(random);
  customers.sort((a, b) => a.since - b.since);
  let [own, taken] = [100_012, 7_000_031];
  for (const customer of customers) {
    const isTaken = customer.branch.opened === takeover && customer.since < takeover;
    if (isTaken) taken += random.between(1, 70);
    else own += random.between(1, 900);
    customer.no = isTaken ? taken : own;
    const age = customer.born === null ? 0 : (today - customer.born) / dayMs / 365.25;
    if (age > 70 && random.chance(0.3))
      customer.died = Math.max(customer.since + 900 * dayMs, today - random.between(20, 3000) * dayMs);
    if (customer.died !== null && customer.died >= today) customer.died = null;
  }
  // Families live at one address; some were customers of both banks, and one of the two numbers was given up.
  for (const customer of some(random, customers, 90)) {
    const spouse = random.pick(customers);
    if (spouse === customer || spouse.kind === "B" || customer.kind === "B") continue;
    spouse.name = customer.name;
    spouse.address = customer.address;
    spouse.branch = customer.branch;
  }
  const known = customers.filter(({ kind }) => kind === "P");
  for (const customer of some(random, known, 14)) {
    const since = Math.max(customer.since, Date.parse("2009-02-02"));
    own += random.between(1, 900);
    customers.push({ ...customer, no: own, since, mergedInto: customer });
  }
  return customers;
}

const titles = ["", "", "", "", "", "", "", "Mag.", "Dr.", "Ing.", "DI", "Bakk.", "Mag. Dr."];

export function customerTable(random: Random, customers: readonly Customer[]): CorpusTable {
  const rows = customers.map((customer): Row => {
    const { no, kind, name, first, born, register, since, branch, address, died, mergedInto } = customer;
    const isReachable = died === null && mergedInto === null;
    return [
      String(no),
      kind,
      // Empty, not null: the host fills with blanks.
      kind === "P" && (born ?? 0) < Date.parse("1999-01-01") ? random.pick(titles) : "",
      name,
      first,
      born === null ? null : dateText(born),
      register,
      address,
      branch.zip,
      branch.city,
      isReachable
        ? maybe(random, yearOf(since) > 2010 ? 0.8 : 0.4, () =>
            kind === "B"
              ? `office@${plain(name.split(" ").slice(0, 2).join(""))}.example`
              : `${plain(first)}.${plain(name)}${random.chance(0.3) ? random.between(1, 99) : ""}@mail.example`,
          )
        : null,
      maybe(random, 0.82, () => `0${random.pick(["664", "676", "660", "699", "650"])}/${digits(random, 7)}`),
      dateText(since),
      String(branch.successor ?? branch.no).padStart(4, "0"),
      died === null ? null : dateText(died),
      mergedInto ? String(mergedInto.no) : null,
      mergedInto ? "M" : died === null ? "A" : "V",
      hostTime(random, since),
    ];
  });
  const columns = columnsOf({
    CUSTNO: "integer key",
    CTYP: "text",
    TITLE: "text",
    NAME1: "text",
    NAME2: "text",
    BIRTHDT: "text",
    REGNO: "text",
    ADDR: "text",
    ZIP: "text",
    CITY: "text",
    EMAIL: "text",
    MOBILE: "text",
    SINCEDT: "text",
    BRNO: "text in BRNCH.BRNO",
    DECDT: "text",
    MRGTO: "integer references CUST.CUSTNO",
    STAT: "text",
    LSTUPD: "text",
  });
  return { name: "CUST", columns, rows };
}

/** As the host writes it: `2024-11-03-22.14.05.120034`. */
export function hostTime(random: Random, after: number): string {
  const from = Math.max(after, Date.parse("2005-03-01"));
  const moment = from + Math.floor(random.next() ** 0.5 * (now - from));
  const time = new Date(moment).toISOString();
  return `${time.slice(0, 10)}-${time.slice(11, 19).replaceAll(":", ".")}.${digits(random, 6)}`;
}
