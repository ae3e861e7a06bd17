import type { Random } from "../../../faults/random.ts";
import { type CorpusTable, columnsOf, type Row } from "../corpus.ts";
import { dateText, dayMs, digits, letters, maybe, mostlyFirst, normal, some, weighted } from "../draw.ts";
import { isWorkday } from "./calendar.ts";
import { lastName } from "./names.ts";
import { below, institutes, type Kind, kinds, type Site, sites, synonyms } from "./seedbank-words.ts";

/** Names of plants, and what was taken into the collection. */

export const now = Date.parse("2025-10-06T04:40:00Z");
export const today = Date.parse("2025-10-06");
/** All but the house itself. */
const donors = institutes.map(([code]) => code).filter((code) => code !== "DEU600");

export const yearOf = (moment: number): number => new Date(moment).getUTCFullYear();

export function nextWorkday(moment: number): number {
  let day = Math.floor(moment / dayMs) * dayMs;
  while (!isWorkday(day)) day += dayMs;
  return day;
}

export type Taxon = {
  id: number;
  kind: Kind;
  genus: string;
  species: string;
  rank: string;
  lower: string | null;
  authority: string;
  /** For names that are accepted no more. */
  accepted: Taxon | null;
};

export function taxaOf(random: Random): Taxon[] {
  const taxa: Taxon[] = kinds.map((kind) => ({
    id: 0,
    kind,
    genus: kind.genus,
    species: kind.species,
    rank: "species",
    lower: null,
    authority: kind.authority,
    accepted: null,
  }));
  const known = (name: string) => taxa.find(({ genus, species }) => `${genus} ${species}` === name);
  for (const [name, rank, lower, authority] of below) {
    const of = known(name);
    if (of) taxa.push({ ...of, rank, lower, authority });
  }
  for (const [genus, species, authority, name] of synonyms) {
    const accepted = known(name);
    if (accepted) taxa.push({ ...accepted, genus, species, authority, accepted });
  }
  // Nobody knew at first which species they were of.
  for (const genus of ["Triticum", "Aegilops", "Allium", "Solanum"]) {
    const kind = kinds.find((each) => each.genus === genus);
    if (kind)
      taxa.push({
        id: 0,
        kind,
        genus,
        species: "sp.",
        rank: "genus",
        lower: null,
        authority: "L.",
        accepted: null,
      });
  }
  const ids = some(
    random,
    Array.from({ length: 420 }, (_, index) => 101 + index),
    taxa.length,
  ).sort((a, b) => a - b);
  for (const [index, taxon] of some(random, taxa, taxa.length).entries()) taxon.id = ids[index] ?? 0;
  return taxa.sort((a, b) => a.id - b.id);
}

export function taxonTable(taxa: readonly Taxon[]): CorpusTable {
  const rows = taxa.map(
    ({ id, kind, genus, species, rank, lower, authority, accepted }): Row => [
      String(id),
      kind.family,
      genus,
      species,
      authority,
      rank,
      lower === null ? null : `${rank} ${lower}`,
      kind.crop,
      accepted === null ? null : String(accepted.id),
      // Seeds that cannot be dried are kept as plants.
      kind.seedWeight === null ? "vegetative" : kind.crop === "date palm" ? "intermediate" : "orthodox",
    ],
  );
  const columns = columnsOf({
    taxon_id: "integer key",
    family: "text",
    genus: "text",
    species: "text",
    authority: "text",
    rank: "text",
    infraspecific: "text",
    crop_name: "text",
    accepted_taxon_id: "integer references taxa.taxon_id",
    storage_behavior: "text",
  });
  return { name: "taxa", columns, rows };
}

