import { Random } from "../../../faults/random.ts";
import { type CorpusDatabase, type CorpusTable, columnsOf, type Row } from "../corpus.ts";
import { dateText, dayMs, digits, heavyTailed, maybe, mostlyFirst, timeText, weighted } from "../draw.ts";
import { daysFrom, isWeekend, momentsOf, poisson } from "./calendar.ts";
import { firstName, lastName, plain } from "./names.ts";

const now = Date.parse("2025-06-12T16:00:00Z");

/** A public library: old prints, several editions of one title, and books that never came back. */
export function library(seed: number): CorpusDatabase {
  const random = new Random(seed * 41 + 5);
  const titles = titlesOf(random);
  const members = membersOf(random);
  return { name: "library", now, tables: [titles, members, loansOf(random, titles.rows, members.rows)] };
}

const subjects = [
  "River",
  "Garden",
  "Winter",
  "Letters",
  "Stone",
  "Light",
  "Harbor",
  "Silence",
  "Bread",
  "Wolves",
];
const genres = {
  FIC: "Fiction",
  CRI: "Crime",
  CHI: "Children",
  BIO: "Biography",
  SCI: "Science",
  TRA: "Travel",
};

function titlesOf(random: Random): CorpusTable {
  const rows = Array.from({ length: 2600 }, (_, index): Row => {
    const genre = mostlyFirst(random, Object.keys(genres) as (keyof typeof genres)[], 1.5);
    // A locked case has a few prints from before 1900.
    const year = random.chance(0.004) ? random.between(1640, 1890) : random.between(1951, 2025);
    const isBook = random.chance(0.93);
    return [
      String(index + 1),
      year < 1970 ? null : isBook ? `978${digits(random, 10)}` : null,
      `${random.pick(["The", "A", "Our", "No"])} ${random.pick(subjects)} ${random.pick(["of", "and", "without", "in"])} ${random.pick(subjects)}`,
      `${lastName(random)}, ${firstName(random)}`,
      String(year),
      genre,
      genres[genre],
      weighted(random, { eng: 78, deu: 9, fra: 6, spa: 4, pol: 2.8, isl: 0.2 }),
      isBook ? String(Math.round(60 + heavyTailed(random, 220, 0.4))) : null,
      weighted(random, { book: 93, audio: 5, map: 2 }) === "map" ? "map" : isBook ? "book" : "audio",
      `${genre} ${plain(lastName(random)).slice(0, 3).toUpperCase()}`,
      String(weighted(random, { "1": 82, "2": 13, "3": 4, "12": 1 })),
    ];
  });
  const columns = columnsOf({
    id: "integer key",
    isbn: "text",
    title: "text",
    author: "text",
    published: "integer",
    genre_code: "text",
    genre: "text",
    language: "text",
    pages: "integer",
    medium: "text",
    shelf: "text",
    copies: "integer",
  });
  return { name: "titles", columns, rows };
}

function membersOf(random: Random): CorpusTable {
  const rows = Array.from({ length: 1400 }, (_, index): Row => {
    const [first, last] = [firstName(random), lastName(random)];
    const joined = now - (1 - index / 1400) * 6300 * dayMs;
    // Schools and other libraries borrow as well; they were never born.
    const isPlace = random.chance(0.006);
    return [
      `${20_000_000 + index * 13}`,
      isPlace ? null : first,
      isPlace ? `${last} School` : last,
      isPlace ? null : dateText(joined - (6 + random.next() * 80) * 365 * dayMs),
      dateText(joined),
      isPlace ? "institution" : weighted(random, { adult: 68, child: 20, senior: 12 }),
      maybe(random, 0.7, () => `${plain(first)}${index}@mail.example`),
      random.chance(0.04) ? "t" : "f",
      dateText(Date.parse("2025-01-01") + random.between(0, 540) * dayMs),
    ];
  });
  const columns = columnsOf({
    card_no: "text",
    first_name: "text",
    last_name: "text",
    born_on: "date",
    joined_on: "date",
    category: "text",
    email: "text",
    blocked: "text",
    valid_until: "date",
  });
  return { name: "members", columns, rows };
}

/** Four weeks each, up to three times. Some are open for years. */
function loansOf(random: Random, titles: readonly Row[], members: readonly Row[]): CorpusTable {
  const rows: Row[] = [];
  for (const day of daysFrom("2024-01-03", now).filter((each) => !isWeekend(each)))
    for (const at of momentsOf(random, day, poisson(random, 16), [9, 19])) {
      const renewals = Number(weighted(random, { "0": 70, "1": 19, "2": 8, "3": 3 }));
      const due = at + (renewals + 1) * 28 * dayMs;
      const back = at + random.next() * (renewals + 1.15) * 28 * dayMs;
      const isBack = back < now && random.chance(0.994);
      const late = isBack ? Math.max(0, Math.ceil((back - due) / dayMs)) : 0;
      rows.push([
        String(500_000 + rows.length),
        mostlyFirst(random, titles, 1.8)[0] ?? null,
        mostlyFirst(random, members, 1.3)[0] ?? null,
        timeText(at),
        dateText(due),
        isBack ? timeText(back) : null,
        String(renewals),
        (late * 0.2).toFixed(2),
      ]);
    }
  const columns = columnsOf({
    id: "integer key",
    title_id: "integer references titles.id",
    card_no: "text in members.card_no",
    lent_at: "time",
    due_on: "date",
    returned_at: "time",
    renewals: "integer",
    fee: "decimal",
  });
  return { name: "loans", columns, rows, loads: { column: "lent_at", period: "day" } };
}
