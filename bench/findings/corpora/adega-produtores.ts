import type { Random } from "../../../faults/random.ts";
import { type CorpusTable, columnsOf, type Row } from "../corpus.ts";
import { dateText, dayMs, digits, mostlyFirst, some } from "../draw.ts";

/** Kinds of wine and who makes them. Nothing is NULL: an empty date is the year 1900. */

export const now = Date.parse("2025-07-02T08:00:00Z");
export const today = Date.parse("2025-07-02");
export const noDate = "1900-01-01";

/** Whoever enters a row, and when, makes its key. */
export function stamps(prefix: string): (moment: number) => string {
  let count = 0;
  return (moment) => {
    count += 1;
    const seconds = String(Math.floor((moment % dayMs) / 1000)).padStart(5, "0");
    return `${prefix}${dateText(moment).slice(2).replaceAll("-", "")}${seconds},${String(count * 7 + 100_000_000)}`;
  };
}

/** The last digit is computed: modulo 11, and 0 for 10. */
export function nif(random: Random, first: string): string {
  const body = `${first}${digits(random, 8 - first.length)}`;
  const sum = [...body].reduce((all, digit, index) => all + Number(digit) * (9 - index), 0);
  const check = 11 - (sum % 11);
  return `${body}${check > 9 ? 0 : check}`;
}

export function ean(random: Random, company: string): string {
  const body = `${company}${digits(random, 12 - company.length)}`;
  const sum = [...body].reduce((all, digit, index) => all + Number(digit) * (index % 2 === 0 ? 1 : 3), 0);
  return `${body}${(10 - (sum % 10)) % 10}`;
}

export type Family = {
  code: string;
  name: string;
  vat: number;
  parent: string;
  strength: number;
  price: number;
};

/** Two digits for each level. */
const levels: [code: string, name: string, vat: number, strength: number, price: number][] = [
  ["01", "Vinhos tranquilos", 13, 0, 0],
  ["01.01", "Douro", 13, 0, 0],
  ["01.01.01", "Douro tinto", 13, 14, 11],
  ["01.01.02", "Douro branco", 13, 13, 9],
  ["01.01.03", "Douro rosé", 13, 12.5, 8],
  ["01.02", "Alentejo", 13, 0, 0],
  ["01.02.01", "Alentejo tinto", 13, 14.5, 8],
  ["01.02.02", "Alentejo branco", 13, 13, 7],
  ["01.03", "Dão e Bairrada", 13, 0, 0],
  ["01.03.01", "Dão tinto", 13, 13.5, 10],
  ["01.03.02", "Dão branco", 13, 13, 10],
  ["01.03.05", "Bairrada tinto", 13, 13, 13],
  ["01.04", "Vinho Verde", 13, 0, 0],
  ["01.04.02", "Vinho Verde branco", 13, 11, 6],
  ["01.04.09", "Alvarinho", 13, 12.5, 10],
  ["01.09", "Estrangeiros", 13, 0, 0],
  ["01.09.01", "Bordéus", 13, 13.5, 48],
  ["01.09.02", "Borgonha", 13, 13, 62],
  ["01.09.03", "Rioja", 13, 14, 14],
  ["01.09.04", "Mosel", 13, 9, 17],
  ["01.10", "Sem álcool", 23, 0, 6],
  ["02", "Espumantes", 23, 0, 0],
  ["02.01", "Espumante nacional", 23, 12.5, 9],
  ["02.02", "Champagne", 23, 12, 42],
  ["03", "Licorosos", 23, 0, 0],
  ["03.01", "Porto", 23, 0, 0],
  ["03.01.01", "Porto Ruby e LBV", 23, 20, 13],
  ["03.01.02", "Porto Tawny com idade", 23, 20, 34],
  ["03.01.03", "Porto Vintage", 23, 20, 78],
  ["03.01.04", "Porto Colheita", 23, 20, 95],
  ["03.02", "Madeira", 23, 19, 45],
  ["03.03", "Moscatel de Setúbal", 23, 17.5, 14],
  ["04", "Aguardentes", 23, 0, 0],
  ["04.01", "Aguardente vínica", 23, 40, 38],
  ["09", "Diversos", 23, 0, 0],
  ["09.01", "Copos e acessórios", 23, 0, 12],
];
const families: Family[] = levels.map(([code, name, vat, strength, price]) => ({
  code,
  name,
  vat,
  parent: code.split(".").slice(0, -1).join("."),
  strength,
  price,
}));

export const familyTable = (): CorpusTable => ({
  name: "stfam",
  columns: columnsOf({
    fam: "text key",
    nome: "text",
    nivel: "integer",
    fampai: "text in stfam.fam",
    txiva: "integer",
  }),
  rows: families.map(({ code, name, parent, vat }) => [
    code,
    name,
    String(code.split(".").length),
    parent,
    String(vat),
  ]),
});

