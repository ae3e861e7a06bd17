import type { Random } from "../../../faults/random.ts";
import { type CorpusTable, columnsOf, type Row } from "../corpus.ts";
import { dateText, dayMs, heavyTailed, maybe, mostlyFirst, normal, weighted } from "../draw.ts";
import { type Accession, nextWorkday, today, yearOf } from "./seedbank-accessions.ts";

/** What lies in the chambers, how it got there, and whether it still lives. */

/** Field books before are on paper. */
const fieldBooksFrom = 1988;
/** Older sheets were not typed in. */
const testsFrom = 2010;

export type Lot = {
  id: number;
  accession: Accession;
  /** Nobody knows of some that were received. */
  harvest: number | null;
  kind: "original" | "active" | "base" | "plants" | "cryo";
  stored: number;
  exhausted: number | null;
};

type Regeneration = {
  accession: Accession;
  from: Lot;
  sown: number;
  harvested: number | null;
  failure: string | null;
  isOpen: boolean;
  made: Lot[];
};

export type Stock = { lots: Lot[]; regenerations: Regeneration[] };

export function stockOf(random: Random, accessions: readonly Accession[]): Stock {
  const stock: Stock = { lots: [], regenerations: [] };
  for (const accession of accessions)
    if (accession.taxon.kind.seedWeight === null) plantsOf(random, accession, stock);
    else seedsOf(random, accession, stock);
  stock.lots.sort((a, b) => a.stored - b.stored);
  // Labels were printed on rolls; of some, the rest was thrown away.
  let id = 1;
  for (const lot of stock.lots) {
    id += random.chance(0.995) ? 1 : random.between(20, 400);
    lot.id = id;
  }
  stock.regenerations.sort((a, b) => a.sown - b.sown);
  return stock;
}

function plantsOf(random: Random, accession: Accession, { lots }: Stock): void {
  const lot = { id: 0, accession, harvest: null, exhausted: null };
  lots.push({ ...lot, kind: "plants", stored: accession.acquired });
  const frozen = nextWorkday(Date.UTC(random.between(2003, 2024), 1, random.between(1, 28)));
  if (random.chance(0.4) && frozen > accession.acquired) lots.push({ ...lot, kind: "cryo", stored: frozen });
}

function seedsOf(random: Random, accession: Accession, stock: Stock): void {
  const { kind } = accession.taxon;
  const { acquired, collected } = accession;
  let from: Lot = {
    id: 0,
    accession,
    harvest: collected ? yearOf(collected.day) : maybe(random, 0.3, () => yearOf(acquired) - 1),
    kind: "original",
    stored: nextWorkday(acquired + random.between(1, 30) * dayMs),
    exhausted: null,
  };
  stock.lots.push(from);
  let year = yearOf(acquired) + random.between(1, 7);
  while (year <= yearOf(today)) {
    const sown = nextWorkday(
      Date.UTC(year, kind.isWinter ? 9 : 3, random.between(1, 28)) + random.between(0, 9) * dayMs,
    );
    if (sown <= from.stored || sown >= today) break;
    const due = nextWorkday(sown + Math.round(kind.days * (1 + normal(random) * 0.06)) * dayMs);
    const hasFailed = random.chance(0.07);
    const isOpen = due > today;
    const regeneration: Regeneration = {
      accession,
      from,
      sown,
      harvested: hasFailed || isOpen ? null : due,
      failure:
        hasFailed && !isOpen
          ? random.pick(["hail", "not germinated", "mice", "lodged, moldy", "Hagel 12.7."])
          : null,
      isOpen,
      made: [],
    };
    if (year >= fieldBooksFrom) stock.regenerations.push(regeneration);
    if (isOpen) break;
    if (hasFailed) {
      year = yearOf(due) + random.between(1, 2);
      continue;
    }
    // It is dried and cleaned until winter.
    const stored = nextWorkday(due + random.between(50, 150) * dayMs);
    if (stored >= today) break;
    // What was there before is used up at last.
    if (from.kind !== "base" && random.chance(0.5))
      from.exhausted = nextWorkday(stored + random.between(30, 900) * dayMs);
    if (from.exhausted !== null && from.exhausted >= today) from.exhausted = null;
    const lot: Lot = { id: 0, accession, harvest: yearOf(due), kind: "active", stored, exhausted: null };
    regeneration.made.push(lot);
    if (random.chance(0.7)) regeneration.made.push({ ...lot, kind: "base" });
    stock.lots.push(...regeneration.made);
    from = lot;
    year = yearOf(due) + Math.round(Math.min(40, heavyTailed(random, 11 / Math.sqrt(kind.decay), 0.4)));
  }
}

const isCounted = ({ accession }: Lot): boolean =>
  accession.taxon.kind.isDormant || (accession.taxon.kind.seedWeight ?? 0) < 2;

/** In liquid nitrogen, cold, cool, or out in the field. */
const degreesOf = ({ kind, stored, harvest }: Lot): number | null =>
  kind === "cryo"
    ? -196
    : kind === "plants"
      ? null
      : kind === "active" || (kind === "original" && (harvest ?? yearOf(stored)) > 2015)
        ? 4
        : -18;

