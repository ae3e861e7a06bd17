import { Random } from "../../../faults/random.ts";
import { type CorpusDatabase, type CorpusTable, columnsOf, type Row } from "../corpus.ts";
import {
  dateText,
  dayMs,
  digits,
  heavyTailed,
  letters,
  maybe,
  normal,
  some,
  timeText,
  weighted,
} from "../draw.ts";
import { daysFrom, hourMs, isWorkday, poisson } from "./calendar.ts";
import { lastName } from "./names.ts";

const now = Date.parse("2025-05-22T13:15:00Z");
const today = Date.parse("2025-05-22");

/** What is measured of a part, between which bounds. */
const features: Record<string, { unit: string; target: number; spread: number }> = {
  bore: { unit: "mm", target: 24, spread: 0.012 },
  length: { unit: "mm", target: 182.5, spread: 0.09 },
  mass: { unit: "g", target: 640, spread: 2.4 },
  hardness: { unit: "HRC", target: 58, spread: 0.7 },
  runout: { unit: "µm", target: 6, spread: 1.6 },
};

/** Machines that make batches of parts, of which some are measured: what is out of bounds was really so. */
export function factory(seed: number): CorpusDatabase {
  const random = new Random(seed * 53 + 29);
  const machines = machinesOf(random);
  const operators = Array.from({ length: 38 }, () => `${letters(random, 1)}. ${lastName(random)}`);
  const [batches, measurements] = batchesOf(random, machines.rows, operators);
  return {
    name: "factory",
    now,
    tables: [
      machines,
      batches,
      measurements,
      downtimesOf(random, machines.rows),
      countsOf(random),
      calibrationsOf(random),
    ],
  };
}

function machinesOf(random: Random): CorpusTable {
  const rows: Row[] = [];
  const add = (parent: string | null, kind: string, name: string) => {
    rows.push([
      String(rows.length + 1),
      parent,
      kind,
      name,
      maybe(random, kind === "machine" ? 0.95 : 0, () => `SN${digits(random, 7)}`),
      maybe(random, kind === "machine" ? 1 : 0, () => String(random.between(1996, 2024))),
      maybe(
        random,
        kind === "machine" ? 0.6 : 0,
        () => `10.20.${random.between(1, 9)}.${random.between(2, 250)}`,
      ),
    ]);
    return String(rows.length);
  };
  const plant = add(null, "plant", "Plant 1");
  for (let hall = 1; hall <= 4; hall++) {
    const inHall = add(plant, "hall", `Hall ${hall}`);
    for (let line = 1; line <= 5; line++) {
      const inLine = add(inHall, "line", `Line ${hall}.${line}`);
      for (let place = 1; place <= 6; place++)
        add(inLine, "machine", `${random.pick(["Lathe", "Mill", "Grinder", "Oven"])} ${hall}${line}${place}`);
    }
  }
  const columns = columnsOf({
    id: "integer key",
    parent_id: "integer in machines.id",
    kind: "text",
    name: "text",
    serial_no: "text",
    built: "integer",
    ip: "text",
  });
  return { name: "machines", columns, rows };
}

function batchesOf(
  random: Random,
  machines: readonly Row[],
  operators: readonly string[],
): [CorpusTable, CorpusTable] {
  const [batches, measurements]: [Row[], Row[]] = [[], []];
  const able = machines.filter((row) => row[2] === "machine").map((row) => row[0] ?? null);
  for (const day of daysFrom("2024-11-04", today - dayMs).filter(isWorkday))
    for (let count = 6 + poisson(random, 4); count > 0; count--) {
      const began = day + (6 + random.next() * 14) * hourMs;
      const lasted = (0.6 + heavyTailed(random, 2.1, 0.4)) * hourMs;
      const week = Math.ceil((day - Date.UTC(new Date(day).getUTCFullYear(), 0, 1)) / dayMs / 7 + 0.01);
      const number = `${String(new Date(day).getUTCFullYear()).slice(2)}W${String(week).padStart(2, "0")}-${String(batches.length + 1).padStart(5, "0")}`;
      const made = Math.round(heavyTailed(random, 220, 0.5)) + 10;
      const scrap = poisson(random, made * (random.chance(0.03) ? 0.15 : 0.012));
      const machine = random.pick(able);
      batches.push([
        number,
        machine,
        `P-${1000 + random.between(1, 24) * 5}`,
        random.pick(operators),
        timeText(began),
        timeText(began + lasted),
        String(made),
        String(scrap),
        String(made - scrap),
        scrap > made * 0.1 ? "blocked" : weighted(random, { released: 97, reworked: 3 }),
      ]);
      // A tool that wears out makes a whole batch of parts that are off.
      const drift = random.chance(0.01) ? 5 * (random.chance(0.5) ? 1 : -1) : 0;
      for (const [feature, { unit, target, spread }] of Object.entries(features))
        for (let part = 1; part <= (feature === "hardness" ? 1 : 3); part++) {
          const value = target + spread * (normal(random) + drift);
          const [low, high] = [target - 4 * spread, target + 4 * spread];
          measurements.push([
            String(measurements.length + 1),
            number,
            feature,
            String(part),
            value.toFixed(feature === "mass" ? 1 : 3),
            low.toFixed(3),
            high.toFixed(3),
            unit,
            value < low || value > high ? "NOK" : "OK",
            timeText(began + lasted * random.next()),
          ]);
        }
    }
  return [
    {
      name: "batches",
      columns: columnsOf({
        batch_no: "text",
        machine_id: "integer in machines.id",
        part_no: "text",
        operator: "text",
        began_at: "time",
        ended_at: "time",
        made: "integer",
        scrap: "integer",
        good: "integer",
        status: "text",
      }),
      rows: batches,
    },
    {
      name: "measurements",
      columns: columnsOf({
        id: "integer key",
        batch_no: "text in batches.batch_no",
        feature: "text",
        part: "integer",
        value: "decimal",
        low: "decimal",
        high: "decimal",
        unit: "text",
        verdict: "text",
        measured_at: "time",
      }),
      rows: measurements,
    },
  ];
}

