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
  normal,
  timeText,
  weighted,
} from "../draw.ts";
import { daysFrom, isWorkday, momentsOf, poisson } from "./calendar.ts";
import { firstName, lastName, sentence } from "./names.ts";

const now = Date.parse("2025-04-11T16:00:00Z");
const today = Date.parse("2025-04-11");
const streetKinds = { Street: 55, Road: 20, Avenue: 15, Way: 6, Court: 3, Mews: 1 };

/** A town's offices: numbers that were written otherwise before a reform, rare sorts of things, and steps not yet taken. */
export function permits(seed: number): CorpusDatabase {
  const random = new Random(seed * 73 + 19);
  const parcels = parcelsOf(random);
  const officers = Array.from({ length: 26 }, () => `${lastName(random)}, ${firstName(random)}`);
  return {
    name: "permits",
    now,
    tables: [
      parcels,
      ...permitsOf(random, parcels.rows, officers),
      finesOf(random),
      complaintsOf(random, parcels.rows),
      censusOf(random),
    ],
  };
}

function parcelsOf(random: Random): CorpusTable {
  const streets = Array.from({ length: 120 }, () => `${lastName(random)} ${weighted(random, streetKinds)}`);
  const rows = Array.from({ length: 2400 }, (_, index): Row => {
    const block = 100 + Math.floor(index / 24);
    const zone = weighted(random, { R1: 50, R2: 24, C1: 14, M1: 8, P: 3.6, "R1-H": 0.4 });
    return [
      `${block}-${String((index % 24) + 1).padStart(3, "0")}`,
      `${random.between(1, 240)}${random.chance(0.06) ? random.pick(["a", "b", "c"]) : ""}`,
      random.pick(streets),
      zone,
      String(Math.round(heavyTailed(random, zone === "M1" ? 4200 : 620, 0.6))),
      maybe(random, 0.9, () => String(random.between(1890, 2024))),
      money(Math.round(heavyTailed(random, 310_000, 0.7) / 100) * 100),
      (51.2 + normal(random) * 0.02).toFixed(6),
      (-0.8 + normal(random) * 0.03).toFixed(6),
    ];
  });
  const columns = columnsOf({
    parcel: "text",
    house_no: "text",
    street: "text",
    zone: "text",
    area_m2: "integer",
    built: "integer",
    assessed: "decimal",
    lat: "decimal",
    lon: "decimal",
  });
  return { name: "parcels", columns, rows };
}

/** Until 2019 a number was `B/0417/18`; since then it is `BP-2020-00417`. */
function permitsOf(random: Random, parcels: readonly Row[], officers: readonly string[]): CorpusTable[] {
  const [list, visits]: [Row[], Row[]] = [[], []];
  for (let index = 0; index < 4100; index++) {
    const applied = Date.parse("2018-06-01") + (index / 4100) * (now - Date.parse("2018-06-01") - dayMs);
    const year = new Date(applied).getUTCFullYear();
    const number =
      year < 2019
        ? `B/${String((index % 9000) + 1).padStart(4, "0")}/${String(year).slice(2)}`
        : `BP-${year}-${String((index % 90_000) + 1).padStart(5, "0")}`;
    const took = (3 + heavyTailed(random, 24, 0.7)) * dayMs;
    const isDecided = applied + took < now;
    const verdict = isDecided ? weighted(random, { granted: 86, refused: 9, withdrawn: 5 }) : "pending";
    const cost = Math.round(heavyTailed(random, 14_000, 1.4) / 50) * 50 + 200;
    list.push([
      number,
      random.pick(parcels)[0] ?? null,
      weighted(random, {
        alteration: 46,
        roof: 20,
        extension: 17,
        new: 9,
        demolition: 5,
        sign: 2.5,
        mast: 0.5,
      }),
      dateText(applied),
      isDecided ? dateText(applied + took) : null,
      verdict,
      random.pick(officers),
      String(cost),
      money(cents(Math.max(60, cost * 0.012))),
      maybe(random, 0.2, () => sentence(random, random.between(4, 14))),
    ]);
    if (verdict !== "granted") continue;
    for (let visit = 1; visit <= 1 + poisson(random, 0.6); visit++)
      visits.push([
        String(visits.length + 1),
        number,
        String(visit),
        dateText(Math.min(now, applied + took + visit * 30 * dayMs)),
        weighted(random, { passed: 85, failed: 13, "no access": 2 }),
        maybe(random, 0.08, () => random.pick(officers)),
      ]);
  }
  return [
    {
      name: "permits",
      columns: columnsOf({
        permit_no: "text",
        parcel: "text in parcels.parcel",
        type: "text",
        applied_on: "date",
        decided_on: "date",
        decision: "text",
        officer: "text",
        cost: "integer",
        fee: "decimal",
        conditions: "text",
      }),
      rows: list,
    },
    {
      name: "inspections",
      columns: columnsOf({
        id: "integer key",
        permit_no: "text in permits.permit_no",
        visit: "integer",
        visited_on: "date",
        result: "text",
        second_officer: "text",
      }),
      rows: visits,
    },
  ];
}

