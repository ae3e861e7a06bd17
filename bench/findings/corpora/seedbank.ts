import { Random } from "../../../faults/random.ts";
import { type CorpusDatabase, type CorpusTable, columnsOf, type Row } from "../corpus.ts";
import { dateText, dayMs, digits, heavyTailed, money, mostlyFirst, normal, some, weighted } from "../draw.ts";
import { isWorkday, poisson, season } from "./calendar.ts";
import { firstName, lastName } from "./names.ts";
import {
  accessionsOf,
  accessionTable,
  instituteTable,
  nextWorkday,
  now,
  taxaOf,
  taxonTable,
  today,
  yearOf,
} from "./seedbank-accessions.ts";
import { type Lot, lotTable, regenerationTable, stockOf, testTable } from "./seedbank-lots.ts";

/** Since then whoever gets seeds signs the standard agreement. */
const treaty = Date.parse("2007-01-01");
const climateFrom = Date.parse("2023-07-01");

/**
 * A genebank: passport data as the standard has them, with dates of which only the year is known, countries that are no
 * more, sites below the sea, lists in a cell, numbers of an institute that was taken over, seeds that are weighed or
 * counted, tests of lots that are dead, wild seeds that rest, and chambers that are thawed.
 */
export function seedbank(seed: number): CorpusDatabase {
  const random = new Random(seed * 163 + 127);
  const taxa = taxaOf(random);
  const accessions = accessionsOf(random, taxa);
  const stock = stockOf(random, accessions);
  const requests = requestsOf(random, stock.lots);
  return {
    name: "seedbank",
    now,
    tables: [
      taxonTable(taxa),
      instituteTable(random),
      accessionTable(random, accessions),
      lotTable(random, stock),
      regenerationTable(random, stock),
      testTable(random, stock),
      requestTable(random, requests),
      itemTable(random, requests),
      climateTable(random),
    ],
  };
}

type Request = { id: number; day: number; sent: number | null; status: string; lots: Lot[] };

/** Most ask in winter, for what they want to sow in spring; a few ask for all barleys there are. */
function requestsOf(random: Random, lots: readonly Lot[]): Request[] {
  const requests: Request[] = [];
  const active = lots.filter(({ kind }) => kind === "active");
  const byCrop = Map.groupBy(active, ({ accession }) => accession.taxon.kind.crop);
  const crops = [...byCrop].toSorted(([, a], [, b]) => b.length - a.length).map(([crop]) => crop);
  for (let day = Date.parse("2005-01-03"); day < today; day += dayMs) {
    if (!isWorkday(day)) continue;
    for (let count = poisson(random, 0.13 * season(day - 40 * dayMs, 0.6)); count > 0; count--) {
      const there = (byCrop.get(mostlyFirst(random, crops, 1.6)) ?? []).filter(
        ({ stored, exhausted }) => stored < day && (exhausted === null || exhausted > day),
      );
      if (there.length === 0) continue;
      const asked = some(random, there, Math.ceil(Math.min(180, heavyTailed(random, 2.4, 1.1))));
      const sent = nextWorkday(day + Math.ceil(heavyTailed(random, 16, 0.7)) * dayMs);
      const isOpen = sent >= today;
      const status = isOpen ? "open" : weighted(random, { sent: 90, declined: 4, withdrawn: 6 });
      requests.push({ id: 0, day, sent: status === "sent" ? sent : null, status, lots: asked });
    }
  }
  for (const [index, request] of requests.entries()) request.id = index + 1;
  return requests;
}

const places = [
  { place: "Universität Hohenheim", country: "DEU" },
  { place: "Wageningen UR", country: "NLD" },
  { place: "KWS Saat", country: "DEU" },
  { place: "BOKU Wien", country: "AUT" },
  { place: "VERN e.V.", country: "DEU" },
  { place: "Rijk Zwaan", country: "NLD" },
  { place: "Museumsdorf Cloppenburg", country: "DEU" },
  { place: "Max-Planck-Institut", country: "DEU" },
  { place: "NIAB Cambridge", country: "GBR" },
  { place: "INRAE Clermont-Ferrand", country: "FRA" },
  { place: "Oregon State University", country: "USA" },
  { place: "岡山大学", country: "JPN" },
  { place: "Mekelle University", country: "ETH" },
];