export function instituteTable(random: Random): CorpusTable {
  const rows = institutes.map(
    ([code, name, acronym, country, successor]): Row => [
      code,
      name,
      acronym,
      country,
      successor === "" ? null : successor,
      successor === "" ? maybe(random, 0.75, () => `https://www.${acronym.toLowerCase()}.example`) : null,
    ],
  );
  const columns = columnsOf({
    instcode: "text key",
    full_name: "text",
    acronym: "text",
    country: "text",
    successor_code: "text references institutes.instcode",
    url: "text",
  });
  return { name: "institutes", columns, rows };
}

export type Accession = {
  no: string;
  taxon: Taxon;
  /** As the standard for passport data has it: 300 is a landrace, 500 a variety. */
  status: number;
  acquired: number;
  collected: Collecting | null;
  parent: Accession | null;
  name: string | null;
  origin: string | null;
  pedigree: string | null;
};

type Collecting = {
  day: number;
  /** How much of the date is known. */
  precision: "day" | "month" | "year";
  site: Site;
  no: string;
  at: [string, string] | null;
  uncertainty: number | null;
  meters: number | null;
  source: number;
};

/** `198605--`: months and days that nobody wrote down are dashes. */
function partialDate(day: number, precision: Collecting["precision"]): string {
  const text = dateText(day).replaceAll("-", "");
  return precision === "day"
    ? text
    : precision === "month"
      ? `${text.slice(0, 6)}--`
      : `${text.slice(0, 4)}----`;
}

type Mission = { from: number; days: number; sites: Site[]; prefix: string; next: number };

/** Journeys on which much was collected in few days, at the same places. */
const missionsOf = (random: Random): Mission[] =>
  Array.from({ length: 46 }, () => {
    const year = random.between(1951, 2023);
    return {
      from: Date.UTC(year, random.between(5, 8), random.between(1, 28)),
      days: random.between(4, 19),
      sites: some(random, sites, random.between(1, 2)),
      prefix: random.pick(["K", `${letters(random, 2)}-`, `${year % 100}/`, "HH "]),
      next: random.between(1, 40),
    };
  }).sort((a, b) => a.from - b.from);

function collectedOn(random: Random, mission: Mission): Collecting {
  const day = mission.from + random.between(0, mission.days) * dayMs;
  const site = random.pick(mission.sites);
  const year = yearOf(day);
  const hasGps = year >= 1998;
  // Before there were satellites, they were read off a map, to a minute; and often not at all.
  const isLocated = hasGps || random.chance(0.55);
  const minutes = (degrees: number) => (Math.round(degrees * 60) / 60).toFixed(4);
  const [latitude, longitude] = site.at.map((degrees) => degrees + normal(random) * 0.03) as [number, number];
  const precision = hasGps
    ? "day"
    : (weighted(random, { day: 70, month: 22, year: 8 }) as Collecting["precision"]);
  mission.next += random.between(1, 3);
  return {
    day,
    precision,
    site,
    no: `${mission.prefix}${mission.next}`,
    at: !isLocated
      ? null
      : hasGps
        ? [latitude.toFixed(5), longitude.toFixed(5)]
        : [minutes(latitude), minutes(longitude)],
    uncertainty: hasGps ? random.pick([10, 10, 10, 5, 100]) : isLocated ? 1850 : null,
    meters: isLocated
      ? Math.round(site.meters + (site.isSteep ? random.between(-110, 190) : random.between(-3, 3)))
      : null,
    source: Number(weighted(random, { 10: 12, 20: 40, 21: 14, 23: 8, 26: 9, 30: 17 })),
  };
}

const pickKind = (random: Random, of: readonly Taxon[]): Taxon => {
  const all = of.reduce((sum, { kind }) => sum + kind.share, 0);
  let rest = random.next() * all;
  for (const taxon of of) {
    rest -= taxon.kind.share;
    if (rest < 0) return taxon;
  }
  return of.at(-1) as Taxon;
};