/** A few reasons are frequent, and one in a hundred is a reason that hardly ever comes; many have no remark. */
function downtimesOf(random: Random, machines: readonly Row[]): CorpusTable {
  const reasons = { "10": 40, "20": 25, "30": 12, "45": 9, "46": 7, "70": 4, "99": 2, "71": 1, "88": 0.4 };
  const able = some(
    random,
    machines.filter((row) => row[2] === "machine"),
    90,
  );
  const rows = Array.from({ length: 2600 }, (_, index): Row => {
    const at = now - ((2600 - index) / 2600) * 420 * dayMs;
    const minutes = Math.max(1, Math.round(heavyTailed(random, 14, 1.3)));
    const isOpen = index > 2590;
    return [
      String(index + 1),
      random.pick(able)[0] ?? null,
      weighted(random, reasons),
      timeText(at),
      isOpen ? null : timeText(at + minutes * 60_000),
      isOpen ? null : String(minutes),
      maybe(random, 0.12, () =>
        random.pick(["Tool change", "waiting for material", "Sensor dirty", "see log", "?"]),
      ),
    ];
  });
  const columns = columnsOf({
    id: "integer key",
    machine_id: "integer in machines.id",
    reason: "text",
    from_at: "time",
    to_at: "time",
    minutes: "integer",
    remark: "text",
  });
  return { name: "downtimes", columns, rows };
}

/** The stock is counted on the last workday of each month. */
function countsOf(random: Random): CorpusTable {
  const rows: Row[] = [];
  for (let month = 0; Date.UTC(2022, month + 1, 1) <= today; month++) {
    let day = Date.UTC(2022, month + 1, 0);
    while (!isWorkday(day)) day -= dayMs;
    for (let place = 1; place <= 36; place++)
      rows.push([
        dateText(day),
        timeText(day + 15 * hourMs + place * 40_000),
        `R${String(place).padStart(3, "0")}`,
        String(Math.round(heavyTailed(random, 300, 0.8))),
        weighted(random, { counted: 96, estimated: 4 }),
      ]);
  }
  const columns = columnsOf({
    counted_on: "date",
    recorded_at: "time",
    rack: "text",
    pieces: "integer",
    how: "text",
  });
  return {
    name: "stock_counts",
    columns,
    rows,
    loads: { column: "recorded_at", period: "month", areAtOnce: true, areAlike: true },
  };
}

/** Gauges are looked at each fortnight, when there is time. */
function calibrationsOf(random: Random): CorpusTable {
  const rows: Row[] = [];
  for (let day = Date.parse("2023-01-09"); day < today; day += 14 * dayMs) {
    const at = day + random.between(0, 4) * dayMs;
    if (at >= today) break;
    for (let gauge = 1; gauge <= 9; gauge++)
      rows.push([
        String(rows.length + 1),
        `G-${String(gauge * 11)}`,
        timeText(at + (8 + gauge * 0.3 + random.next() * 0.2) * hourMs),
        (0.0008 * normal(random)).toFixed(5),
        weighted(random, { passed: 98, adjusted: 2 }),
      ]);
  }
  const columns = columnsOf({
    id: "integer key",
    gauge: "text",
    created_at: "time",
    deviation_mm: "decimal",
    result: "text",
  });
  return {
    name: "gauge_checks",
    columns,
    rows,
    loads: { column: "created_at", period: "week", areAtOnce: true, areUneven: true },
  };
}