export function lotTable(random: Random, { lots }: Stock): CorpusTable {
  const weights = new Map<Accession, number>();
  const rows = lots.map((lot): Row => {
    const { accession, harvest, kind, stored, exhausted } = lot;
    const { seedWeight, isDormant } = accession.taxon.kind;
    const isSeed = kind !== "plants" && kind !== "cryo";
    const usual = weights.get(accession) ?? (seedWeight ?? 0) * Math.exp(normal(random) * 0.12);
    weights.set(accession, usual);
    const weight = usual * (1 + normal(random) * 0.05);
    const grams =
      heavyTailed(random, Math.min(260, 2.2 * Math.max(1, seedWeight ?? 1)), 0.7) *
      (kind === "original" ? 0.3 : 1);
    const amount =
      exhausted !== null
        ? 0
        : !isSeed
          ? random.between(kind === "cryo" ? 100 : 4, kind === "cryo" ? 240 : 12)
          : isCounted(lot)
            ? Math.round(heavyTailed(random, isDormant ? 900 : 4000, 0.8))
            : grams;
    const degrees = degreesOf(lot);
    return [
      String(lot.id),
      accession.no,
      kind,
      harvest === null ? null : String(harvest),
      dateText(stored),
      amount.toFixed(1),
      isSeed ? (isCounted(lot) ? "seeds" : "g") : kind === "cryo" ? "shoot tips" : "plants",
      isSeed
        ? maybe(random, kind === "original" ? 0.4 : 0.97, () => weight.toFixed(weight < 1 ? 4 : 2))
        : null,
      // Dried to equilibrium since there is a room for that.
      isSeed && yearOf(stored) >= 1995
        ? (5.4 + normal(random) * 0.5 + (seedWeight && seedWeight > 100 ? 1.6 : 0)).toFixed(1)
        : null,
      degrees === null ? null : String(degrees),
      // In the field it has no shelf; nor has what is used up.
      exhausted !== null || kind === "plants"
        ? null
        : kind === "cryo"
          ? `D${random.between(1, 4)}-${random.between(1, 40)}`
          : `${degrees === 4 ? "A" : "K"}${random.between(1, 2)}/${String(random.between(1, 64)).padStart(2, "0")}/${random.pick([..."abcdefgh"])}`,
      exhausted === null ? null : dateText(exhausted),
      yearOf(stored) < 1996 ? `${random.pick(["Glas", "Tüte"])} ${random.between(1, 4800)}` : null,
    ];
  });
  const columns = columnsOf({
    lot_id: "integer key",
    accenumb: "text references accessions.accenumb",
    lot_type: "text",
    harvest_year: "integer",
    stored_on: "date",
    amount: "decimal",
    unit: "text",
    tkw_g: "decimal",
    moisture_pct: "decimal",
    temperature_c: "integer",
    shelf: "text",
    exhausted_on: "date",
    old_label: "text",
  });
  return { name: "seed_lots", columns, rows };
}

export function regenerationTable(random: Random, { regenerations }: Stock): CorpusTable {
  const plots = new Map<number, number>();
  const rows = regenerations.map(
    ({ accession, from, sown, harvested, failure, isOpen, made }, index): Row => {
      const year = yearOf(sown);
      const plot = (plots.get(year) ?? 0) + 1;
      plots.set(year, plot);
      const { crop, isDormant, seedWeight } = accession.taxon.kind;
      const isCrossing = ["maize", "rye", "cabbage", "onion", "beet", "faba bean"].includes(crop);
      const grams = heavyTailed(random, 5 * Math.max(1, seedWeight ?? 1), 0.6);
      return [
        String(index + 1),
        accession.no,
        String(from.id),
        `${year % 100 < 10 ? "0" : ""}${year % 100}-${String(plot).padStart(3, "0")}`,
        dateText(sown),
        String(Math.max(3, Math.round(heavyTailed(random, isCrossing ? 80 : isDormant ? 25 : 140, 0.4)))),
        // Those that pollinate themselves need no cage.
        isCrossing ? weighted(random, { "insect cage": 60, distance: 25, bagging: 15 }) : null,
        harvested === null ? null : dateText(harvested),
        harvested === null ? null : grams.toFixed(1),
        isOpen ? "in the field" : failure === null ? "harvested" : "failed",
        made[0] ? String(made[0].id) : null,
        failure ??
          maybe(random, 0.1, () =>
            random.pick([
              "Mischung? 3 Pflanzen entfernt",
              "later than neighbor",
              "rust ++",
              "ok",
              "2. Ernte 9.9.",
            ]),
          ),
      ];
    },
  );
  const columns = columnsOf({
    regeneration_id: "integer key",
    accenumb: "text references accessions.accenumb",
    source_lot: "integer in seed_lots.lot_id",
    plot: "text",
    sown_on: "date",
    plants: "integer",
    isolation: "text",
    harvested_on: "date",
    yield_g: "decimal",
    outcome: "text",
    new_lot: "integer in seed_lots.lot_id",
    note: "text",
  });
  return { name: "regenerations", columns, rows };
}