export type Producer = {
  no: number;
  name: string;
  country: string;
  region: string;
  into: Producer | null;
  merged: number | null;
  families: Family[];
};

const estates = ["Quinta", "Quinta", "Casa", "Herdade", "Adega", "Monte", "Solar", "Caves"];
/** Some of these are neighbors, and differ by little. */
const places =
  "da Ribeira,da Ribeirinha,do Vale,do Vale Meio,do Vale Maior,de São João,de São José,da Raposa,da Raposeira,do Crasto Velho,das Lajes,das Lages,do Outeiro,do Outeirinho,da Boavista,da Bela Vista,do Noval de Cima,dos Murças,das Murtas,de Cabriz,do Cabril,da Pedra Alta,da Pedra Alva,do Esporão,do Mouchão,do Monchão,de Santar,de Santana,da Aveleda,da Gaivosa,do Portal,do Pontal,da Lomba,da Lombada".split(
    ",",
  );
const foreign: Record<string, { country: string; names: string[] }> = {
  "01.09.01": {
    country: "FR",
    names: ["Château Beau-Site Haut", "Château Larrivaux", "Château Larrivet", "Château Pontac-Lynch"],
  },
  "01.09.02": {
    country: "FR",
    names: ["Domaine Lamy-Pillot", "Domaine Lamy", "Domaine Chevrot & Fils", "Maison Rapet"],
  },
  "01.09.03": { country: "ES", names: ["Bodegas Muñoz-Garro", "Viña Ondarre Alta", "Hijos de Tobía"] },
  "01.09.04": {
    country: "DE",
    names: ["Weingut Müllen-Erben", "Weingut Müller-Erben", "Weingut Bürgerstift"],
  },
  "02.02": {
    country: "FR",
    names: ["Champagne Gérard Lassaigne", "Champagne J. Vignier", "Champagne Vve Doyard"],
  },
};

export function producersOf(random: Random): Producer[] {
  const producers: Producer[] = [];
  const add = (name: string, country: string, made: Family[]) =>
    producers.push({
      no: 0,
      name,
      country,
      region: made[0]?.name.split(" ")[0] ?? "",
      into: null,
      merged: null,
      families: made,
    });
  const leaves = families.filter(({ price, code }) => price > 0 && !(code in foreign) && code < "09");
  const names = places.flatMap((place) =>
    some(random, [...new Set(estates)], 6).map((estate) => `${estate} ${place}`),
  );
  for (const name of some(random, names, 185)) {
    const main = mostlyFirst(random, leaves, 1.4);
    const same = leaves.filter(({ code }) => code.slice(0, 5) === main.code.slice(0, 5));
    add(
      name,
      "PT",
      [main, ...some(random, same, random.between(0, 2))].filter((each, at, all) => all.indexOf(each) === at),
    );
  }
  for (const [code, { country, names: houses }] of Object.entries(foreign))
    for (const house of houses)
      add(
        house,
        country,
        families.filter((each) => each.code === code),
      );
  producers.sort(() => random.next() - 0.5);
  for (const [index, producer] of producers.entries()) producer.no = 2001 + index;
  // Some were bought by a neighbor, and their wines are made there now.
  for (const producer of producers.filter(({ no, country }) => no % 31 === 4 && country === "PT")) {
    producer.into = producers.find((each) => each.no === producer.no + 1 && each.country === "PT") ?? null;
    producer.merged = producer.into ? Date.parse("2021-01-01") + random.between(0, 14) * 91 * dayMs : null;
  }
  return producers;
}

export function producerTable(random: Random, producers: readonly Producer[]): CorpusTable {
  const rows = producers.map(({ no, name, country, region, into, merged }): Row => {
    const vat =
      country === "PT"
        ? nif(random, "50")
        : country === "FR"
          ? `FR${digits(random, 11)}`
          : country === "ES"
            ? `ESB${digits(random, 8)}`
            : `DE${digits(random, 9)}`;
    return [
      String(no),
      name,
      vat,
      country,
      region,
      // Houses are old, and of some the year is not known.
      String(
        random.chance(0.25)
          ? 0
          : random.chance(0.06)
            ? random.between(1680, 1799)
            : random.between(1830, 2019),
      ),
      into === null ? "0" : String(into.no),
      merged === null ? noDate : dateText(merged),
      String(Number(into !== null)),
      "EUR",
      random.chance(0.12)
        ? random.pick([
            "contactar só por email",
            "Exclusivo Grande Lisboa",
            "ask for Mme Doyard",
            "não vende a granel",
          ])
        : "",
    ];
  });
  const columns = columnsOf({
    fl_no: "integer key",
    nome: "text",
    ncont: "text",
    pais: "text",
    zona: "text",
    fundacao: "integer",
    fl_novo: "integer",
    dtfusao: "date",
    inactivo: "integer",
    moeda: "text",
    obs: "text",
  });
  return { name: "fl", columns, rows };
}
