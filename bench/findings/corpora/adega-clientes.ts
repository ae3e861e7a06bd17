import type { Random } from "../../../faults/random.ts";
import { type CorpusTable, columnsOf, type Row } from "../corpus.ts";
import { dateText, dayMs, digits, heavyTailed, money, mostlyFirst, some, weighted } from "../draw.ts";
import type { Article } from "./adega-artigos.ts";
import { nif, noDate, stamps, today } from "./adega-produtores.ts";

/** To whom it is sold, and who gets how much of what there is too little of. */

export type Kind = "REST" | "GARR" | "HOTEL" | "GD" | "PART" | "EXP" | "BALCAO";

export type Client = {
  no: number;
  /** 0 is the head office, which pays for its branches. */
  branch: number;
  name: string;
  /** What it was called before, and until when. */
  formerly: string | null;
  renamed: number;
  kind: Kind;
  vat: string;
  country: string;
  /** Mainland, Madeira, the Azores, or abroad: each has taxes of its own. */
  zone: "C" | "M" | "A" | "UE" | "PT3";
  currency: string;
  terms: number;
  discount: number;
  opened: number;
  closed: number | null;
  post: string;
  town: string;
  size: number;
};

const towns: [town: string, post: number, zone: Client["zone"]][] = [
  ["Lisboa", 1000, "C"],
  ["Porto", 4000, "C"],
  ["Cascais", 2750, "C"],
  ["Setúbal", 2900, "C"],
  ["Braga", 4700, "C"],
  ["Coimbra", 3000, "C"],
  ["Évora", 7000, "C"],
  ["Faro", 8000, "C"],
  ["Lagos", 8600, "C"],
  ["Lagoa", 8400, "C"],
  ["Funchal", 9000, "M"],
  ["Ponta Delgada", 9500, "A"],
  // Another one, on an island.
  ["Lagoa", 9560, "A"],
  ["Angra do Heroísmo", 9700, "A"],
];
const abroad: [country: string, town: string, currency: string, zone: Client["zone"], post: string][] = [
  ["ES", "Madrid", "EUR", "UE", "28001"],
  ["FR", "Bordeaux", "EUR", "UE", "33000"],
  ["DE", "Köln", "EUR", "UE", "50667"],
  ["LU", "Luxembourg", "EUR", "UE", "L-1118"],
  ["GB", "London", "GBP", "PT3", "SE1 9PU"],
  ["CH", "Zürich", "CHF", "PT3", "8005"],
  ["JP", "東京", "JPY", "PT3", "104-0061"],
  ["BR", "São Paulo", "USD", "PT3", "01310-100"],
  // Without a code for post.
  ["AO", "Luanda", "USD", "PT3", ""],
];
const heads: Partial<Record<Kind, string[]>> = {
  REST: ["Restaurante", "Tasca", "Cervejaria", "Taberna", "Marisqueira"],
  GARR: ["Garrafeira", "Mercearia", "Wine Bar & Shop"],
  HOTEL: ["Hotel", "Pousada", "Pestana &"],
  GD: ["Supermercados", "Distribuição"],
  EXP: ["Importadora", "Vinos", "Weinhandel", "Wines of", "Maison"],
};
const tails =
  "do Mar,da Sé,O Pescador,A Pescadora,São Bento,São Brás,Ribeira,Ribeiro,Bica,Alfama,Central,Avenida,Dom Luís,Dom Dinis,Zé da Mouraria,Mar Alto,Mar Azul,Castelo,Castela,Sol Nascente,Sol Poente,Graça,Lapa,Tejo,Douro & Filhos,Estrela,Estrela do Norte".split(
    ",",
  );
const persons =
  "António Pereira,Antónia Pereira,Maria João Sousa,Maria José Sousa,Luís Gonçalves,Luísa Gonçalves,João Magalhães,Inês Falcão,Rui Conceição,José M. Ferreira,José M. Ferreiro,Ana Simões,Teresa Brandão,Duarte Nóbrega".split(
    ",",
  );

const percent: Record<Kind, number[]> = {
  REST: [0, 5, 10, 10, 15],
  GARR: [10, 15, 20],
  HOTEL: [10, 15],
  GD: [25, 28, 32.5],
  PART: [0],
  EXP: [20, 25, 30],
  BALCAO: [0],
};

