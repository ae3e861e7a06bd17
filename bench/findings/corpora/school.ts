import { Random } from "../../../faults/random.ts";
import { type CorpusDatabase, type CorpusTable, columnsOf, type Row } from "../corpus.ts";
import {
  dateText,
  dayMs,
  digits,
  heavyTailed,
  maybe,
  money,
  mostlyFirst,
  normal,
  some,
  weighted,
} from "../draw.ts";
import { firstName, lastName, plain } from "./names.ts";

const now = Date.parse("2025-11-15T09:00:00Z");
const terms = ["2023-1", "2023-2", "2024-1", "2024-2", "2025-1", "2025-2"];

/** A school with its staff, who report to each other, and students with their courses; grades of this term are to come. */
export function school(seed: number): CorpusDatabase {
  const random = new Random(seed);
  const departments = departmentsOf(random);
  const courses = coursesOf(random, departments.rows);
  const students = studentsOf(random);
  return {
    name: "school",
    now,
    tables: [
      departments,
      staffOf(random, departments.rows),
      courses,
      students,
      enrollmentsOf(random, courses.rows, students.rows),
    ],
  };
}

const subjects = [
  "Mathematics",
  "Physics",
  "Chemistry",
  "Biology",
  "History",
  "Music",
  "Law",
  "Economics",
  "Languages",
  "Sports",
  "Medicine",
  "Geology",
  "Art",
  "Computing",
];

function departmentsOf(random: Random): CorpusTable {
  const rows = Array.from({ length: 60 }, (_, index): Row => {
    const subject = subjects[index % subjects.length] ?? "";
    return [
      String(index + 1),
      index < subjects.length
        ? subject
        : `${subject} ${["Research", "Teaching", "Library", "Outreach"][Math.floor(index / subjects.length) - 1]}`,
      index < 4 ? null : String(1 + (index % 4)),
      `CC${String(4000 + index * 10)}`,
      random.pick(["Main", "North", "Hill"]),
    ];
  });
  return {
    name: "departments",
    columns: columnsOf({
      id: "integer key",
      name: "text",
      parent_id: "integer references departments.id",
      cost_center: "text",
      campus: "text",
    }),
    rows,
  };
}

function staffOf(random: Random, departments: Row[]): CorpusTable {
  const pay = { A: 2800, B: 3600, C: 4700, D: 6400, E: 9800 };
  const titles = { A: "Assistant", B: "Lecturer", C: "Senior Lecturer", D: "Professor", E: "Dean" };
  const rows = Array.from({ length: 1800 }, (_, index): Row => {
    const [first, last] = [firstName(random), lastName(random)];
    const grade = index < 8 ? "E" : weighted(random, { A: 40, B: 30, C: 20, D: 10 });
    const born = now - (24 + random.next() * 41) * 365.25 * dayMs;
    const hired = Math.max(born + 22 * 365.25 * dayMs, now - random.next() * 20 * 365 * dayMs);
    const left = random.chance(0.15) ? hired + random.next() * (now - hired) : null;
    return [
      String(index + 1),
      `E${String(20_000 + index * 3)}`,
      first,
      maybe(random, 0.25, () => firstName(random)),
      last,
      `${plain(first).charAt(0)}${plain(last)}${index % 97}.${index}@school.example`,
      weighted(random, { f: 49, m: 49, x: 2 }),
      dateText(born),
      dateText(hired),
      left === null ? null : dateText(left),
      left === null ? "active" : "left",
      index < 3 ? null : String(random.between(1, Math.min(index, 120))),
      mostlyFirst(random, departments, 1.3)[0] ?? null,
      grade,
      titles[grade],
      money(Math.round(pay[grade] * (1 + normal(random) * 0.06)) + 0),
      weighted(random, { "1.00": 75, "0.50": 15, "0.75": 8, "0.25": 2 }),
    ];
  });
  const columns = columnsOf({
    id: "integer",
    employee_no: "text",
    first_name: "text",
    middle_name: "text",
    last_name: "text",
    email: "text",
    gender: "text",
    birth_date: "date",
    hired_on: "date",
    left_on: "date",
    status: "text",
    manager_id: "integer in staff.id",
    department_id: "integer in departments.id",
    grade: "text",
    title: "text",
    salary: "decimal",
    fte: "decimal",
  });
  return { name: "staff", columns, rows };
}

