import { Random } from "../../../faults/random.ts";
import { type CorpusDatabase, type CorpusTable, columnsOf, type Row } from "../corpus.ts";
import { dateText, dayMs, heavyTailed, mostlyFirst, normal, timeText, weighted } from "../draw.ts";
import { daysFrom, hourMs, isHoliday, isWorkday, momentsOf, poisson, season, weekdayOf } from "./calendar.ts";

const now = Date.parse("2024-11-21T06:15:00Z");
const today = Date.parse("2024-11-21");

/** Visits on workdays, results that come at night, vital signs by the hour, and weekly claims.. */
export function clinic(seed: number): CorpusDatabase {
  const random = new Random(seed * 53 + 19);
  const patients = patientsOf(random);
  return {
    name: "clinic",
    now,
    tables: [
      patients,
      visitsOf(random, patients.rows),
      ...resultsOf(random, patients.rows),
      vitalsOf(random),
      claimsOf(random),
      bedsOf(random),
      accessesOf(random),
      donationsOf(random),
    ],
  };
}

function patientsOf(random: Random): CorpusTable {
  const rows: Row[] = [];
  for (const day of daysFrom("2019-01-02", today - dayMs).filter(isWorkday))
    for (let count = poisson(random, 1.4); count > 0; count--)
      rows.push([
        `P${String(rows.length + 1).padStart(6, "0")}`,
        dateText(Date.parse("1935-01-01") + random.next() * 30_000 * dayMs),
        weighted(random, { f: 52, m: 48 }),
        timeText(day + (8 + random.next() * 9) * hourMs),
      ]);
  return {
    name: "patients",
    columns: columnsOf({ patient_no: "text key", born_on: "date", sex: "text", registered_at: "time" }),
    rows,
  };
}

/** The house is closed for a week around New Year. */
function visitsOf(random: Random, patients: Row[]): CorpusTable {
  const rows: Row[] = [];
  for (const day of daysFrom("2023-06-01", today - dayMs)) {
    if (!isWorkday(day) || /-12-2[7-9]|-12-3/.test(dateText(day))) continue;
    const mean = 17 * season(day, 0.15) * (weekdayOf(day) === 5 ? 0.6 : 1);
    for (const at of momentsOf(random, day, poisson(random, mean), [7, 18]))
      rows.push([
        String(rows.length + 80_001),
        mostlyFirst(random, patients, 1.2)[0] ?? null,
        timeText(at),
        weighted(random, { general: 60, surgery: 15, eyes: 15, skin: 10 }),
        String(5 * (1 + poisson(random, 3))),
      ]);
  }
  const columns = columnsOf({
    visit_id: "integer key",
    patient_no: "text in patients.patient_no",
    checked_in_at: "time",
    ward: "text",
    minutes: "integer",
  });
  return { name: "visits", columns, rows, loads: { column: "checked_in_at", period: "day" } };
}

/** Each night, also for weekends; each result has its values. */
function resultsOf(random: Random, patients: Row[]): CorpusTable[] {
  const [results, values]: [Row[], Row[]] = [[], []];
  for (const day of daysFrom("2023-10-02", today - dayMs)) {
    const loaded = timeText(day + dayMs + hourMs + random.between(0, 500) * 1000);
    for (
      let count = poisson(random, (isWorkday(day) ? 15 : 6) * (isHoliday(day) ? 0.7 : 1));
      count > 0;
      count--
    ) {
      const id = `LR-${500_000 + results.length}`;
      results.push([
        id,
        patients[random.between(0, patients.length - 1)]?.[0] ?? null,
        dateText(day),
        loaded,
      ]);
      for (let value = 1 + poisson(random, 1.1); value > 0; value--)
        values.push([
          id,
          mostlyFirst(random, ["HB", "CRP", "GLU", "NA", "K", "TSH"], 1.4),
          heavyTailed(random, 9, 0.5).toFixed(1),
          loaded,
        ]);
    }
  }
  return [
    {
      name: "lab_results",
      columns: columnsOf({
        result_no: "text key",
        patient_no: "text in patients.patient_no",
        taken_on: "date",
        imported_at: "time",
      }),
      rows: results,
      loads: { column: "imported_at", period: "day", areAtOnce: true },
    },
    {
      name: "lab_values",
      columns: columnsOf({
        result_no: "text in lab_results.result_no",
        analyte: "text",
        value: "decimal",
        imported_at: "time",
      }),
      rows: values,
      loads: { column: "imported_at", period: "day", areAtOnce: true, childrenOf: "result_no" },
    },
  ];
}