export function clientsOf(random: Random): Client[] {
  const clients: Client[] = [];
  const names = new Set<string>();
  const nameOf = (kind: Kind): string => {
    const name =
      kind === "PART"
        ? random.pick(persons)
        : `${random.pick(heads[kind] ?? [""])} ${random.pick(tails)}${kind === "GD" || random.chance(0.3) ? ", Lda." : ""}`;
    // People have the names that they have; firms differ.
    if (kind !== "PART" && names.has(name))
      return `${name} ${random.pick(["II", "(Baixa)", "- Foz", "& Irmão"])}`;
    names.add(name);
    return name;
  };
  const taxNumbers = new Set<string>();
  const taxNumberOf = (kind: Kind): string => {
    const number = nif(random, kind === "PART" ? "2" : "51");
    if (taxNumbers.has(number)) return taxNumberOf(kind);
    taxNumbers.add(number);
    return number;
  };
  for (let no = 1; no <= 440; no++) {
    const kind = weighted(random, { REST: 50, GARR: 20, HOTEL: 8, GD: 1.5, PART: 16, EXP: 5 }) as Kind;
    const [country, far, currency, farZone, code] =
      kind === "EXP" ? random.pick(abroad) : (["PT", "", "EUR", "C", ""] as const);
    const [near, first, nearZone] = mostlyFirst(random, towns, 1.7);
    const isAbroad = country !== "PT";
    const opened = Date.parse("2009-01-05") + Math.round(random.next() ** 0.7 * 5950) * dayMs;
    const isRenamed = kind !== "PART" && random.chance(0.05);
    const client: Client = {
      no,
      branch: 0,
      name: nameOf(kind),
      formerly: isRenamed ? nameOf(kind) : null,
      renamed: isRenamed ? Date.parse("2023-02-01") + random.between(0, 800) * dayMs : 0,
      kind,
      vat: isAbroad
        ? `${country === "AO" || country === "JP" ? "" : country}${digits(random, 9)}`
        : taxNumberOf(kind),
      country,
      zone: isAbroad ? farZone : nearZone,
      currency,
      terms:
        kind === "PART"
          ? 0
          : kind === "GD"
            ? 60
            : kind === "EXP"
              ? random.pick([30, 60, 90])
              : random.pick([0, 8, 30, 30, 30, 60]),
      discount: random.pick(percent[kind]),
      opened,
      closed:
        random.chance(0.12) && opened < today - 900 * dayMs
          ? opened + random.between(400, 850) * dayMs
          : null,
      post: isAbroad
        ? code
        : `${first + random.between(0, 9) * 5}-${String(random.between(1, 899)).padStart(3, "0")}`,
      town: isAbroad ? far : near,
      size: kind === "GD" ? 9 : kind === "EXP" ? 5 : kind === "PART" ? 0.25 : heavyTailed(random, 1, 0.7),
    };
    clients.push(client);
    // Chains have a number for each house.
    const houses =
      kind === "HOTEL" || kind === "GD" || (kind === "REST" && random.chance(0.06))
        ? random.between(1, 5)
        : 0;
    for (let branch = 1; branch <= houses; branch++) {
      const [town, at, zone] = mostlyFirst(random, towns, 1.5);
      clients.push({
        ...client,
        branch,
        town,
        post: `${at}-${digits(random, 3)}`,
        zone,
        size: client.size * 0.8,
        opened: opened + branch * 40 * dayMs,
      });
    }
  }
  clients.push({
    no: 99_999,
    branch: 0,
    name: "Consumidor final",
    formerly: null,
    renamed: 0,
    kind: "BALCAO",
    // The law's number for whoever does not tell theirs.
    vat: "999999990",
    country: "PT",
    zone: "C",
    currency: "EUR",
    terms: 0,
    discount: 0,
    opened: Date.parse("2009-01-05"),
    closed: null,
    post: "2685-338",
    town: "Prior Velho",
    size: 78,
  });
  return clients.filter(({ opened }) => opened < today - 60 * dayMs);
}