function requestTable(random: Random, requests: readonly Request[]): CorpusTable {
  const people = Array.from({ length: 210 }, () => ({
    name: `${firstName(random)} ${lastName(random)}`,
    title: weighted(random, { "": 55, "Dr. ": 35, "Prof. Dr. ": 10 }),
    // Gardeners have no institute.
    ...(random.chance(0.55)
      ? mostlyFirst(random, places, 1.3)
      : { place: null, country: mostlyFirst(random, ["DEU", "AUT", "CHE", "NLD", "FRA", "GBR"], 2.2) }),
  }));
  const counts = new Map<number, number>();
  const rows = requests.map(({ id, day, sent, status, lots }): Row => {
    const person = mostlyFirst(random, people, 1.7);
    const year = yearOf(day);
    const count = (counts.get(year) ?? 0) + 1;
    counts.set(year, count);
    const isAbroad = !["DEU", "AUT", "NLD", "CZE", "FRA", "POL"].includes(person.country);
    const isGardener = person.place === null;
    return [
      String(id),
      `${year}/${String(count).padStart(3, "0")}`,
      `${person.title}${person.name}`,
      person.place,
      person.country,
      dateText(day),
      isGardener
        ? "cultivation"
        : weighted(random, { research: 55, breeding: 25, education: 8, cultivation: 7, exhibition: 5 }),
      String(lots.length),
      status,
      sent === null ? null : dateText(sent),
      sent !== null && sent >= treaty ? `SMTA-${600 + (id % 7)}${digits(random, 4)}-${id}` : null,
      // What leaves the union needs a certificate; and since it left, so does what goes to Britain.
      sent !== null && isAbroad && (person.country !== "GBR" || sent >= Date.parse("2021-01-01"))
        ? `EC/DE/BW/${digits(random, 6)}`
        : null,
      sent === null ? null : money(isGardener && sent >= Date.parse("2014-01-01") ? 12.5 : 0),
    ];
  });
  const columns = columnsOf({
    request_id: "integer key",
    request_no: "text",
    requester: "text",
    institution: "text",
    country: "text",
    requested_on: "date",
    purpose: "text",
    samples: "integer",
    status: "text",
    sent_on: "date",
    smta: "text",
    phyto_certificate: "text",
    handling_fee_eur: "decimal",
  });
  return { name: "requests", columns, rows };
}

function itemTable(random: Random, requests: readonly Request[]): CorpusTable {
  const rows = requests.flatMap((request) => {
    const usual = weighted(random, { standard: 90, double: 7, more: 3 });
    return request.lots.map((lot, index): Row => {
      const { crop, seedWeight } = lot.accession.taxon.kind;
      const isThere = request.status === "sent" && (index === 0 || random.chance(0.97));
      const times = { standard: 1, double: 2, more: 10 }[usual];
      const seeds = ((seedWeight ?? 1) > 100 ? 20 : crop === "wheat" || crop === "barley" ? 100 : 50) * times;
      const isWeighed = crop === "flax" || crop === "poppy";
      return [
        String(request.id),
        String(index + 1),
        lot.accession.no,
        String(lot.id),
        isThere ? (isWeighed ? "1" : String(seeds)) : null,
        isThere ? (isWeighed ? "g" : "seeds") : null,
        request.status === "sent" ? (isThere ? "sent" : "not available") : request.status,
        request.status === "sent" && !isThere
          ? random.pick(["too few seeds", "in regeneration", "germination low"])
          : null,
      ];
    });
  });
  const columns = columnsOf({
    request_id: "integer references requests.request_id",
    line: "integer",
    accenumb: "text in accessions.accenumb",
    lot_id: "integer in seed_lots.lot_id",
    quantity: "integer",
    unit: "text",
    status: "text",
    reason: "text",
  });
  return { name: "request_items", columns, rows, loads: { childrenOf: "request_id" } };
}

/** One line a day and chamber. Ice is thawed off once a quarter: then it gets warm for hours. */
function climateTable(random: Random): CorpusTable {
  const chambers = [
    { code: "K1", mean: -18.4, humidity: null },
    { code: "K2", mean: -19.1, humidity: null },
    { code: "A1", mean: 4.1, humidity: 33 },
    { code: "TR", mean: 15.2, humidity: 15 },
  ];
  const rows: Row[] = [];
  const count = Math.round((today - climateFrom) / dayMs);
  for (let day = climateFrom, index = 0; index < count; day += dayMs, index++)
    for (const { code, mean, humidity } of chambers) {
      const isCold = humidity === null;
      const date = new Date(day);
      const isThawed =
        isCold && date.getUTCMonth() % 3 === (code === "K1" ? 0 : 1) && date.getUTCDate() === 6;
      const average = mean + normal(random) * 0.15 + (isThawed ? 3 + random.next() : 0);
      const openings = isWorkday(day) ? poisson(random, isCold ? 3 : 9) : random.chance(0.03) ? 1 : 0;
      const peak =
        average +
        0.4 +
        openings * (isCold ? 0.35 : 0.1) * random.next() +
        (isThawed ? 11 + random.next() * 5 : 0);
      rows.push([
        code,
        dateText(day),
        (average - 0.3 - random.next() * 0.5).toFixed(1),
        average.toFixed(1),
        peak.toFixed(1),
        // No sensor measures it where it is that cold.
        humidity === null ? null : (humidity + normal(random) * 0.8 + 0.2 * openings).toFixed(1),
        String(openings),
        isThawed ? "defrost" : null,
      ]);
    }
  const columns = columnsOf({
    chamber: "text",
    day: "date",
    t_min: "decimal",
    t_avg: "decimal",
    t_max: "decimal",
    rh_avg: "decimal",
    door_openings: "integer",
    event: "text",
  });
  return {
    name: "chamber_climate",
    columns,
    rows,
    loads: { column: "day", period: "day", areAtOnce: true, areAlike: true },
  };
}