/** Written on the street on each workday. */
function finesOf(random: Random): CorpusTable {
  const tariffs: Record<string, number> = { "101": 20, "102": 35, "104": 55, "110": 70, "118": 100 };
  const rows: Row[] = [];
  for (const day of daysFrom("2024-03-01", today - dayMs).filter(isWorkday))
    for (const at of momentsOf(random, day, poisson(random, 12), [7, 20])) {
      const offense = weighted(random, { "101": 50, "102": 28, "104": 14, "110": 7.5, "118": 0.5 });
      const isForeign = random.chance(0.04);
      rows.push([
        String(700_001 + rows.length),
        timeText(at),
        isForeign
          ? `${digits(random, 1)}${letters(random, 3)}${digits(random, 3)}`
          : `${letters(random, 2)}${digits(random, 2)} ${letters(random, 3)}`,
        offense,
        money(tariffs[offense] ?? 0),
        weighted(random, { paid: 88, open: 8, appealed: 3, waived: 1 }),
      ]);
    }
  const columns = columnsOf({
    fine_no: "integer key",
    created_at: "time",
    plate: "text",
    offense: "text",
    amount: "decimal",
    status: "text",
  });
  return { name: "parking_fines", columns, rows, loads: { column: "created_at", period: "day" } };
}

function complaintsOf(random: Random, parcels: readonly Row[]): CorpusTable {
  const rows = Array.from({ length: 3300 }, (_, index): Row => {
    const at = now - ((3300 - index) / 3300) * 800 * dayMs;
    const isClosed = at + 20 * dayMs < now || random.chance(0.6);
    return [
      String(index + 1),
      timeText(at),
      weighted(random, { web: 58, phone: 30, app: 10, letter: 1.6, fax: 0.4 }),
      weighted(random, { waste: 34, lighting: 21, noise: 18, road: 16, tree: 9, other: 2 }),
      maybe(random, 0.8, () => random.pick(parcels)[0] ?? ""),
      String(weighted(random, { "3": 60, "2": 28, "4": 9, "1": 3 })),
      isClosed ? timeText(Math.min(now, at + heavyTailed(random, 4, 0.9) * dayMs)) : null,
      sentence(random, random.between(3, 16)),
    ];
  });
  const columns = columnsOf({
    id: "integer key",
    received_at: "time",
    channel: "text",
    topic: "text",
    parcel: "text in parcels.parcel",
    priority: "integer",
    closed_at: "time",
    words: "text",
  });
  return { name: "complaints", columns, rows };
}

/** By ward and year: totals of what else is in the row. */
function censusOf(random: Random): CorpusTable {
  const rows: Row[] = [];
  for (let ward = 1; ward <= 18; ward++) {
    let [young, adult, old] = [900, 3400, 1100].map((usual) => Math.round(heavyTailed(random, usual, 0.3)));
    for (let year = 2008; year <= 2024; year++) {
      young = Math.round((young ?? 0) * (0.99 + random.next() * 0.03));
      adult = Math.round((adult ?? 0) * (0.99 + random.next() * 0.025));
      old = Math.round((old ?? 0) * (1 + random.next() * 0.02));
      rows.push([
        `W${String(ward).padStart(2, "0")}`,
        String(year),
        String(young),
        String(adult),
        String(old),
        String(young + adult + old),
        ((100 * old) / (young + adult + old)).toFixed(1),
      ]);
    }
  }
  const columns = columnsOf({
    ward: "text",
    year: "integer",
    under_18: "integer",
    from_18_to_64: "integer",
    over_64: "integer",
    people: "integer",
    share_over_64: "decimal",
  });
  return { name: "residents", columns, rows };
}