/** More beds are watched in winter, and fewer at night. */
function vitalsOf(random: Random): CorpusTable {
  const rows: Row[] = [];
  for (const day of daysFrom("2024-09-20", today))
    for (let hour = 0; hour < 24; hour++) {
      const start = day + hour * hourMs;
      if (start + hourMs > now) break;
      for (let count = poisson(random, 7 + 4 * Math.sin((Math.PI * hour) / 24)); count > 0; count--)
        rows.push([
          String(rows.length + 1),
          `B${random.between(10, 36)}`,
          timeText(start + random.next() * hourMs),
          String(Math.round(74 + normal(random) * 11)),
          (36.7 + normal(random) * 0.5).toFixed(1),
        ]);
    }
  const columns = columnsOf({
    id: "integer",
    bed: "text",
    recorded_at: "time",
    pulse: "integer",
    celsius: "decimal",
  });
  return { name: "vital_signs", columns, rows, loads: { column: "recorded_at", period: "hour" } };
}

/** Sent each Friday. */
function claimsOf(random: Random): CorpusTable {
  const rows: Row[] = [];
  for (const day of daysFrom("2022-02-04", today).filter((each) => weekdayOf(each) === 5))
    for (let count = 12 + poisson(random, 14); count > 0; count--)
      rows.push([
        String(rows.length + 300),
        random.pick(["Nordia", "Helva", "Mutua"]),
        heavyTailed(random, 210, 0.8).toFixed(2),
        timeText(day + 16 * hourMs + random.between(0, 90) * 1000),
      ]);
  const columns = columnsOf({ claim_no: "integer", insurer: "text", amount: "decimal", sent_at: "time" });
  return { name: "claims", columns, rows, loads: { column: "sent_at", period: "week", areAtOnce: true } };
}

/** A count of each ward on each day; one ward opened late. */
function bedsOf(random: Random): CorpusTable {
  const rows: Row[] = [];
  for (const [index, day] of daysFrom("2023-05-01", today - dayMs).entries())
    for (const ward of ["general", "surgery", "eyes", "skin", "heart"])
      if (ward !== "heart" || index > 300)
        rows.push([dateText(day), ward, String(12 + random.between(0, 9)), String(24)]);
  const columns = columnsOf({ counted_on: "date", ward: "text", taken: "integer", beds: "integer" });
  return {
    name: "bed_counts",
    columns,
    rows,
    loads: { column: "counted_on", period: "day", areAtOnce: true, areAlike: true },
  };
}

/** Day and night; people are there on workdays. */
function accessesOf(random: Random): CorpusTable {
  const rows: Row[] = [];
  for (const day of daysFrom("2024-02-01", today - dayMs))
    for (const at of momentsOf(random, day, poisson(random, isWorkday(day) ? 40 : 11)))
      rows.push([
        String(rows.length + 1),
        timeText(at),
        `U${random.between(100, 160)}`,
        weighted(random, { read: 90, write: 9, export: 1 }),
      ]);
  const columns = columnsOf({ access_id: "integer", logged_at: "time", login: "text", action: "text" });
  return { name: "accesses", columns, rows, loads: { column: "logged_at", period: "day" } };
}

/** Now and then; the last one is long ago. */
function donationsOf(random: Random): CorpusTable {
  const rows = Array.from(
    { length: 160 },
    (_, index): Row => [
      String(index + 1),
      dateText(Date.parse("2020-02-01") + ((index + random.next()) / 160) * 1560 * dayMs),
      String(random.between(1, 40) * 25),
    ],
  );
  return {
    name: "donations",
    columns: columnsOf({ id: "integer", given_on: "date", amount: "integer" }),
    rows,
  };
}
