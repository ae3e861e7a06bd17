import type { Random } from "../../../faults/random.ts";
import { type CorpusTable, columnsOf, type Row } from "../corpus.ts";
import { cents, dateText, dayMs, heavyTailed, letters, money, mostlyFirst, some } from "../draw.ts";
import { type Article, priceOn } from "./adega-artigos.ts";
import type { Cellar, Client } from "./adega-clientes.ts";
import { noDate, stamps, today } from "./adega-produtores.ts";
import { daysFrom, isWorkday, poisson, weekdayOf } from "./calendar.ts";

/** Invoices and their lines, and what came back. */

type Line = {
  article: Article | null;
  text: string;
  bottles: number;
  price: number;
  discount: number;
  vat: number;
};

export type Invoice = {
  stamp: string;
  kind: 1 | 2 | 3 | 5;
  no: number;
  at: number;
  client: Client;
  lines: Line[];
  rate: number;
  of: Invoice | null;
  isVoid: boolean;
  user: string;
};

const kindNames = { 1: "Fatura", 2: "Fatura simplificada", 3: "Nota de crédito", 5: "Fatura exportação" };

/** In the middle of August nobody works; before Christmas all do. */
const isShut = (day: number) => {
  const text = dateText(day).slice(5);
  return (
    !isWorkday(day) ||
    (text >= "08-09" && text <= "08-24") ||
    ["04-25", "06-10", "06-13", "12-08"].includes(text)
  );
};
const demandOn = (day: number) => {
  const text = dateText(day).slice(5);
  return (
    (text >= "11-15" && text <= "12-22" ? 2.1 : text < "02-20" ? 0.65 : 1) *
    (weekdayOf(day) === 1 ? 0.7 : 1.08)
  );
};

/** Both islands have rates of their own; what leaves the country has none. */
function vatOf(client: Client, usual: number): number {
  if (client.zone === "UE" || client.zone === "PT3") return 0;
  if (client.zone === "M") return usual === 13 ? 12 : 22;
  if (client.zone === "A") return usual === 13 ? 9 : 16;
  return usual;
}

const rates: Record<string, number> = { EUR: 1, GBP: 0.857, CHF: 0.954, USD: 1.083, JPY: 157.4 };
const usersAt = (day: number) => ["MRS", "JPC", ...(day < Date.parse("2024-02-01") ? ["ALF"] : ["TVB"])];

