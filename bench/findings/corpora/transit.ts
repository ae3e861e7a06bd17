import { Random } from "../../../faults/random.ts";
import { type CorpusDatabase, type CorpusTable, columnsOf, type Row } from "../corpus.ts";
import { maybe, normal, weighted } from "../draw.ts";
import { lastName } from "./names.ts";

const now = Date.parse("2025-01-20T03:00:00Z");

/** A timetable as feeds publish it: after midnight, hours go on to 25, and few stops have what most lack. */
export function transit(seed: number): CorpusDatabase {
  const random = new Random(seed * 31 + 3);
  const stops = stopsOf(random);
  const routes = routesOf(random);
  const runs = runsOf(random, routes.rows);
  return {
    name: "transit",
    now,
    tables: [stops, routes, runs, callsOf(random, stops.rows, runs.rows), countsOf(random, stops.rows)],
  };
}

function stopsOf(random: Random): CorpusTable {
  const rows = Array.from({ length: 420 }, (_, index): Row => {
    const isStation = index % 60 === 0;
    return [
      `${isStation ? "S" : "P"}${String(4000 + index)}`,
      `${lastName(random)} ${random.pick(["Square", "Bridge", "School", "Park", "Street"])}`,
      (52.3 + normal(random) * 0.06).toFixed(6),
      (4.9 + normal(random) * 0.1).toFixed(6),
      isStation ? "1" : "0",
      isStation ? null : maybe(random, 0.3, () => `S${4000 + Math.floor(index / 60) * 60}`),
      maybe(random, 0.3, () => random.pick(["A", "B", "C", "1", "2"])),
      weighted(random, { "1": 70, "2": 18, "0": 12 }),
    ];
  });
  const columns = columnsOf({
    stop_id: "text",
    stop_name: "text",
    stop_lat: "float",
    stop_lon: "float",
    location_type: "integer",
    parent_station: "text in stops.stop_id",
    platform_code: "text",
    wheelchair_boarding: "integer",
  });
  return { name: "stops", columns, rows };
}

function routesOf(random: Random): CorpusTable {
  const rows = Array.from({ length: 56 }, (_, index): Row => {
    const kind = index < 4 ? "1" : index < 14 ? "0" : index === 55 ? "4" : "3";
    return [
      `R${index + 1}`,
      kind === "1" ? "MET" : kind === "4" ? "FER" : "CTY",
      kind === "1" ? `M${index + 1}` : kind === "4" ? "F1" : String(index + 1),
      `${lastName(random)} – ${lastName(random)}`,
      kind,
      { "1": "0000FF", "0": "00AA44", "3": "CC2200", "4": "008899" }[kind] ?? null,
    ];
  });
  const columns = columnsOf({
    route_id: "text",
    agency_id: "text",
    route_short_name: "text",
    route_long_name: "text",
    route_type: "integer",
    route_color: "text",
  });
  return { name: "routes", columns, rows };
}

function runsOf(random: Random, routes: readonly Row[]): CorpusTable {
  const rows = Array.from(
    { length: 900 },
    (_, index): Row => [
      String(80_000 + index),
      routes[index % routes.length]?.[0] ?? null,
      weighted(random, { WEEK: 70, SAT: 16, SUN: 13.4, XMAS: 0.6 }),
      `${lastName(random)} ${random.pick(["Square", "Bridge", "Station"])}`,
      String(index % 2),
      maybe(random, 0.9, () => `B${random.between(1, 300)}`),
    ],
  );
  const columns = columnsOf({
    trip_id: "integer",
    route_id: "text in routes.route_id",
    service_id: "text",
    trip_headsign: "text",
    direction_id: "integer",
    block_id: "text",
  });
  return { name: "trips", columns, rows };
}

const clock = (minutes: number) =>
  `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(Math.floor(minutes % 60)).padStart(2, "0")}:00`;

function callsOf(random: Random, stops: readonly Row[], runs: readonly Row[]): CorpusTable {
  const rows: Row[] = [];
  for (const run of runs) {
    let minute = random.chance(0.02) ? random.between(1415, 1450) : random.between(290, 1400);
    const from = random.between(0, stops.length - 12);
    for (let call = 0; call < random.between(5, 10); call++) {
      const wait = random.chance(0.05) ? random.between(1, 6) : 0;
      rows.push([
        run[0] ?? null,
        clock(minute),
        clock(minute + wait),
        stops[from + call]?.[0] ?? null,
        String(call + 1),
        call === 0 ? "0" : weighted(random, { "0": 98.8, "3": 1.2 }),
        (call * 0.62 + random.next() * 0.2).toFixed(3),
      ]);
      minute += wait + random.between(1, 4);
    }
  }
  const columns = columnsOf({
    trip_id: "integer in trips.trip_id",
    arrival_time: "text",
    departure_time: "text",
    stop_id: "text in stops.stop_id",
    stop_sequence: "integer",
    pickup_type: "integer",
    shape_dist_traveled: "float",
  });
  return { name: "stop_times", columns, rows };
}

/** People at a stop by hour: many zeros, and a match night. */
function countsOf(random: Random, stops: readonly Row[]): CorpusTable {
  const rows = Array.from({ length: 2400 }, (_, index): Row => {
    const stop = stops[(index * 7) % 90];
    const usual = Math.max(0, 24 + normal(random) * 14);
    return [
      stop?.[0] ?? null,
      `2024-${String(1 + (index % 12)).padStart(2, "0")}-15`,
      String(5 + (index % 19)),
      String(Math.round(random.chance(0.1) ? 0 : random.chance(0.003) ? usual * 9 : usual)),
      String(Math.round(usual * 0.8 * random.next())),
    ];
  });
  const columns = columnsOf({
    stop_id: "text in stops.stop_id",
    counted_on: "date",
    hour: "integer",
    boarded: "integer",
    alighted: "integer",
  });
  return { name: "counts", columns, rows };
}
