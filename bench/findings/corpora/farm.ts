import { Random } from "../../../faults/random.ts";
import { type CorpusDatabase, type CorpusTable, columnsOf, type Row } from "../corpus.ts";
import { dateText, dayMs, digits, heavyTailed, maybe, mostlyFirst, normal, weighted } from "../draw.ts";
import { daysFrom } from "./calendar.ts";
import { lastName } from "./names.ts";

const now = Date.parse("2025-04-25T20:00:00Z");

/** A herd: twins share a mother and a day, some were bought without papers, and bulls weigh twice as much. */
export function farm(seed: number): CorpusDatabase {
  const random = new Random(seed * 71 + 13);
  const animals = animalsOf(random);
  const herd = animals.rows;
  return {
    name: "farm",
    now,
    tables: [animals, milkingsOf(random, herd), weighingsOf(random, herd), treatmentsOf(random, herd)],
  };
}

function animalsOf(random: Random): CorpusTable {
  const rows: Row[] = [];
  while (rows.length < 520) {
    const born = Date.parse("2014-01-01") + (rows.length / 520) * 4000 * dayMs + random.next() * 20 * dayMs;
    const mothers = rows.filter((row) => row[2] === "f" && Date.parse(row[4] ?? "") < born - 800 * dayMs);
    const mother = mothers.length > 0 && random.chance(0.9) ? random.pick(mothers) : null;
    for (let twin = random.chance(0.03) ? 2 : 1; twin > 0; twin--) {
      const isBull = random.chance(0.04);
      const gone = random.chance(0.4) ? born + random.next() * (now - born) : null;
      rows.push([
        `AT ${digits(random, 3)} ${String(100_000 + rows.length * 17).slice(0, 3)} ${digits(random, 3)}`,
        random.pick(["Alma", "Bella", "Cora", "Dora", "Elsa", "Fina", "Gerda", "Heidi", "Resi", "Zenzi"]),
        isBull ? "m" : "f",
        weighted(random, { FLV: 70, HF: 25, JER: 4.6, PIN: 0.4 }),
        dateText(born),
        mother?.[0] ?? null,
        mother === null ? "bought" : "born here",
        gone === null ? null : dateText(gone),
        gone === null ? null : weighted(random, { sold: 70, slaughter: 25, died: 5 }),
        isBull ? "bull" : weighted(random, { A: 40, B: 35, C: 25 }),
      ]);
    }
  }
  const columns = columnsOf({
    ear_tag: "text",
    name: "text",
    sex: "text",
    breed: "text",
    born_on: "date",
    mother: "text in animals.ear_tag",
    origin: "text",
    left_on: "date",
    left_why: "text",
    group: "text",
  });
  return { name: "animals", columns, rows };
}

function milkingsOf(random: Random, herd: readonly Row[]): CorpusTable {
  const cows = herd.filter((row) => row[2] === "f" && row[7] === null).slice(0, 60);
  const rows = daysFrom("2025-02-20", now).flatMap((day) =>
    cows.flatMap((cow) =>
      ["am", "pm"].map((half): Row => {
        const liters = Math.max(0.4, 13 + normal(random) * 2.6);
        const isFlagged = random.chance(0.006);
        return [
          cow[0] ?? null,
          dateText(day),
          half,
          liters.toFixed(1),
          (4.1 + normal(random) * 0.25).toFixed(2),
          String(Math.round(heavyTailed(random, 110, 0.6))),
          isFlagged ? "discarded" : "tank",
        ];
      }),
    ),
  );
  const columns = columnsOf({
    ear_tag: "text in animals.ear_tag",
    day: "date",
    milking: "text",
    liters: "decimal",
    fat: "decimal",
    cells: "integer",
    went_to: "text",
  });
  return {
    name: "milkings",
    columns,
    rows,
    loads: { column: "day", period: "day", areAtOnce: true, areAlike: true },
  };
}

function weighingsOf(random: Random, herd: readonly Row[]): CorpusTable {
  const rows = Array.from({ length: 1500 }, (_, index): Row => {
    const animal = random.pick(herd);
    const at = Math.max(Date.parse(animal[4] ?? ""), now - random.next() * 900 * dayMs);
    const age = (at - Date.parse(animal[4] ?? "")) / dayMs;
    const grown = animal[2] === "m" ? 1150 : 640;
    return [
      String(index + 1),
      animal[0] ?? null,
      dateText(at),
      String(Math.round((40 + (grown - 40) * Math.min(1, age / 900)) * (1 + normal(random) * 0.05))),
      maybe(random, 0.5, () => (3.2 + normal(random) * 0.3).toFixed(2)),
    ];
  });
  const columns = columnsOf({
    id: "integer key",
    ear_tag: "text in animals.ear_tag",
    weighed_on: "date",
    kg: "integer",
    condition: "decimal",
  });
  return { name: "weighings", columns, rows };
}

/** By mouth or by needle; how long its milk may not be sold follows from the drug. */
function treatmentsOf(random: Random, herd: readonly Row[]): CorpusTable {
  const drugs = [
    ["D101", "Amoxan", "injection", "ml", "4"],
    ["D115", "Calcivet", "infusion", "ml", "0"],
    ["D122", "Mastiq", "tube", "pc", "6"],
    ["D160", "Vermol", "oral", "ml", "2"],
    ["D200", "Zinc ointment", "skin", "g", "0"],
  ] as const;
  const vets = Array.from({ length: 4 }, () => `Dr ${lastName(random)}`);
  const rows = Array.from({ length: 900 }, (_, index): Row => {
    const [code, name, way, unit, days] = mostlyFirst(random, drugs, 1.4);
    return [
      String(index + 1),
      mostlyFirst(random, herd, 1.2)[0] ?? null,
      dateText(now - random.next() * 700 * dayMs),
      code,
      name,
      way,
      String(unit === "pc" ? random.between(1, 4) : random.between(1, 30) * 5),
      unit,
      days,
      mostlyFirst(random, vets, 1.6),
    ];
  });
  const columns = columnsOf({
    id: "integer key",
    ear_tag: "text in animals.ear_tag",
    treated_on: "date",
    drug_code: "text",
    drug: "text",
    route: "text",
    dose: "integer",
    unit: "text",
    withdrawal_days: "integer",
    vet: "text",
  });
  return { name: "treatments", columns, rows };
}
