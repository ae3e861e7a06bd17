import { Random } from "../../../faults/random.ts";
import { type CorpusDatabase, type CorpusTable, columnsOf, type Row } from "../corpus.ts";
import { dayMs, heavyTailed, maybe, normal, some, timeText, weighted } from "../draw.ts";
import { sentence } from "./names.ts";

const now = Date.parse("2025-02-14T12:00:00Z");

/** Who was asked and what they said: 9 stands for no answer, as the code book says, and questions depend on others. */
export function survey(seed: number): CorpusDatabase {
  const random = new Random(seed * 43 + 23);
  const people = peopleOf(random);
  return {
    name: "survey",
    now,
    tables: [codesOf(), people, answersOf(random, people.rows), callsOf(random, people.rows)],
  };
}

const questions = Array.from({ length: 12 }, (_, index) => `q${String(index + 1).padStart(2, "0")}`);
const labels = {
  "1": "fully agree",
  "2": "agree",
  "3": "neither",
  "4": "disagree",
  "5": "fully disagree",
  "9": "no answer",
};

function codesOf(): CorpusTable {
  const rows = questions.flatMap((question) =>
    Object.entries(labels).map(([code, label]): Row => [question, code, label]),
  );
  return { name: "codes", columns: columnsOf({ question: "text", code: "integer", label: "text" }), rows };
}

const regions = { 1: "North", 2: "South", 3: "East", 4: "West", 5: "Islands" } as const;

function peopleOf(random: Random): CorpusTable {
  const rows = Array.from({ length: 1150 }, (_, index): Row => {
    const began = now - 40 * dayMs + (index / 1150) * 36 * dayMs;
    const minutes = random.chance(0.01) ? random.between(600, 3000) : 4 + heavyTailed(random, 11, 0.4);
    const region = Number(
      weighted(random, { "1": 30, "2": 30, "3": 20, "4": 19.4, "5": 0.6 }),
    ) as keyof typeof regions;
    const isDone = random.chance(0.93);
    return [
      String(90_001 + index),
      String(region),
      regions[region],
      maybe(random, 0.98, () => String(Math.min(97, Math.max(18, Math.round(47 + normal(random) * 16))))),
      weighted(random, { f: 51, m: 48, d: 1 }),
      timeText(began),
      isDone ? timeText(began + minutes * 60_000) : null,
      isDone ? "complete" : "broken off",
      (0.3 + heavyTailed(random, 0.7, 0.5)).toFixed(4),
      weighted(random, { web: 75, phone: 20, paper: 5 }),
    ];
  });
  const columns = columnsOf({
    respondent: "integer",
    region_code: "integer",
    region: "text",
    age: "integer",
    sex: "text",
    started_at: "time",
    finished_at: "time",
    outcome: "text",
    weight: "float",
    mode: "text",
  });
  return { name: "respondents", columns, rows };
}

function answersOf(random: Random, people: readonly Row[]): CorpusTable {
  const rows = people.map((person): Row => {
    const isDone = person[7] === "complete";
    const last = isDone ? questions.length : random.between(1, questions.length - 1);
    const given = questions.map((_, index) =>
      index >= last ? null : weighted(random, { "1": 18, "2": 33, "3": 22, "4": 17, "5": 9, "9": 1 }),
    );
    const hours = given[3] === "1" || given[3] === "2" ? String(random.between(1, 40)) : null;
    return [
      person[0] ?? null,
      ...given,
      hours,
      maybe(random, 0.08, () => sentence(random, random.between(1, 14))),
    ];
  });
  const columns = columnsOf({
    respondent: "integer in respondents.respondent",
    ...Object.fromEntries(questions.map((name) => [name, "integer"])),
    hours: "integer",
    comment: "text",
  });
  return { name: "answers", columns, rows };
}

function callsOf(random: Random, people: readonly Row[]): CorpusTable {
  const rows: Row[] = [];
  for (const person of some(random, people, 500))
    for (let attempt = 1; attempt <= random.between(1, 4); attempt++)
      rows.push([
        String(rows.length + 1),
        person[0] ?? null,
        String(attempt),
        timeText(now - random.next() * 38 * dayMs),
        weighted(random, { "no one there": 55, appointment: 20, refused: 15, done: 10 }),
        mostlyOf(random),
      ]);
  const columns = columnsOf({
    id: "integer key",
    respondent: "integer in respondents.respondent",
    attempt: "integer",
    called_at: "time",
    result: "text",
    caller: "text",
  });
  return { name: "calls", columns, rows };
}

const mostlyOf = (random: Random) =>
  weighted(random, { INT01: 30, INT02: 28, INT05: 25, INT07: 16, SUP01: 1 });