/** Half of what is stored cool is dead after some decades; at -18 degrees it takes five times as long. */
function viability(lot: Lot, first: number, at: number): number {
  const half = (13 / lot.accession.taxon.kind.decay) * (degreesOf(lot) === -18 ? 5 : 1);
  const age = (at - lot.stored) / dayMs / 365.25;
  return first / (1 + Math.exp((age - half) / (half / 6)));
}

type Test = { lot: Lot; day: number; first: number; isFirst: boolean };

export function testTable(random: Random, { lots }: Stock): CorpusTable {
  const tests: Test[] = [];
  for (const lot of lots.filter(({ kind }) => kind !== "plants" && kind !== "cryo")) {
    const first =
      1 - Math.min(0.6, heavyTailed(random, lot.accession.taxon.kind.isDormant ? 0.16 : 0.035, 0.9));
    const interval = degreesOf(lot) === -18 ? 10 : lot.accession.taxon.kind.decay > 0.9 ? 4 : 7;
    let day = lot.stored + random.between(30, 240) * dayMs;
    for (let isFirst = true; day < (lot.exhausted ?? today); isFirst = false) {
      const on = nextWorkday(day);
      if (yearOf(on) >= testsFrom && on < (lot.exhausted ?? today) && random.chance(0.85))
        tests.push({ lot, day: on, first, isFirst });
      day += (interval * 365 + random.between(-200, 400)) * dayMs;
    }
  }
  tests.sort((a, b) => a.day - b.day);
  const rows = tests.map(({ lot, day, first, isFirst }, index): Row => {
    const { kind } = lot.accession.taxon;
    const alive = viability(lot, first, day);
    const isStained = random.chance(0.025);
    const resting =
      kind.isDormant && !isStained ? 0.25 + random.next() * 0.4 : random.chance(0.05) ? 0.06 : 0;
    const [count, size] =
      kind.isDormant || lot.kind === "original"
        ? random.pick([
            [2, 25],
            [2, 20],
            [1, 20],
          ])
        : random.pick([
            [4, 50],
            [4, 50],
            [4, 25],
          ]);
    const [repetitions = 4, seeds = 50] = [count, size];
    const found = Array.from({ length: repetitions }, () => sown(random, seeds, alive * (1 - resting)));
    const total = repetitions * seeds;
    const germinated = found.reduce((sum, each) => sum + each, 0);
    const rest = total - germinated;
    const fresh = Math.min(rest, sown(random, total, alive * resting));
    const abnormal = isStained
      ? 0
      : Math.min(rest - fresh, Math.round(Math.abs(normal(random)) * total * 0.012));
    const percent = Math.round((100 * germinated) / total);
    return [
      String(3000 + index),
      String(lot.id),
      dateText(day),
      isStained ? "TZ" : random.chance(0.8) ? "BP" : weighted(random, { TP: 8, S: 3 }),
      // Stained seeds are cut open the next day: at no temperature, in no light.
      isStained ? null : kind.regime,
      isStained
        ? null
        : maybe(random, kind.isDormant ? 0.8 : 0.12, () =>
            random.pick(["prechill 7 d 5 °C", "GA3 0.05 %", "scarified", "KNO3"]),
          ),
      String(
        isStained
          ? 1
          : kind.isDormant
            ? random.pick([28, 28, 42, 60])
            : kind.crop === "poppy"
              ? 10
              : kind.decay > 0.5
                ? 14
                : random.pick([7, 8, 10]),
      ),
      found.join(";"),
      String(total),
      String(germinated),
      String(abnormal),
      String(fresh),
      String(rest - fresh - abnormal),
      String(percent),
      isStained
        ? "estimate"
        : percent + Math.round((100 * fresh) / total) >= 85
          ? "keep"
          : percent >= 60
            ? "watch"
            : isFirst && kind.isDormant
              ? "retest"
              : "regenerate",
      mostlyFirst(
        random,
        yearOf(day) < 2004
          ? ["Hg", "Schl", "Wz"]
          : yearOf(day) < 2016
            ? ["Wz", "Kö", "MT"]
            : ["MT", "Kö", "AB", "ext. Labor"],
        1.4,
      ),
    ];
  });
  const columns = columnsOf({
    test_id: "integer key",
    lot_id: "integer in seed_lots.lot_id",
    tested_on: "date",
    method: "text",
    regime_c: "text",
    treatment: "text",
    test_days: "integer",
    replicates: "text",
    seeds: "integer",
    germinated: "integer",
    abnormal: "integer",
    fresh: "integer",
    dead: "integer",
    germination_pct: "integer",
    advice: "text",
    analyst: "text",
  });
  return { name: "germination_tests", columns, rows };
}

/** How many of so many come up. */
function sown(random: Random, seeds: number, share: number): number {
  const spread = Math.sqrt(seeds * share * (1 - share));
  return Math.max(0, Math.min(seeds, Math.round(seeds * share + normal(random) * spread)));
}