function coursesOf(random: Random, departments: Row[]): CorpusTable {
  const rows = Array.from({ length: 260 }, (_, index): Row => {
    const department = departments[index % subjects.length] ?? [];
    const level = random.between(1, 4);
    return [
      `${department[1]?.slice(0, 4).toUpperCase()}-${level}${String(index).padStart(2, "0").slice(-2)}${Math.floor(index / 100)}`,
      `${random.pick(["Introduction to", "Topics in", "Advanced", "Methods of"])} ${department[1]} ${random.between(1, 9)}`,
      department[0] ?? null,
      String(level * 100),
      weighted(random, { "3": 30, "5": 50, "6": 15, "10": 5 }),
      String(Math.round(20 + heavyTailed(random, 20, 0.7))),
    ];
  });
  return {
    name: "courses",
    columns: columnsOf({
      code: "text",
      title: "text",
      department_id: "integer in departments.id",
      level: "integer",
      credits: "integer",
      seats: "integer",
    }),
    rows,
  };
}

function studentsOf(random: Random): CorpusTable {
  const programs = {
    "BSc Mathematics": "Bachelor",
    "BA History": "Bachelor",
    "MSc Physics": "Master",
    "LLB Law": "Bachelor",
    "PhD Chemistry": "Doctor",
    "MA Music": "Master",
  } as const;
  const names = Object.keys(programs) as (keyof typeof programs)[];
  const rows = Array.from({ length: 4000 }, (_, index): Row => {
    const program = mostlyFirst(random, names, 1.7);
    const year = 2015 + Math.floor(index / 370);
    return [
      `${year}${String(index % 9999).padStart(4, "0")}`,
      firstName(random),
      lastName(random),
      `${random.between(year - 30, year - 18)}-${String(random.between(1, 12)).padStart(2, "0")}-${String(random.between(1, 28)).padStart(2, "0")}`,
      program,
      programs[program],
      String(year),
      maybe(random, 0.93, () => `+44 7${digits(random, 3)} ${digits(random, 6)}`),
      mostlyFirst(
        random,
        ["British", "Irish", "German", "Indian", "Chinese", "French", "Polish", "Nigerian", "Icelandic"],
        2.2,
      ),
    ];
  });
  // As a file was loaded: dates and years are texts.
  return {
    name: "students",
    columns: columnsOf({
      matriculation_no: "text",
      first_name: "text",
      last_name: "text",
      born: "text",
      program: "text",
      degree: "text",
      entry_year: "text",
      mobile: "text",
      nationality: "text",
    }),
    rows,
  };
}

function enrollmentsOf(random: Random, courses: Row[], students: Row[]): CorpusTable {
  const rows: Row[] = [];
  for (const [index, term] of terms.entries())
    for (const student of some(random, students, 700))
      for (const course of new Set(Array.from({ length: 4 }, () => mostlyFirst(random, courses, 1.6)))) {
        const points = Math.max(0, Math.min(100, Math.round(66 + normal(random) * 15)));
        const isGraded = index < terms.length - 1 && random.chance(0.96);
        rows.push([
          student[0] ?? null,
          course[0] ?? null,
          term,
          course[4] ?? null,
          isGraded ? String(points) : null,
          isGraded
            ? points >= 50
              ? "passed"
              : "failed"
            : index < terms.length - 1
              ? "withdrawn"
              : "enrolled",
        ]);
      }
  return {
    name: "enrollments",
    columns: columnsOf({
      student_no: "text in students.matriculation_no",
      course_code: "text in courses.code",
      term: "text",
      credits: "integer",
      points: "integer",
      result: "text",
    }),
    rows,
  };
}
