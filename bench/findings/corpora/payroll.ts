import { Random } from "../../../faults/random.ts";
import { type CorpusDatabase, type CorpusTable, columnsOf, type Row } from "../corpus.ts";
import { cents, dateText, dayMs, digits, heavyTailed, maybe, money, mostlyFirst, weighted } from "../draw.ts";
import { iban } from "./codes.ts";
import { firstName, lastName, plain } from "./names.ts";

const now = Date.parse("2025-08-04T08:00:00Z");
/** The last day of each. */
const months = Array.from({ length: 14 }, (_, index) => Date.UTC(2024, 6 + index, 0));

/** Salaries: a bonus in June, leave without pay, and one who earns far more than all others. */
export function payroll(seed: number): CorpusDatabase {
  const random = new Random(seed * 61 + 7);
  const people = peopleOf(random);
  return {
    name: "payroll",
    now,
    tables: [people, slipsOf(random, people.rows), absencesOf(random, people.rows)],
  };
}

const sites = { 1100: "Lyon", 1200: "Nantes", 2100: "Gdynia", 3100: "Porto" } as const;

function peopleOf(random: Random): CorpusTable {
  const rows = Array.from({ length: 430 }, (_, index): Row => {
    const [first, last] = [firstName(random), lastName(random)];
    const began = Date.parse("2003-01-01") + random.next() * 7800 * dayMs;
    const site = mostlyFirst(random, Object.keys(sites), 1.5) as unknown as keyof typeof sites;
    const left = random.chance(0.08) ? began + random.next() * (now - began) : null;
    return [
      String(100_200 + index * 2),
      first,
      last,
      `${plain(first)}.${plain(last)}${index}@works.example`,
      String(site),
      sites[site],
      weighted(random, { Production: 45, Logistics: 22, Sales: 18, Finance: 8, IT: 6, Board: 1 }),
      dateText(began),
      left === null ? null : dateText(left),
      weighted(random, { "1": 80, "0.8": 12, "0.5": 8 }),
      money(index === 0 ? 48_000 : Math.round(heavyTailed(random, 2900, 0.28))),
      iban(random, random.pick(["DE", "NL", "PL"])),
      `${random.between(1, 2)}${digits(random, 12)}`,
    ];
  });
  const columns = columnsOf({
    personnel_no: "integer",
    first_name: "text",
    last_name: "text",
    email: "text",
    site_code: "text",
    site: "text",
    department: "text",
    entered_on: "date",
    left_on: "date",
    share: "decimal",
    base_salary: "decimal",
    iban: "text",
    social_security_no: "text",
  });
  return { name: "people", columns, rows };
}

function slipsOf(random: Random, people: readonly Row[]): CorpusTable {
  const rows: Row[] = [];
  for (const month of months)
    for (const person of people.filter(
      ([, , , , , , , , left]) => left === null || Date.parse(left ?? "") > month,
    )) {
      if (Date.parse(person[7] ?? "") > month) continue;
      const base = random.chance(0.004) ? 0 : cents(Number(person[10]) * Number(person[9]));
      const bonus = new Date(month).getUTCMonth() === 5 ? cents(base * 0.8) : random.chance(0.02) ? 250 : 0;
      const gross = cents(base + bonus);
      const tax = cents(gross * (0.14 + Math.min(0.2, gross / 100_000)));
      const social = cents(Math.min(gross, 5500) * 0.21);
      rows.push([
        String(rows.length + 1),
        person[0] ?? null,
        dateText(month).slice(0, 7),
        money(base),
        money(bonus),
        money(gross),
        money(tax),
        money(social),
        money(cents(gross - tax - social)),
        dateText(month - random.between(0, 2) * dayMs),
        random.chance(0.006) ? "correction" : "regular",
      ]);
    }
  const columns = columnsOf({
    id: "integer key",
    personnel_no: "integer in people.personnel_no",
    month: "text",
    base: "decimal",
    bonus: "decimal",
    gross: "decimal",
    tax: "decimal",
    social: "decimal",
    net: "decimal",
    paid_on: "date",
    kind: "text",
  });
  return { name: "payslips", columns, rows, loads: { column: "paid_on", period: "month", areAlike: true } };
}

function absencesOf(random: Random, people: readonly Row[]): CorpusTable {
  const rows = Array.from({ length: 2100 }, (_, index): Row => {
    const from = Date.parse("2024-06-03") + Math.floor(random.next() * 420) * dayMs;
    const days = random.chance(0.008) ? random.between(90, 300) : random.between(1, 15);
    const kind = weighted(random, { vacation: 70, sick: 24, training: 4, parental: 1.6, jury: 0.4 });
    return [
      String(index + 1),
      random.pick(people)[0] ?? null,
      kind,
      dateText(from),
      dateText(from + (days - 1) * dayMs),
      String(days),
      kind === "sick" && days > 3 ? maybe(random, 0.9, () => "yes") : null,
    ];
  });
  const columns = columnsOf({
    id: "integer key",
    personnel_no: "integer in people.personnel_no",
    kind: "text",
    from_day: "date",
    to_day: "date",
    days: "integer",
    certificate: "text",
  });
  return { name: "absences", columns, rows };
}
