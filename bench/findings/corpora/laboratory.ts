import { Random } from "../../../faults/random.ts";
import { type CorpusDatabase, type CorpusTable, columnsOf, type Row } from "../corpus.ts";
import { dayMs, heavyTailed, maybe, mostlyFirst, normal, timeText, weighted } from "../draw.ts";
import { hourMs } from "./calendar.ts";
import { sentence } from "./names.ts";

const now = Date.parse("2025-05-20T18:00:00Z");

/** Water samples. What is below the limit of detection is written as `<0.05`, and is no fault. */
export function laboratory(seed: number): CorpusDatabase {
  const random = new Random(seed * 97 + 1);
  const analytes = analytesOf();
  const samples = samplesOf(random);
  return { name: "laboratory", now, tables: [analytes, samples, resultsOf(random, samples.rows)] };
}

const known = [
  ["NO3", "Nitrate", "mg/L", 12, 0.5],
  ["NO2", "Nitrite", "mg/L", 0.03, 0.01],
  ["NH4", "Ammonium", "mg/L", 0.08, 0.02],
  ["PB", "Lead", "µg/L", 1.1, 0.2],
  ["CU", "Copper", "µg/L", 40, 1],
  ["FE", "Iron", "µg/L", 60, 5],
  ["PH", "pH", "", 7.4, 0],
  ["COND", "Conductivity", "µS/cm", 480, 1],
  ["HARD", "Hardness", "°dH", 13, 0.1],
  ["ECOLI", "E. coli", "1/100 mL", 0, 0],
] as const;

function analytesOf(): CorpusTable {
  const rows = known.map(
    ([code, name, unit, , limit]): Row => [code, name, unit === "" ? null : unit, String(limit)],
  );
  const columns = columnsOf({ code: "text", name: "text", unit: "text", detection_limit: "decimal" });
  return { name: "analytes", columns, rows };
}

function samplesOf(random: Random): CorpusTable {
  const rows = Array.from({ length: 620 }, (_, index): Row => {
    const taken = now - (620 - index) * 0.9 * dayMs + random.next() * 6 * hourMs;
    const site = mostlyFirst(random, ["W01", "W02", "W03", "W04", "N11", "N12", "S21", "S22", "T90"], 1.5);
    return [
      `${new Date(taken).getUTCFullYear().toString().slice(2)}-${String(index + 1).padStart(5, "0")}`,
      site,
      { W: "well", N: "network", S: "network", T: "tank" }[site.charAt(0)] ?? null,
      timeText(taken),
      timeText(taken + random.between(1, 20) * hourMs),
      (9 + normal(random) * 2.2).toFixed(1),
      weighted(random, { clear: 96, turbid: 3.4, brown: 0.6 }),
      mostlyFirst(random, ["KL", "MB", "TS", "AR", "JW"], 1.6),
      maybe(random, 0.03, () => sentence(random, 5)),
    ];
  });
  const columns = columnsOf({
    sample_no: "text",
    site: "text",
    source: "text",
    taken_at: "time",
    received_at: "time",
    temperature: "decimal",
    appearance: "text",
    taken_by: "text",
    remark: "text",
  });
  return { name: "samples", columns, rows };
}

function resultsOf(random: Random, samples: readonly Row[]): CorpusTable {
  const rows: Row[] = [];
  for (const sample of samples)
    for (const [code, , unit, usual, limit] of known.filter(() => random.chance(0.86))) {
      const value = code === "PH" ? usual + normal(random) * 0.25 : heavyTailed(random, usual, 0.6);
      const decimals = usual > 30 ? 0 : usual > 1 ? 1 : 3;
      const text =
        code === "ECOLI"
          ? weighted(random, { "0": 985, "1": 10, "3": 4, "42": 1 })
          : value < limit
            ? `<${limit}`
            : value.toFixed(decimals);
      rows.push([
        String(rows.length + 1),
        sample[0] ?? null,
        code,
        text,
        unit === "" ? null : unit,
        { mg: "IC-07", µg: "MS-02", µS: "EL-01", "°d": "TI-04", "1/": "MB-11" }[unit.slice(0, 2)] ?? "EL-01",
        // The second look at a sample in twenty.
        random.chance(0.05) ? "2" : "1",
        weighted(random, { released: 985, rejected: 15 }),
      ]);
    }
  const columns = columnsOf({
    id: "integer key",
    sample_no: "text in samples.sample_no",
    analyte: "text in analytes.code",
    result: "text",
    unit: "text",
    method: "text",
    replicate: "integer",
    status: "text",
  });
  return { name: "results", columns, rows };
}