export function clientTable(random: Random, clients: readonly Client[]): CorpusTable {
  const stamp = stamps("ADM");
  const rows = clients.map((client): Row => {
    const {
      no,
      branch,
      name,
      formerly,
      renamed,
      kind,
      vat,
      country,
      zone,
      currency,
      terms,
      discount,
      opened,
      closed,
      post,
      town,
    } = client;
    const isFirm = kind !== "PART" && kind !== "BALCAO";
    return [
      stamp(opened + random.between(33_000, 66_000) * 1000),
      String(no),
      String(branch),
      formerly !== null && renamed > today ? formerly : name,
      vat,
      kind,
      country,
      zone,
      post,
      town,
      currency,
      String(terms),
      discount.toFixed(2),
      // Nothing is lent to people; the limit of a branch is that of its head office.
      !isFirm || branch > 0 || terms === 0
        ? "0.00"
        : money(Math.max(500, Math.round(heavyTailed(random, 3000, 0.9) / 500) * 500)),
      kind === "BALCAO" || random.chance(0.15)
        ? ""
        : country === "PT"
          ? `${random.pick(["21", "22", "91", "96", "289"])}${digits(random, 7)}`.slice(0, 9)
          : `+${digits(random, 11)}`,
      dateText(opened),
      closed === null ? noDate : dateText(closed),
      String(Number(closed !== null)),
      random.chance(0.08)
        ? random.pick([
            "Entregas só de manhã",
            "fechado 2ª feira",
            "Pagto. sempre em atraso!",
            "Ask for João",
            "Fatura por e-mail",
            "cave no 3.º andar",
          ])
        : "",
    ];
  });
  const columns = columnsOf({
    clstamp: "text key",
    no: "integer",
    estab: "integer",
    nome: "text",
    ncont: "text",
    tipo: "text",
    pais: "text",
    zonafisc: "text",
    codpost: "text",
    local: "text",
    moeda: "text",
    prazo: "integer",
    desc: "decimal",
    plafond: "decimal",
    telefone: "text",
    ousrdata: "date",
    dtfecho: "date",
    inactivo: "integer",
    obs: "text",
  });
  return { name: "cl", columns, rows };
}

/** Each spring there is less than is asked for; who bought last year is served first, and some say no in the end. */
export function allocationTable(
  random: Random,
  clients: readonly Client[],
  articles: readonly Article[],
): CorpusTable {
  const stamp = stamps("ALO");
  const rows: Row[] = [];
  for (let year = 2021; year <= 2025; year++) {
    const opens = Date.UTC(year, 3, 12);
    const scarce = articles.filter(
      ({ family, price, created, soldOut }) =>
        (price > 26 || family.code === "03.01.03") &&
        created < opens &&
        (soldOut === null || soldOut > opens + 80 * dayMs),
    );
    const able = clients.filter(
      ({ opened, closed, branch, kind }) =>
        opened < opens && branch === 0 && kind !== "BALCAO" && (closed ?? Infinity) > opens + 90 * dayMs,
    );
    for (const article of some(random, scarce, 26)) {
      const share = 0.3 + random.next() * 0.7;
      for (const client of some(random, able, random.between(6, 18))) {
        const asked = Math.max(1, Math.round(heavyTailed(random, 2.2 * Math.sqrt(client.size + 0.5), 0.8)));
        const given = random.chance(0.05)
          ? 0
          : Math.min(asked, Math.ceil(asked * share * (0.7 + random.next() * 0.6)));
        const answers = opens + random.between(9, 50) * dayMs;
        const isOpen = year === 2025 && random.chance(0.22);
        const isRefused = given > 0 && random.chance(0.09);
        const taken =
          isOpen || given === 0 ? 0 : isRefused ? 0 : random.chance(0.85) ? given : Math.ceil(given / 2);
        rows.push([
          stamp(opens + random.between(30_000, 400_000) * 1000),
          String(year),
          article.ref,
          String(client.no),
          String(asked),
          String(given),
          String(taken),
          // Early buyers pay a sixth less.
          money(Math.round(article.price * 0.84 * 10) / 10),
          isOpen || given === 0 ? noDate : dateText(answers),
          given === 0
            ? "SEM ATRIB."
            : isOpen
              ? "PENDENTE"
              : isRefused
                ? "RECUSADA"
                : taken < given
                  ? "PARCIAL"
                  : "CONFIRMADA",
          given > 0 && random.chance(0.04)
            ? random.pick(["quer MAGNUM", "aguarda pagamento", "só se for OWC"])
            : "",
        ]);
      }
    }
  }
  const columns = columnsOf({
    alstamp: "text key",
    campanha: "integer",
    ref: "text in st.ref",
    no: "integer in cl.no",
    cxpedida: "integer",
    cxatrib: "integer",
    cxconf: "integer",
    eprecoep: "decimal",
    dtresp: "date",
    estado: "text",
    obs: "text",
  });
  return { name: "al", columns, rows };
}

export type Cellar = { articles: Article[]; clients: Client[] };