export function accessionsOf(random: Random, taxa: readonly Taxon[]): Accession[] {
  const missions = missionsOf(random);
  // Each name is used; rare are those that are accepted no more, and those that say too little.
  const usual = taxa.filter(({ accepted, rank }) => accepted === null && rank !== "genus");
  const accessions: Accession[] = [];
  const draw = (): Accession => {
    const taxon = pickKind(random, random.chance(0.97) ? usual : taxa);
    const { kind } = taxon;
    const isWild =
      kind.isDormant || ["spontaneum", "aegilopoides", "maritima", "elatius"].includes(taxon.lower ?? "");
    const status = isWild
      ? random.pick([100, 100, 100, 110, 120])
      : Number(
          weighted(random, {
            300: 55,
            500: kind.names.length > 0 ? 24 : 0,
            400: 8,
            410: 4,
            415: 3,
            999: 1,
            0: 6,
          }),
        );
    const isCollected = status <= 300 && status > 0 && random.chance(0.9);
    const collected = isCollected ? collectedOn(random, random.pick(missions)) : null;
    const acquired = collected
      ? nextWorkday(collected.day + random.between(40, 700) * dayMs)
      : nextWorkday(Date.UTC(1948, 2, 1) + Math.floor(random.next() ** 0.8 * 28_000) * dayMs);
    return {
      no: "",
      taxon,
      status,
      acquired: Math.min(acquired, today - 40 * dayMs),
      collected,
      parent: null,
      // Wild plants have no name, and of a landrace it is rarely known how it was called.
      name:
        status === 500
          ? random.pick(kind.names)
          : status === 300
            ? maybe(random, 0.14, () => random.pick(landraces))
            : null,
      origin: collected
        ? collected.site.country(yearOf(collected.day))
        : status === 0
          ? null
          : maybe(random, 0.85, () => random.pick(["DEU", "NLD", "FRA", "USA", "SUN", "CZE", "ITA"])),
      pedigree: status >= 400 && status < 500 ? random.pick(pedigrees) : null,
    };
  };
  while (accessions.length < 1640) accessions.push(draw());
  accessions.sort((a, b) => a.acquired - b.acquired);
  // A mixture was divided: the parts have numbers of their own.
  for (const accession of some(random, accessions, 45))
    if (accession.acquired < Date.parse("2019-01-01"))
      for (let part = random.between(1, 3); part > 0; part--) {
        const acquired = nextWorkday(accession.acquired + random.between(300, 2000) * dayMs);
        accessions.push({ ...accession, acquired, parent: accession });
      }
  accessions.sort((a, b) => a.acquired - b.acquired);
  // The institute that was taken over counted by year; its numbers were kept.
  let own = 0;
  const others = new Map<number, number>();
  for (const accession of accessions) {
    const year = yearOf(accession.acquired);
    const isOther = year >= 1962 && year <= 1991 && random.chance(0.24);
    const count = (others.get(year) ?? 0) + random.between(1, 9);
    if (isOther) others.set(year, count);
    else own += random.between(1, 22);
    accession.no = isOther ? `KW ${String(count).padStart(4, "0")}/${year % 100}` : `SB ${own}`;
  }
  return accessions;
}

const landraces = ["Landsorte", "Rotkorn", "Kara Kılçık", "ስንዴ", "Ajvar", "Blat d'hivèrn", "Jęczmień"];
const pedigrees = [
  "Capelle//Hybrid 46/Professeur Marchal",
  "Isaria/Union",
  "(Haisa x H. spontaneum) x Haisa",
  "Mut. Trumpf, X-ray 180 Gy",
  "PI 264224/2*Manitou",
];
const remarks = [
  "mixed with 2-row",
  "heads shattering",
  "det. 1994, not monococcum!",
  "siehe Feldbuch 1978 S. 112",
  "seed coat mottled",
  "= parent?",
  "Etikett unleserlich",
];
const bred = ["DEU001", "NLD037", "CZE122", "RUS001", "USA029", "GBR011", "MEX002"];

