import type { Random } from "../../../faults/random.ts";
import { type CorpusTable, columnsOf, type Row } from "../corpus.ts";
import { cents, dateText, dayMs, heavyTailed, money, normal, some } from "../draw.ts";
import { ean, type Family, noDate, type Producer, stamps, today } from "./adega-produtores.ts";

/** What is sold, and what critics say of it. */

export type Article = {
  ref: string;
  name: string;
  family: Family;
  producer: Producer;
  year: number;
  size: number;
  box: number;
  ean: string;
  price: number;
  created: number;
  soldOut: number | null;
  isFuture: boolean;
  strength: number;
  next: Article | null;
};

const grades = [
  "Reserva",
  "",
  "Grande Reserva",
  "Colheita Selecionada",
  "Vinhas Velhas",
  "Private Selection",
  "Garrafeira",
];
/** Vintages are declared three times in a decade or so. */
const declared = [1963, 1970, 1977, 1985, 1994, 2000, 2003, 2007, 2011, 2016, 2017, 2020];

/** What a country's codes for goods begin with. */
const companies: Record<string, string> = { PT: "560", ES: "840", FR: "376", DE: "400" };

const labels: Record<string, string> = {
  "01.10": "0,0% álcool",
  "02.01": "Bruto",
  "02.02": "Brut",
  "03.03": "Moscatel",
  "04.01": "Aguardente",
};

const recoded = Date.parse("2022-06-01");

/** One code for a wine, a year and a size. Since 2022 the code tells what it is. */
export function articlesOf(random: Random, producers: readonly Producer[]): Article[] {
  const articles: Article[] = [];
  const used = new Set<string>();
  const names = new Set<string>();
  let old = 3107;
  for (const producer of producers)
    for (const family of producer.families)
      for (const grade of some(random, grades, random.between(1, 2))) {
        const isAged = family.code === "03.01.02" || family.code === "03.02";
        const isOld = ["03.01.03", "03.01.04"].includes(family.code);
        const hasYear = !["02.01", "02.02", "03.01.01", "04.01", "01.10"].includes(family.code) && !isAged;
        const worth =
          family.price *
          heavyTailed(random, grade.includes("Grande") || grade.startsWith("Vinhas") ? 1.9 : 1, 0.45);
        const bar = ean(random, companies[producer.country] ?? "560");
        const years = !hasYear
          ? [0]
          : isOld
            ? some(random, declared, random.between(1, 4)).sort()
            : Array.from(
                { length: random.between(2, 5) },
                (_, at) => 2018 + at + random.between(0, 1),
              ).filter((each, at, all) => all.indexOf(each) === at);
        for (const year of years)
          for (const size of [
            75,
            ...(random.chance(0.22) ? [150] : []),
            ...(random.chance(0.1) ? [37.5] : []),
            ...(random.chance(0.02) ? [300, 500] : []),
          ]) {
            const arrived =
              year === 0 || isOld ? 2019 : Math.max(2019, year + (family.strength > 13 ? 2 : 1));
            const created = Date.UTC(arrived, 0, 8) + random.between(0, 340) * dayMs;
            if (created > today - 20 * dayMs) continue;
            const gone =
              hasYear && random.chance(0.7) ? created + random.between(200, 1400) * dayMs : Infinity;
            const age = isAged ? random.pick([10, 20, 20, 30, 40]) : 0;
            old += random.between(1, 3);
            const serial = String(random.between(1, 999)).padStart(3, "0");
            const code = `${family.code.replaceAll(".", "")}-${serial}-${year === 0 ? "NV" : String(year).slice(2)}-${size * 10}`;
            const ref = created < recoded ? `V${String(old).padStart(5, "0")}` : code;
            if (used.has(ref)) continue;
            used.add(ref);
            const since = isOld ? 1 + (2022 - year) * 0.045 : 1;
            const price = worth * since * (age ? age / 14 : 1) * (size / 75) * (size > 75 ? 1.15 : 1);
            const label = [
              producer.name,
              grade,
              age ? `${age} Anos` : (labels[family.code] ?? family.name.split(" ").at(-1)),
              year === 0 ? "" : year,
              size === 75 ? "" : size === 150 ? "MAGNUM" : `${size}cl`,
            ]
              .filter((part) => part !== "")
              .join(" ");
            // A grower with vines in two regions sells both under one label.
            const name = names.has(label) ? `${label} (${family.name})` : label;
            names.add(name);
            articles.push({
              ref,
              name,
              family,
              producer,
              year,
              size,
              box: size >= 150 ? 1 : size === 37.5 ? 12 : price > 45 ? 3 : 6,
              // A label keeps its code from year to year. Very old bottles, and large ones, have none.
              ean: (isOld && year < 1990) || size > 75 ? "" : bar,
              price: Math.max(1.95, Math.round(price * 20) / 20),
              created,
              soldOut: gone < today ? gone : null,
              isFuture: false,
              strength:
                family.strength === 0 ? 0 : Math.round((family.strength + normal(random) * 0.4) * 2) / 2,
              next: null,
            });
          }
      }
  articles.sort((a, b) => a.created - b.created);
  for (const article of articles)
    article.next =
      articles.find(
        (each) =>
          each.soldOut === null &&
          each.producer === article.producer &&
          each.family === article.family &&
          each.size === article.size &&
          each.year === article.year + 1,
      ) ?? null;
  return articles;
}