export function invoicesOf(random: Random, { articles, clients }: Cellar): Invoice[] {
  const invoices: Invoice[] = [];
  const stamp = stamps("FT ");
  const lineOf = (client: Client, article: Article, day: number): Line => {
    const isSample = client.kind !== "BALCAO" && random.chance(0.012);
    const boxes = Math.max(
      1,
      Math.round(heavyTailed(random, client.kind === "GD" ? 9 : client.kind === "EXP" ? 7 : 1.3, 0.7)),
    );
    const isLoose = client.kind === "BALCAO" || client.kind === "PART";
    return {
      article,
      text: article.name,
      bottles: isSample ? 1 : isLoose ? random.pick([1, 1, 2, 3, 6]) : boxes * article.box,
      price: priceOn(article, day),
      discount: isSample ? 100 : client.discount + (boxes >= 20 ? 2.5 : 0),
      vat: vatOf(client, article.family.vat),
    };
  };
  for (const day of daysFrom("2022-01-03", today - dayMs)) {
    if (isShut(day)) continue;
    const able = clients.filter(({ opened, closed }) => opened <= day && (closed ?? Infinity) > day);
    const weights = able.reduce((sum, { size }) => sum + size, 0);
    const offered = articles.filter(({ created, soldOut }) => created < day && (soldOut ?? Infinity) > day);
    let at = day + 9 * 3_600_000;
    for (let count = poisson(random, 3.4 * demandOn(day)); count > 0; count--) {
      const client = bySize(able, random.next() * weights);
      if (!client) continue;
      at += random.between(180, 5400) * 1000;
      const isAtDoor = client.kind === "BALCAO";
      const cheap = offered.filter(({ price }) => client.kind !== "GD" || price < 14);
      const lines = some(
        random,
        cheap,
        isAtDoor ? random.between(1, 2) : 1 + Math.round(heavyTailed(random, 1.1, 0.6)),
      ).map((article) => lineOf(client, article, day));
      const isFar = client.zone !== "C";
      const bottles = lines.reduce((sum, each) => sum + each.bottles, 0);
      if (!isAtDoor && (isFar || bottles < 12) && random.chance(0.7))
        lines.push({
          article: null,
          text: "Portes",
          bottles: 1,
          price: isFar ? 8 + Math.round(bottles * 0.35 * 4) / 4 : 6.5,
          discount: 0,
          vat: vatOf(client, 23),
        });
      // A line may be nothing but a remark.
      if (!isAtDoor && random.chance(0.05))
        lines.unshift({
          article: null,
          text: `V/ encomenda n.º ${random.between(100, 9999)}`,
          bottles: 0,
          price: 0,
          discount: 0,
          vat: 0,
        });
      invoices.push({
        stamp: stamp(at),
        kind: isAtDoor ? 2 : client.zone === "PT3" ? 5 : 1,
        no: 0,
        at,
        client,
        lines,
        rate:
          cents(
            (rates[client.currency] ?? 1) *
              10_000 *
              (client.currency === "EUR" ? 1 : 1 + (random.next() - 0.5) * 0.07),
          ) / 10_000,
        of: null,
        isVoid: !isAtDoor && random.chance(0.006),
        user: mostlyFirst(random, usersAt(day), 1.4),
      });
    }
  }
  credited(random, invoices, stamp);
  invoices.sort((a, b) => a.at - b.at);
  const counts = new Map<string, number>();
  for (const invoice of invoices) {
    const key = `${invoice.kind} ${new Date(invoice.at).getUTCFullYear()}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
    invoice.no = counts.get(key) ?? 0;
  }
  return invoices;
}

function bySize(clients: readonly Client[], at: number): Client | undefined {
  let rest = at;
  for (const client of clients) {
    rest -= client.size;
    if (rest < 0) return client;
  }
  return clients[0];
}

/** A corked bottle or a broken box, or all of it where the price was wrong: then a new invoice replaces the old one. */
function credited(random: Random, invoices: Invoice[], stamp: (at: number) => string): void {
  for (const invoice of [...invoices]) {
    const { at, isVoid, kind, lines } = invoice;
    const days = random.between(1, 35);
    let day = Math.floor(at / dayMs) * dayMs + days * dayMs;
    while (isShut(day)) day += dayMs;
    if (isVoid || kind === 2 || day >= today || !random.chance(0.035)) continue;
    const when = day + random.between(34_000, 62_000) * 1000;
    const isWhole = random.chance(0.25);
    const back = isWhole
      ? lines
      : some(
          random,
          lines.filter(({ article, discount }) => article !== null && discount < 100),
          1,
        );
    if (back.length === 0) continue;
    invoices.push({
      ...invoice,
      stamp: stamp(when),
      kind: 3,
      at: when,
      lines: back.map((line) => ({
        ...line,
        bottles: -(isWhole ? line.bottles : Math.min(line.bottles, random.pick([1, 1, 1, 2, 6]))),
      })),
      of: invoice,
    });
    if (!isWhole) continue;
    const again = when + random.between(200, 1900) * 1000;
    invoices.push({
      ...invoice,
      stamp: stamp(again),
      at: again,
      lines: lines.map((line) =>
        line.discount < 100 && line.article ? { ...line, discount: line.discount + 5 } : line,
      ),
    });
  }
}

const netOf = ({ bottles, price, discount }: Line) => cents(bottles * price * (1 - discount / 100));
/** Excise is due by the liter on what was fortified, where it stays in the country. */
const exciseOf = ({ article, bottles }: Line, { zone }: Client) =>
  article && article.strength > 15 && zone !== "UE" && zone !== "PT3"
    ? cents(bottles * article.size * (article.strength > 30 ? 0.0578 : 0.0079))
    : 0;

/** Since 2023, each series has a code from the tax office. */
const coded = Date.parse("2023-01-01");

export function invoiceTable(random: Random, invoices: readonly Invoice[]): CorpusTable {
  const series = new Map<string, string>();
  const rows = invoices.map((invoice): Row => {
    const { stamp, kind, no, at, client, lines, rate, of, isVoid, user } = invoice;
    const year = new Date(at).getUTCFullYear();
    const key = `${kind} ${year}`;
    if (!series.has(key)) series.set(key, letters(random, 8));
    const day = Math.floor(at / dayMs) * dayMs;
    const net = cents(lines.reduce((sum, line) => sum + netOf(line), 0));
    const excise = cents(lines.reduce((sum, line) => sum + exciseOf(line, client), 0));
    const bases = new Map<number, number>();
    for (const line of lines)
      bases.set(line.vat, (bases.get(line.vat) ?? 0) + netOf(line) + exciseOf(line, client));
    const vat = cents([...bases].reduce((sum, [percent, base]) => sum + cents((base * percent) / 100), 0));
    const total = cents(net + excise + vat);
    const paid =
      kind === 3 || kind === 2 || client.terms === 0
        ? day
        : day + (client.terms + Math.round(heavyTailed(random, 7, 1) - 6)) * dayMs;
    const isPaid = paid < today && !isVoid && !(client.no % 61 === 7 && day > Date.parse("2024-09-01"));
    return [
      stamp,
      String(kind),
      kindNames[kind],
      String(no),
      String(year),
      dateText(day),
      new Date(at).toISOString().slice(11, 19),
      String(client.no),
      String(client.branch),
      client.formerly !== null && at < client.renamed ? client.formerly : client.name,
      client.vat,
      client.currency,
      rate.toFixed(6),
      money(net),
      money(excise),
      money(vat),
      money(total),
      client.currency === "JPY" ? String(Math.round(total * rate)) : money(total * rate),
      dateText(kind === 3 ? day : day + client.terms * dayMs),
      isPaid ? dateText(Math.max(day, paid)) : noDate,
      at < coded ? "" : `${series.get(key)}-${no}`,
      letters(random, 4),
      of?.stamp ?? "",
      client.zone === "PT3" ? "M05" : client.zone === "UE" ? (at < coded ? "M07" : "M16") : "",
      String(Number(isVoid)),
      user,
    ];
  });
  const columns = columnsOf({
    ftstamp: "text key",
    ndoc: "integer",
    nmdoc: "text",
    fno: "integer",
    ftano: "integer",
    fdata: "date",
    ousrhora: "text",
    no: "integer in cl.no",
    estab: "integer",
    nome: "text",
    ncont: "text",
    moeda: "text",
    cambio: "decimal",
    ettiliq: "decimal",
    ettiec: "decimal",
    ettiva: "decimal",
    etotal: "decimal",
    totalmoeda: "decimal",
    pdata: "date",
    dtpag: "date",
    atcud: "text",
    assinatura: "text",
    ftorig: "text in ft.ftstamp",
    isencao: "text",
    anulado: "integer",
    usrinis: "text",
  });
  return { name: "ft", columns, rows, loads: { column: "fdata", period: "week" } };
}

export function lineTable(invoices: readonly Invoice[]): CorpusTable {
  const rows = invoices.flatMap((invoice) =>
    invoice.lines.map((line, index): Row => {
      const { article, text, bottles, price, discount, vat } = line;
      return [
        invoice.stamp,
        String((index + 1) * 10_000),
        article?.ref ?? "",
        text,
        String(bottles),
        article === null ? "" : "GF",
        money(price),
        discount.toFixed(2),
        money(netOf(line)),
        money(exciseOf(line, invoice.client)),
        String(vat),
        String(article?.year ?? 0),
      ];
    }),
  );
  const columns = columnsOf({
    ftstamp: "text in ft.ftstamp",
    lordem: "integer",
    ref: "text in st.ref",
    design: "text",
    qtt: "integer",
    unidade: "text",
    epv: "decimal",
    desconto: "decimal",
    etiliquido: "decimal",
    eiec: "decimal",
    iva: "integer",
    colheita: "integer",
  });
  return { name: "fi", columns, rows, loads: { childrenOf: "ftstamp" } };
}