export function accessionTable(random: Random, accessions: readonly Accession[]): CorpusTable {
  const rows = accessions.map((accession, index): Row => {
    const { no, taxon, status, acquired, collected, parent } = accession;
    const isBred = status >= 400 && status < 600;
    const isOld = acquired < Date.parse("1975-01-01");
    const donor = parent || (collected && random.chance(0.5)) ? null : mostlyFirst(random, donors, 1.4);
    const isPlant = taxon.kind.seedWeight === null;
    const duplicates = some(
      random,
      ["NOR051", "DEU146", "CHE001"],
      Number(weighted(random, { 0: 30, 1: 45, 2: 22, 3: 3 })),
    );
    return [
      no,
      // Identifiers were given to all that was there when they were introduced, and only later to some of the new.
      acquired < Date.parse("2019-06-01") || random.chance(0.4) ? `10.25642/${uniqueId(index)}` : null,
      String(taxon.id),
      accession.name,
      partialDate(acquired, isOld ? (weighted(random, { day: 35, month: 25, year: 40 }) as "day") : "day"),
      status === 0 ? null : String(status),
      accession.origin,
      collected ? partialDate(collected.day, collected.precision) : null,
      collected?.no ?? null,
      collected?.site.name ?? null,
      collected?.at?.[0] ?? null,
      collected?.at?.[1] ?? null,
      collected?.uncertainty?.toString() ?? null,
      collected?.meters?.toString() ?? null,
      collected ? String(collected.source) : null,
      donor,
      donor === null ? null : maybe(random, 0.7, () => donorNumber(random, donor)),
      isBred ? maybe(random, 0.6, () => random.pick(bred)) : null,
      accession.pedigree,
      isPlant
        ? random.pick(["20;30", "20", "30;40"])
        : yearOf(acquired) < 1970
          ? "13;12"
          : random.pick(["13", "13;12", "13;12", "13;12;20"]),
      duplicates.length > 0 && !isPlant ? duplicates.toSorted().join(";") : null,
      // In the multilateral system, not in it, or nobody has decided.
      taxon.kind.crop === "tomato" || taxon.kind.crop === "orchid" ? "0" : maybe(random, 0.93, () => "1"),
      parent?.no ?? null,
      maybe(random, 0.07, () => `${lastName(random)}: ${random.pick(remarks)}`),
    ];
  });
  const columns = columnsOf({
    accenumb: "text key",
    puid: "text",
    taxon_id: "integer in taxa.taxon_id",
    accename: "text",
    acqdate: "text",
    sampstat: "integer",
    origcty: "text",
    colldate: "text",
    collnumb: "text",
    collsite: "text",
    declatitude: "decimal",
    declongitude: "decimal",
    coorduncert: "integer",
    elevation: "integer",
    collsrc: "integer",
    donorcode: "text in institutes.instcode",
    donornumb: "text",
    bredcode: "text in institutes.instcode",
    ancest: "text",
    storage: "text",
    duplsite: "text",
    mlsstat: "integer",
    split_from: "text references accessions.accenumb",
    remarks: "text",
  });
  return { name: "accessions", columns, rows };
}

/** As the agency makes them, without letters that look like others; of 2^25 there is none twice. */
function uniqueId(index: number): string {
  const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
  let rest = (index * 7_368_787 + 19_583) % 2 ** 25;
  let text = "";
  for (; text.length < 5; rest = Math.floor(rest / 32)) text = `${alphabet[rest % 32]}${text}`;
  return text;
}

/** Each house counts in its own way. */
const donorNumber = (random: Random, code: string): string =>
  code === "DEU146"
    ? `${random.pick(["TRI", "HOR", "PHA", "PIS"])} ${random.between(1, 29_000)}`
    : code.startsWith("USA")
      ? `PI ${random.between(3000, 690_000)}`
      : code === "RUS001"
        ? `k-${random.between(100, 64_000)}`
        : code.startsWith("CZE")
          ? `01C${digits(random, 7)}`
          : code === "NOR051"
            ? `S${digits(random, 5)}`
            : String(random.between(1, 41_000));
