import { Random } from "../../../faults/random.ts";
import { type CorpusDatabase, type CorpusTable, columnsOf, type Row } from "../corpus.ts";
import {
  cents,
  dateText,
  dayMs,
  heavyTailed,
  money,
  mostlyFirst,
  normal,
  timeText,
  weighted,
} from "../draw.ts";
import {
  type Batch,
  batchesOf,
  batchTable,
  midnight,
  nextWorkday,
  now,
  recipesOf,
  recipeTable,
  secondHouse,
  today,
} from "./brewery-batches.ts";
import { checkDigit, kegsOf, kegTable, movementsOf, movementTable } from "./brewery-kegs.ts";
import { hourMs, isWorkday } from "./calendar.ts";

/** Readings before it went to the archive. */
const readingsFrom = Date.parse("2024-01-01");
/** The new meter measures the specific gravity, no longer degrees Plato. */
const newMeter = Date.parse("2025-01-13");

/**
 * A brewery of two houses: recipes in versions, batches that are blended or poured away, an extract whose unit changed
 * with the meter, beer without alcohol that owes no duty, declarations that correct others, and kegs that come back
 * late or never.
 */
export function brewery(seed: number): CorpusDatabase {
  const random = new Random(seed * 149 + 107);
  const recipes = recipesOf(random);
  const batches = batchesOf(random, recipes);
  const kegs = kegsOf(random);
  const movements = movementsOf(random, kegs, batches);
  return {
    name: "brewery",
    now,
    tables: [
      recipeTable(random, recipes),
      batchTable(random, batches),
      occupancyTable(random, batches),
      readingTable(random, batches),
      exciseTable(random, batches),
      kegTable(random, kegs, movements),
      movementTable(movements),
    ],
  };
}

function lastWorkday(moment: number): number {
  let day = midnight(moment);
  while (!isWorkday(day)) day -= dayMs;
  return day;
}

/** A tank holds one batch at a time; more tanks were bought as they were needed. */
function occupancyTable(random: Random, batches: readonly Batch[]): CorpusTable {
  type Stay = { tank: string; batch: Batch; use: string; from: number; until: number | null; volume: number };
  const stays: Stay[] = [];
  const freeFrom = new Map<string, number>();
  const take = (kind: string, from: number, until: number): string => {
    const free = [...freeFrom].filter(([tank, at]) => tank.startsWith(kind) && at <= from);
    const number = [...freeFrom.keys()].filter((tank) => tank.startsWith(kind)).length + 1;
    const tank = free.length > 0 ? random.pick(free)[0] : `${kind}${String(number).padStart(2, "0")}`;
    freeFrom.set(tank, until + 6 * hourMs);
    return tank;
  };
  const brewed = batches.filter((batch) => batch.brewed !== null);
  const begins = brewed.flatMap((batch) => {
    const filled = batch.planned + random.between(15 * 60, 21 * 60) * 60_000;
    const moved = batch.moved + random.between(6 * 60, 13 * 60) * 60_000;
    const stay = { batch, use: "ferment", from: filled, until: moved };
    const isOver = batch.status === "dumped" || batch.status === "blended" || batch.moved >= today;
    const emptied = batch.filled + random.between(6 * 60, 15 * 60) * 60_000;
    return isOver ? [stay] : [stay, { batch, use: "lager", from: moved, until: emptied }];
  });
  for (const { batch, use, from, until } of begins.toSorted((a, b) => a.from - b.from)) {
    const tank = take(`${batch.house}-${use === "ferment" ? "FV" : "BT"}`, from, until);
    const volume = use === "lager" ? (batch.volume + batch.added) * 0.985 : batch.volume;
    stays.push({ tank, batch, use, from, until: until < now ? until : null, volume });
  }
  const rows = stays.map(
    (stay, index): Row => [
      String(2_001 + index),
      stay.tank,
      stay.batch.no,
      stay.use,
      timeText(stay.from),
      stay.until === null ? null : timeText(stay.until),
      stay.volume.toFixed(1),
      // Which cleaning a tank got was written on paper before.
      stay.from < Date.parse("2020-07-01")
        ? null
        : weighted(random, { caustic: 70, acid: 18, "hot water": 11, steam: 1 }),
      // Fermenters of the old cellar are open: without pressure.
      stay.use === "ferment"
        ? stay.batch.house === "A"
          ? "0.0"
          : "0.3"
        : (0.7 + random.between(0, 3) / 10).toFixed(1),
    ],
  );
  const columns = columnsOf({
    occupancy_id: "integer key",
    tank_code: "text",
    batch_no: "text references batches.batch_no",
    use: "text",
    filled_at: "time",
    emptied_at: "time",
    volume_hl: "decimal",
    cip: "text",
    spunding_bar: "decimal",
  });
  return { name: "tank_occupancies", columns, rows };
}