export function articleTable(random: Random, articles: readonly Article[]): CorpusTable {
  const rows = articles.map((article): Row => {
    const { ref, name, family, producer, year, size, box, price, created, soldOut, strength, next } = article;
    return [
      ref,
      name,
      family.code,
      String(producer.no),
      String(year),
      size.toFixed(1),
      String(box),
      article.ean,
      strength.toFixed(1),
      String(family.vat),
      money(price),
      // For the shop, with the tax, and to the ten cents.
      money(Math.round(price * (1 + family.vat / 100) * 1.42 * 10) / 10),
      family.code.startsWith("09")
        ? ""
        : family.code.startsWith("02")
          ? "2204.10"
          : family.code.startsWith("04")
            ? "2208.20"
            : "2204.21",
      dateText(created),
      soldOut === null ? noDate : dateText(soldOut),
      String(Number(soldOut !== null)),
      soldOut !== null && next ? next.ref : "",
      random.chance(0.05)
        ? random.pick(["só com alocação", "caixa de madeira", "rótulo danificado -10%", "OWC6"])
        : "",
    ];
  });
  const columns = columnsOf({
    ref: "text key",
    design: "text",
    fam: "text references stfam.fam",
    fl_no: "integer in fl.fl_no",
    colheita: "integer",
    capcl: "decimal",
    qtcx: "integer",
    codbarra: "text",
    grau: "decimal",
    txiva: "integer",
    epv1: "decimal",
    pvp: "decimal",
    pautal: "text",
    ousrdata: "date",
    dtesgot: "date",
    inactivo: "integer",
    refsubst: "text in st.ref",
    obs: "text",
  });
  return { name: "st", columns, rows };
}

type Critic = { name: string; scale: 20 | 100; language: string; notes: string[] };

const critics: Critic[] = [
  {
    name: "Grandes Adegas",
    scale: 20,
    language: "PT",
    notes: [
      "Fruta madura, taninos firmes.",
      "Muito fresco, boa acidez",
      "Elegante; final longo e mineral.",
      "Madeira ainda presente, dar tempo",
    ],
  },
  {
    name: "Wine Courier",
    scale: 100,
    language: "EN",
    notes: [
      "Blackberry, cedar and graphite.",
      "Lean but long",
      "A touch of reduction, needs air.",
      "Superb. Drink or hold",
    ],
  },
  {
    name: "J. Robertson MW",
    scale: 20,
    language: "EN",
    notes: ["Just a bit too much oak for me?", "Racy!", "Fully mature now", "Dense and chewy"],
  },
  {
    name: "La Revue des Crus",
    scale: 100,
    language: "FR",
    notes: ["Nez de cassis, bouche ample.", "Belle fraîcheur, à boire jeune", "Élevage très présent"],
  },
];

/** Portuguese and some English critics give up to 20 points. From the barrel they give a range. */
export function tastingTable(random: Random, articles: readonly Article[]): CorpusTable {
  const stamp = stamps("PRV");
  const rows: Row[] = [];
  for (const article of articles) {
    const { ref, year, created, price, strength, size } = article;
    if (size !== 75 || strength === 0 || !random.chance(Math.min(0.95, 0.3 + price / 90))) continue;
    for (const critic of some(random, critics, random.between(1, 2))) {
      const day = created + Math.round(normal(random) * 90 - 20) * dayMs;
      if (day > today - 2 * dayMs) continue;
      const level = Math.min(1, Math.max(0, 0.52 + Math.log(price / 12) * 0.11 + normal(random) * 0.11));
      const points =
        critic.scale === 20
          ? (14 + Math.round(level * 11) / 2).toFixed(1)
          : String(82 + Math.round(level * 18));
      const isRange = day < created - 60 * dayMs && critic.scale === 100 && Number(points) < 99;
      const from =
        year === 0 ? 0 : Math.max(year + 2, new Date(day).getUTCFullYear() + random.between(-1, 3));
      const isTold = year !== 0 && random.chance(0.75);
      rows.push([
        stamp(day + random.between(36_000, 68_000) * 1000),
        ref,
        critic.name,
        dateText(day),
        isRange
          ? `(${points}-${Number(points) + 2})`
          : `${points}${critic.scale === 100 && random.chance(0.06) ? "+" : ""}`,
        String(critic.scale),
        String(isTold ? from : 0),
        // Great ports outlive whoever buys them.
        String(isTold ? from + Math.round(heavyTailed(random, strength > 18 ? 32 : 6, 0.4)) : 0),
        critic.language,
        random.chance(0.85) ? random.pick(critic.notes) : "",
      ]);
    }
  }
  const columns = columnsOf({
    pvstamp: "text key",
    ref: "text in st.ref",
    critico: "text",
    data: "date",
    pontos: "text",
    escala: "integer",
    beberde: "integer",
    beberate: "integer",
    lingua: "text",
    nota: "text",
  });
  return { name: "pv", columns, rows };
}

export const priceOn = ({ price }: Article, day: number): number =>
  cents(price * (1 + 0.03 * (new Date(day).getUTCFullYear() - 2025)));
