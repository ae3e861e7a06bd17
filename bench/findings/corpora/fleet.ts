import { Random } from "../../../faults/random.ts";
import { type CorpusDatabase, type CorpusTable, columnsOf, type Row } from "../corpus.ts";
import { dateText, dayMs, heavyTailed, money, normal, weighted } from "../draw.ts";
import { fineTable, fuelTable, workshopTable } from "./fleet-costs.ts";
import {
  assignmentsOf,
  assignmentTable,
  countries,
  isThere,
  localAmount,
  nextWorkday,
  now,
  offsetAt,
  shownAt,
  today,
  unitOf,
  type Vehicle,
  vehiclesOf,
  vehicleTable,
} from "./fleet-vehicles.ts";

/** The old system's readings and fuel were not brought over. */
const readingsFrom = Date.parse("2023-01-01");

/**
 * A fleet of leased vehicles in four countries: cars that take their plate along, drivers over time, readings in miles
 * and after a new instrument, electric ones without a tank, fuel that is booked back, free charging, fines that are
 * under appeal, and invoices with discounts, warranty and credit notes.
 */
export function fleet(seed: number): CorpusDatabase {
  const random = new Random(seed * 157 + 113);
  const vehicles = vehiclesOf(random);
  const assignments = assignmentsOf(random, vehicles);
  return {
    name: "fleet",
    now,
    tables: [
      vehicleTable(random, vehicles),
      assignmentTable(assignments),
      readingTable(random, vehicles),
      fuelTable(random, vehicles),
      tyreTable(random, vehicles),
      fineTable(random, assignments),
      workshopTable(random, vehicles),
    ],
  };
}

/** At the end of each month, whoever drives sends one; if nobody does, one is estimated. */
function readingTable(random: Random, vehicles: readonly Vehicle[]): CorpusTable {
  type Reading = { vehicle: Vehicle; day: number; value: number; source: string };
  const readings: Reading[] = [];
  for (const vehicle of vehicles) {
    const hasBox = vehicle.model.fuel === "bev" || random.chance(0.15);
    let highest = 0;
    for (let month = 0; month < 34; month++) {
      const end = Date.UTC(2023, month + 1, 0);
      const day = end - (hasBox ? 0 : random.between(0, 4)) * dayMs;
      if (day < readingsFrom || !isThere(vehicle, day) || day > today) continue;
      if (!hasBox && random.chance(0.06)) continue;
      const isEstimate = !hasBox && random.chance(0.07);
      const exact = shownAt(vehicle, day);
      const value = isEstimate ? Math.min(exact, Math.max(highest, Math.floor(exact / 100) * 100)) : exact;
      highest = value;
      readings.push({
        vehicle,
        day,
        value,
        source: isEstimate
          ? "estimate"
          : hasBox
            ? "telematics"
            : weighted(random, { app: 80, mail: 12, workshop: 8 }),
      });
    }
    if (vehicle.returned !== null && vehicle.returned >= readingsFrom)
      readings.push({
        vehicle,
        day: vehicle.returned,
        value: shownAt(vehicle, vehicle.returned),
        source: "return",
      });
  }
  readings.sort((a, b) => a.day - b.day || a.vehicle.id - b.vehicle.id);
  const rows = readings.map(
    ({ vehicle, day, value, source }, index): Row => [
      String(120_001 + index),
      String(vehicle.id),
      dateText(day),
      String(value),
      unitOf(vehicle),
      String(Math.floor(offsetAt(vehicle, day) / (vehicle.country === "GB" ? 1.609344 : 1))),
      source,
    ],
  );
  const columns = columnsOf({
    reading_id: "integer key",
    vehicle_id: "integer in vehicles.vehicle_id",
    read_on: "date",
    odometer: "integer",
    unit: "text",
    before_swap: "integer",
    source: "text",
  });
  return { name: "odometer_readings", columns, rows, loads: { column: "read_on", period: "month" } };
}

/** In spring and in autumn; what is in the contract costs nothing more. */
function tyreTable(random: Random, vehicles: readonly Vehicle[]): CorpusTable {
  type Change = {
    vehicle: Vehicle;
    day: number;
    isWinter: boolean;
    set: string;
    tread: number;
    made: string;
    isNew: boolean;
  };
  const changes: Change[] = [];
  for (const vehicle of vehicles.filter(({ isAllSeason }) => !isAllSeason)) {
    const isIncluded = random.chance(0.55);
    const sets = { true: { tread: 8, made: "" }, false: { tread: 7.2, made: "" } };
    for (let half = 0; half < 16; half++) {
      const isWinter = half % 2 === 1;
      const year = 2018 + Math.floor(half / 2);
      const day = nextWorkday(
        Date.UTC(year, isWinter ? 9 : 2, 12) + Math.round((random.next() + random.next()) * 24) * dayMs,
      );
      if (!isThere(vehicle, day) || day >= today || day < vehicle.from + 20 * dayMs) continue;
      const set = sets[`${isWinter}`];
      const isNew = set.made === "" ? isWinter : set.tread < 3;
      if (isNew || set.made === "") {
        set.tread = isNew ? 8 : set.tread;
        const made = (isNew ? day : vehicle.from) - random.between(40, 300) * dayMs;
        set.made = weekOf(made);
      }
      changes.push({
        vehicle,
        day,
        isWinter,
        set: `${isIncluded ? "L" : "E"}${vehicle.id}-${isWinter ? "W" : "S"}`,
        tread: set.tread,
        made: set.made,
        isNew,
      });
      set.tread -= (vehicle.daily * 182) / 14_000 + random.next() * 0.3;
      if (set.tread < 1.8) set.tread = 1.8;
    }
  }
  changes.sort((a, b) => a.day - b.day || a.vehicle.id - b.vehicle.id);
  const rows = changes.map(({ vehicle, day, isWinter, set, tread, made, isNew }, index): Row => {
    const wheel = () => (isNew ? "8.0" : Math.max(1.7, tread + normal(random) * 0.15).toFixed(1));
    const cost = set.startsWith("L")
      ? 0
      : localAmount(vehicle.country, isNew ? heavyTailed(random, 520, 0.2) : random.pick([39.9, 45, 49]));
    return [
      String(5001 + index),
      String(vehicle.id),
      dateText(day),
      isWinter ? "to winter" : "to summer",
      set,
      isNew ? "new" : "stored",
      made,
      wheel(),
      wheel(),
      wheel(),
      wheel(),
      String(shownAt(vehicle, day)),
      // Where the other set lies; kept since the store has shelves.
      day < Date.parse("2020-09-01")
        ? null
        : `${random.pick(["A", "B", "C"])}${random.between(1, 24)}/${random.between(1, 6)}`,
      money(cost),
      countries[vehicle.country].currency,
    ];
  });
  const columns = columnsOf({
    change_id: "integer key",
    vehicle_id: "integer references vehicles.vehicle_id",
    changed_on: "date",
    kind: "text",
    set_no: "text",
    condition: "text",
    dot: "text",
    tread_fl: "decimal",
    tread_fr: "decimal",
    tread_rl: "decimal",
    tread_rr: "decimal",
    odometer: "integer",
    shelf: "text",
    cost: "decimal",
    currency: "text",
  });
  return { name: "tyre_changes", columns, rows };
}

/** As it stands on the tyre: 2319 is week 23 of 2019. */
function weekOf(moment: number): string {
  const date = new Date(moment);
  const week = Math.floor((moment - Date.UTC(date.getUTCFullYear(), 0, 1)) / (7 * dayMs)) + 1;
  return `${String(Math.min(52, week)).padStart(2, "0")}${dateText(moment).slice(2, 4)}`;
}