const gravity = (plato: number): number => 1 + plato / (258.6 - (227.1 * plato) / 258.2);

/** By hand on workdays while it ferments; in the second house a probe measures on all days, but never the pH. */
function readingTable(random: Random, batches: readonly Batch[]): CorpusTable {
  type Reading = {
    batch: Batch;
    at: number;
    degrees: number;
    plato: number;
    ph: number | null;
    by: string | null;
  };
  const readings: Reading[] = [];
  for (const batch of batches.filter(({ brewed }) => brewed !== null && brewed >= readingsFrom)) {
    const { isLager } = batch.recipe.beer.style;
    const pace = isLager ? 0.45 : 0.85;
    const usual = isLager ? 9.5 + random.next() * 2 : 18 + random.next() * 3;
    const ends = ["dumped", "blended"].includes(batch.status) ? batch.moved : batch.filled;
    for (
      let day = batch.planned + dayMs, count = 1;
      day < Math.min(ends, today + dayMs);
      day += dayMs, count++
    ) {
      const isCold = day >= batch.moved;
      const hasProbe = batch.house === "B" && !isCold;
      if (!hasProbe && !isWorkday(day)) continue;
      if (isCold && (day - batch.moved) % (7 * dayMs) !== 0) continue;
      const at = day + (hasProbe ? 4 * hourMs : random.between(5 * 60 + 20, 9 * 60) * 60_000);
      if (at >= now) break;
      const left = batch.fg + (batch.og - batch.fg) * Math.exp(-pace * Math.max(0, count - 0.7));
      const isMeasured = !hasProbe && random.chance(0.75);
      readings.push({
        batch,
        at,
        degrees: isCold ? normal(random) * 0.6 : usual + normal(random) * 0.4,
        plato: isCold ? batch.fg : Math.min(batch.og, left + Math.abs(normal(random)) * 0.05),
        ph: isMeasured ? Math.max(4.1, 5.25 - count * 0.16) + normal(random) * 0.04 : null,
        by: hasProbe ? null : mostlyFirst(random, ["JH", "MK", "ET", "SB", "azubi"], 1.2),
      });
    }
  }
  readings.sort((a, b) => a.at - b.at);
  const rows = readings.map(({ batch, at, degrees, plato, ph, by }, index): Row => {
    const isGravity = at >= newMeter;
    return [
      String(88_001 + index),
      batch.no,
      timeText(at),
      degrees.toFixed(1).replace("-0.0", "0.0"),
      isGravity ? gravity(plato).toFixed(4) : plato.toFixed(2),
      isGravity ? "SG" : "°P",
      ph === null ? null : ph.toFixed(2),
      by === null ? "probe" : "manual",
      by,
    ];
  });
  const columns = columnsOf({
    reading_id: "integer key",
    batch_no: "text in batches.batch_no",
    read_at: "time",
    temperature_c: "decimal",
    extract: "decimal",
    extract_unit: "text",
    ph: "decimal",
    source: "text",
    taken_by: "text",
  });
  return { name: "fermentation_readings", columns, rows, loads: { column: "read_at", period: "day" } };
}

type Declaration = {
  month: string;
  house: "A" | "B";
  plato: number;
  kind: "monthly" | "correction" | "returns";
  volume: number;
  sent: number;
  corrects: Declaration | null;
};

