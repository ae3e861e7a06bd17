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
  mostlyFirst,
  timeText,
  weighted,
} from "../draw.ts";
import { hourMs } from "./calendar.ts";
import { firstName, lastName } from "./names.ts";

const now = Date.parse("2025-03-31T23:00:00Z");

/** Taxis: rides that were called off at once, airport rides, and fares that were given back. */
export function trips(seed: number): CorpusDatabase {
  const random = new Random(seed * 53 + 17);
  const zones = zonesOf(random);
  const cabs = cabsOf(random);
  return { name: "trips", now, tables: [zones, cabs, ridesOf(random, zones.rows, cabs.rows)] };
}

function zonesOf(random: Random): CorpusTable {
  const rows = Array.from({ length: 64 }, (_, index): Row => {
    const borough =
      ["Center", "North", "Harbor", "West", "Airport"][Math.min(4, Math.floor(index / 15.5))] ?? "";
    return [
      String(index + 1),
      index > 61 ? `Airport ${index - 61}` : `${borough} ${lastName(random)}`,
      borough,
      (47.4 + random.next() * 0.2).toFixed(5),
      (8.4 + random.next() * 0.3).toFixed(5),
    ];
  });
  const columns = columnsOf({
    zone_id: "integer",
    zone: "text",
    borough: "text",
    lat: "float",
    lon: "float",
  });
  return { name: "zones", columns, rows };
}

function cabsOf(random: Random): CorpusTable {
  const models = {
    Octavia: "Skoda",
    Prius: "Toyota",
    Sharan: "Volkswagen",
    Vito: "Mercedes",
    Leaf: "Nissan",
  } as const;
  const rows = Array.from({ length: 260 }, (_, index): Row => {
    const model = mostlyFirst(random, Object.keys(models) as (keyof typeof models)[], 1.4);
    return [
      `T${String(1000 + index)}`,
      `${letters(random, 2)} ${digits(random, 5)}`,
      models[model],
      model,
      String(random.between(2012, 2025)),
      model === "Vito" || model === "Sharan" ? "6" : "4",
      `${firstName(random)} ${lastName(random)}`,
      dateText(now + random.between(-20, 700) * dayMs),
    ];
  });
  const columns = columnsOf({
    cab_no: "text",
    plate: "text",
    make: "text",
    model: "text",
    model_year: "integer",
    seats: "integer",
    owner: "text",
    inspected_until: "date",
  });
  return { name: "cabs", columns, rows };
}

function ridesOf(random: Random, zones: readonly Row[], cabs: readonly Row[]): CorpusTable {
  const rows = Array.from({ length: 7000 }, (_, index): Row => {
    const from = now - (1 - index / 7000) * 45 * dayMs + random.next() * hourMs;
    const [start, end] = [mostlyFirst(random, zones, 1.5), mostlyFirst(random, zones, 1.5)];
    const isOff = random.chance(0.004);
    const isFar = start[2] === "Airport" || end[2] === "Airport";
    const km = isOff ? 0 : heavyTailed(random, isFar ? 17 : 3.2, 0.55);
    const minutes = isOff ? 0.6 : 2 + km * (1.6 + random.next());
    // A fare that is given back is there once more, below zero.
    const sign = random.chance(0.003) ? -1 : 1;
    const fare = sign * cents(6.8 + km * 3.9);
    const toll = isFar ? sign * 4.5 : 0;
    const byCard = random.chance(0.7);
    const tip =
      byCard && sign > 0 && random.chance(0.6) ? cents(fare * random.pick([0.05, 0.1, 0.1, 0.15])) : 0;
    return [
      mostlyFirst(random, cabs, 1.2)[0] ?? null,
      timeText(from),
      timeText(from + minutes * 60_000),
      start[0] ?? null,
      end[0] ?? null,
      maybe(random, 0.97, () => weighted(random, { "1": 70, "2": 18, "3": 6, "4": 4, "5": 1, "6": 1 })),
      km.toFixed(2),
      money(fare),
      money(toll),
      money(tip),
      money(cents(fare + toll + tip)),
      byCard ? "card" : weighted(random, { cash: 96, voucher: 3, none: 1 }),
      weighted(random, { N: 99.2, Y: 0.8 }),
    ];
  });
  const columns = columnsOf({
    cab_no: "text in cabs.cab_no",
    pickup_at: "time",
    dropoff_at: "time",
    from_zone: "integer in zones.zone_id",
    to_zone: "integer in zones.zone_id",
    passengers: "integer",
    distance_km: "float",
    fare: "decimal",
    toll: "decimal",
    tip: "decimal",
    total: "decimal",
    payment: "text",
    sent_later: "text",
  });
  return { name: "rides", columns, rows, loads: { column: "pickup_at", period: "day" } };
}