/** Months without beer of a class are declared, too: with zero. Returned beer is paid back. */
function exciseTable(random: Random, batches: readonly Batch[]): CorpusTable {
  const declarations = monthlyOf(random, batches);
  for (const one of [...declarations]) {
    const sent = nextWorkday(one.sent + random.between(20, 200) * dayMs) + 9 * hourMs;
    if (one.volume > 0 && random.chance(0.05) && sent < now) {
      const volume =
        Math.round(one.volume * (random.chance(0.6) ? -1 : 1) * (0.01 + random.next() * 0.06) * 100) / 100;
      if (volume !== 0) declarations.push({ ...one, kind: "correction", volume, sent, corrects: one });
    }
  }
  declarations.sort((a, b) => a.sent - b.sent);
  const counts = new Map<string, number>();
  const numbers = new Map<Declaration, string>();
  for (const one of declarations) {
    const year = dateText(one.sent).slice(0, 4);
    const count = (counts.get(year) ?? 0) + 1;
    counts.set(year, count);
    const body = `${year}${String(count).padStart(5, "0")}`;
    numbers.set(one, `BS${body}${checkDigit(body)}`);
  }
  const rows = declarations.map((one): Row => {
    // A class of less than 8 degrees is only the beer without alcohol here: nothing is due.
    const rate = one.plato < 8 ? 0 : one.month < "2021-01" ? 0.787 : 0.4407;
    const duty = cents(one.volume * one.plato * rate);
    const due =
      Date.parse(`${dateText(one.sent).slice(0, 7)}-20`) + (one.kind === "correction" ? 30 : 0) * dayMs;
    const paid = lastWorkday(due);
    const isPaid = duty !== 0 && paid < now;
    return [
      numbers.get(one) ?? "",
      one.month,
      `DE00${one.house === "A" ? "4711" : "5208"}BL`,
      one.kind,
      String(one.plato),
      one.volume.toFixed(2),
      rate.toFixed(4),
      money(duty),
      one.corrects ? (numbers.get(one.corrects) ?? "") : null,
      one.sent < Date.parse("2021-01-01") ? "paper 2075" : "online",
      timeText(one.sent),
      duty === 0 ? null : dateText(due),
      isPaid ? dateText(paid) : null,
    ];
  });
  const columns = columnsOf({
    declaration_no: "text key",
    period: "text",
    tax_warehouse: "text",
    kind: "text",
    plato_class: "integer",
    volume_hl: "decimal",
    rate_eur: "decimal",
    duty_eur: "decimal",
    corrects_no: "text references excise_declarations.declaration_no",
    form: "text",
    submitted_at: "time",
    due_on: "date",
    settled_on: "date",
  });
  return { name: "excise_declarations", columns, rows, loads: { column: "submitted_at", period: "month" } };
}

function monthlyOf(random: Random, batches: readonly Batch[]): Declaration[] {
  const declarations: Declaration[] = [];
  for (let start = Date.parse("2019-02-01"); ; ) {
    const date = new Date(start);
    const next = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
    const month = dateText(start).slice(0, 7);
    for (const house of ["A", "B"] as const) {
      // The second house filled its first beer two months after it opened.
      if (house === "B" && start < secondHouse + 58 * dayMs) continue;
      const sent =
        nextWorkday(next + random.between(1, 6) * dayMs) + random.between(7 * 60, 15 * 60) * 60_000;
      if (sent >= now) return declarations;
      for (const plato of [7, 10, 11, 12, 16, 24]) {
        const made = batches.filter(
          (batch) =>
            batch.house === house &&
            batch.packaged !== null &&
            Math.floor(batch.recipe.beer.style.plato) === plato &&
            dateText(batch.filled).startsWith(month),
        );
        // The strongest is rare: it is only declared where there is some.
        if (plato === 24 && made.length === 0) continue;
        const hectolitres = made.reduce((sum, batch) => sum + (batch.packaged ?? 0), 0);
        const volume = Math.round(hectolitres * (0.93 + random.next() * 0.06) * 100) / 100;
        declarations.push({ month, house, plato, kind: "monthly", volume, sent, corrects: null });
        if (plato > 10 && plato < 16 && random.chance(0.12)) {
          const back = -Math.round(heavyTailed(random, 1.4, 0.6) * 100) / 100;
          declarations.push({ month, house, plato, kind: "returns", volume: back, sent, corrects: null });
        }
      }
    }
    start = next;
  }
}
