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
  timeText,
  weighted,
} from "../draw.ts";
import { daysFrom, isHoliday, momentsOf, poisson, weekdayOf } from "./calendar.ts";
import { firstName, lastName, plain } from "./names.ts";

const now = Date.parse("2025-06-30T06:40:00Z");
/** The turnstiles of the old library ended with the house; the new one opened four weeks later. */
const oldHouseClosed = "2024-07-31";
const newHouseOpened = "2024-08-28";

/**
 * A university: two terms a year and breaks between them, grades in four scales, courses that are taken again, students
 * without a last name and names in several scripts, numbers that were shorter before a reform, and a library whose old
 * turnstiles ended for good.
 */
export function campus(seed: number): CorpusDatabase {
  const random = new Random(seed * 139 + 101);
  const courses = coursesOf(random);
  const rooms = roomsOf(random);
  const students = studentsOf(random);
  return {
    name: "campus",
    now,
    tables: [
      studentTable(students),
      courseTable(courses),
      roomTable(rooms),
      timetableOf(random, courses, rooms),
      enrolmentTable(random, students, courses),
      paymentTable(random, students),
      thesisTable(random, students),
      turnstileTable(random, students),
      swipeTable(random, students),
    ],
  };
}

type Term = { code: string; starts: number; ends: number; lectures: [number, number]; fee: number };
const term = (code: string, starts: string, ends: string, from: string, to: string, fee: number): Term => ({
  code,
  starts: Date.parse(starts),
  ends: Date.parse(ends),
  lectures: [Date.parse(from), Date.parse(to)],
  fee,
});
const terms: Term[] = [
  term("WS22", "2022-10-01", "2023-03-31", "2022-10-17", "2023-02-10", 286.5),
  term("SS23", "2023-04-01", "2023-09-30", "2023-04-11", "2023-07-14", 286.5),
  term("WS23", "2023-10-01", "2024-03-31", "2023-10-16", "2024-02-09", 294.8),
  term("SS24", "2024-04-01", "2024-09-30", "2024-04-15", "2024-07-19", 311.4),
  term("WS24", "2024-10-01", "2025-03-31", "2024-10-14", "2025-02-07", 322.1),
  term("SS25", "2025-04-01", "2025-09-30", "2025-04-14", "2025-07-18", 322.1),
];
/** People may already pay for it. */
const nextTerm = term("WS25", "2025-10-01", "2026-03-31", "2025-10-13", "2026-02-06", 334.7);

type Course = {
  code: string;
  german: string;
  english: string;
  department: string;
  credits: number;
  scale: Scale;
  isWinter: boolean;
  isSummer: boolean;
};
type Scale = "DE" | "ECTS" | "PF" | "FR20";

const fields = {
  INF: ["Informatik", "Computer Science"],
  MAT: ["Mathematik", "Mathematics"],
  PHY: ["Physik", "Physics"],
  BWL: ["Betriebswirtschaft", "Business Administration"],
  GES: ["Geschichte", "History"],
  ROM: ["Romanistik", "Romance Studies"],
  SPZ: ["Sprachenzentrum", "Language Center"],
} as const;
type Field = keyof typeof fields;
const topics = [
  ["Grundlagen", "Foundations"],
  ["Methoden", "Methods"],
  ["Seminar", "Seminar"],
  ["Statistik", "Statistics"],
  ["Projekt", "Project"],
  ["Theorie", "Theory"],
  ["Praktikum", "Laboratory"],
  ["Kolloquium", "Colloquium"],
] as const;

function coursesOf(random: Random): Course[] {
  return (Object.keys(fields) as Field[]).flatMap((field) =>
    topics.flatMap(([german, english], topic) =>
      ["I", "II", "III"].map((step, index): Course => {
        const [here, there] = fields[field];
        const season = weighted(random, { both: 40, winter: 34, summer: 26 });
        const isPassed = english === "Colloquium" || english === "Laboratory";
        return {
          code: `${field}-${(index + 1) * 100 + topic * 10 + random.between(0, 9)}`,
          german: `${here}: ${german} ${step}`,
          english: `${there}: ${english} ${step}`,
          department: field,
          credits: isPassed ? random.pick([2, 3]) : random.pick([4, 5, 5, 6, 6, 8, 10]),
          scale: isPassed
            ? "PF"
            : field === "ROM"
              ? "FR20"
              : field === "SPZ" || field === "BWL"
                ? "ECTS"
                : "DE",
          isWinter: season !== "summer",
          isSummer: season !== "winter",
        };
      }),
    ),
  );
}

const isOffered = (course: Course, { code }: Term) =>
  code.startsWith("W") ? course.isWinter : course.isSummer;

function courseTable(courses: readonly Course[]): CorpusTable {
  const rows = courses.map(
    (course): Row => [
      course.code,
      course.german,
      course.english,
      course.department,
      course.credits.toFixed(1),
      course.scale,
      course.isWinter && course.isSummer ? "WS/SS" : course.isWinter ? "WS" : "SS",
    ],
  );
  const columns = columnsOf({
    course_code: "text key",
    title_de: "text",
    title_en: "text",
    department: "text",
    ects: "decimal",
    grade_scale: "text",
    offered: "text",
  });
  return { name: "courses", columns, rows };
}

type Room = { code: string; building: string; floor: number; seats: number; kind: string };

/** Below the ground, floors are negative. */
function roomsOf(random: Random): Room[] {
  const codes = new Set<string>();
  const rooms: Room[] = [];
  while (rooms.length < 64) {
    const building = random.pick(["A", "B", "C", "H", "N"]);
    const floor = random.pick([-1, 0, 0, 1, 1, 2, 3]);
    const code = `${building}${floor < 0 ? "U" : ""}${Math.abs(floor)}.${String(random.between(1, 34)).padStart(2, "0")}`;
    if (codes.has(code)) continue;
    codes.add(code);
    const kind = weighted(random, { seminar: 62, lecture_hall: 14, lab: 16, pc_pool: 8 });
    const seats = kind === "lecture_hall" ? random.pick([120, 180, 240, 420]) : random.between(8, 24) * 2;
    rooms.push({ code, building, floor, seats, kind });
  }
  return rooms;
}

function roomTable(rooms: readonly Room[]): CorpusTable {
  const rows = rooms.map(
    (room): Row => [room.code, room.building, String(room.floor), String(room.seats), room.kind],
  );
  const columns = columnsOf({
    room_code: "text key",
    building: "text",
    floor: "integer",
    seats: "integer",
    room_type: "text",
  });
  return { name: "rooms", columns, rows };
}

const hours = ["08:15", "10:15", "12:15", "14:15", "16:15", "18:15"];

/** Twice as many hours after the academic quarter; no room is given twice. */
function timetableOf(random: Random, courses: readonly Course[], rooms: readonly Room[]): CorpusTable {
  const rows: Row[] = [];
  for (const each of terms) {
    const taken = new Set<string>();
    for (const course of courses.filter((one) => isOffered(one, each)))
      for (let count = random.between(1, 2); count > 0; ) {
        const isBlock = random.chance(0.04);
        const weekday = isBlock ? 6 : random.between(1, 5);
        const hour = isBlock ? 0 : mostlyFirst(random, [1, 2, 3, 0, 4, 5], 1.3);
        const isOnline = random.chance(0.05);
        const room = random.pick(rooms);
        const slot = `${room.code} ${weekday} ${hour}`;
        if (!isOnline && taken.has(slot)) continue;
        if (!isOnline) taken.add(slot);
        count--;
        const start = hours[hour] ?? "08:15";
        const ends = isBlock ? "17:45" : `${String(Number(start.slice(0, 2)) + 1).padStart(2, "0")}:45`;
        rows.push([
          String(rows.length + 1),
          each.code,
          course.code,
          isOnline ? null : room.code,
          ["", "MO", "DI", "MI", "DO", "FR", "SA"][weekday] ?? "MO",
          start,
          ends,
          isBlock ? "block" : "weekly",
          mostlyFirst(random, lecturers, 1.2),
        ]);
      }
  }
  const columns = columnsOf({
    slot_id: "integer key",
    term: "text",
    course_code: "text references courses.course_code",
    room_code: "text references rooms.room_code",
    weekday: "text",
    starts: "text",
    ends: "text",
    rhythm: "text",
    lecturer: "text",
  });
  return { name: "timetable", columns, rows };
}

const lecturers =
  "Prof. Dr. A. Weber,Prof. Dr.-Ing. K. Öztürk,Dr. M. Dubois,Prof. Dr. L. Nowak,Dr. S. Iyer,PD Dr. H. Brandt,Prof. Dr. Y. Tanaka,Dr. C. Rossi,M. Ed. J. Kaya,Prof. em. F. Vogel,N.N.,Dr. O. Svensson,Prof. Dr. P. García,Dr. B. van Dijk".split(
    ",",
  );

type Student = {
  number: string;
  given: string;
  family: string | null;
  native: string | null;
  country: string;
  program: string;
  kind: "regular" | "exchange" | "doctoral";
  from: number;
  /** The last of the terms by index; null who still studies. */
  until: number | null;
  ending: "graduated" | "left" | "exchange over" | null;
  enrolled: number;
};

const elsewhere = [
  {
    country: "CN",
    names: [
      ["Wei", "Zhang", "张伟"],
      ["Xiuying", "Li", "李秀英"],
      ["Yang", "Liu", "刘洋"],
      ["Jing", "Chen", "陈静"],
    ],
  },
  {
    country: "IR",
    names: [
      ["Sara", "Hosseini", "سارا حسینی"],
      ["Reza", "Ahmadi", "رضا احمدی"],
    ],
  },
  {
    country: "UA",
    names: [
      ["Oksana", "Shevchenko", "Оксана Шевченко"],
      ["Dmytro", "Bondarenko", "Дмитро Бондаренко"],
    ],
  },
  {
    country: "ID",
    names: [
      ["Suharto", null, null],
      ["Ningsih", null, null],
      ["Wulandari", null, null],
      ["Budi", "Santoso", null],
    ],
  },
  {
    country: "IN",
    names: [
      ["Priya", "Iyer", "ப்ரியா"],
      ["Karthik", null, null],
      ["Rahul", "Sharma", "राहुल शर्मा"],
    ],
  },
  {
    country: "TR",
    names: [
      ["Ayşe", "Yılmaz", null],
      ["Çağrı", "Şahin", null],
    ],
  },
  {
    country: "ES",
    names: [
      ["María José", "García López", null],
      ["Íñigo", "Fernández de la Cruz", null],
    ],
  },
] as const;

function studentsOf(random: Random): Student[] {
  const counts = [610, 40, 300, 45, 290, 40];
  let short = 781_200;
  return counts.flatMap((count, start) => {
    let next = Number(`${terms[start]?.code.slice(2)}${start % 2}0001`);
    return Array.from({ length: count }, (): Student => {
      // Who was there before the first term that is kept has a number of six digits.
      const isOlder = start === 0 && random.chance(0.55);
      if (isOlder) short += random.between(1, 9);
      else next += random.between(1, 3);
      const number = isOlder ? short : next;
      const kind = weighted(random, { regular: 86, exchange: isOlder ? 0 : 9, doctoral: 5 });
      const stays =
        kind === "exchange"
          ? random.between(1, 2)
          : Math.max(1, Math.round((isOlder ? 2.6 : 5.5) + normal(random) * 1.6));
      const until = start + stays - 1 < terms.length - 1 ? start + stays - 1 : null;
      const begins = (terms[start]?.starts ?? now) - random.between(8, 70) * dayMs;
      return {
        number: String(number),
        ...nameOf(random),
        program: random
          .pick(["BSc", "BSc", "BA", "MSc"])
          .concat(` ${mostlyFirst(random, Object.keys(fields).slice(0, 6), 1.4)}`),
        kind,
        from: start,
        until,
        ending:
          until === null
            ? null
            : kind === "exchange"
              ? "exchange over"
              : stays > 2 && random.chance(0.75)
                ? "graduated"
                : "left",
        enrolled: isOlder ? begins - random.between(1, 5) * 182 * dayMs : begins,
      };
    });
  });
}

function nameOf(random: Random): Pick<Student, "given" | "family" | "native" | "country"> {
  if (random.chance(0.8)) {
    const country = mostlyFirst(random, ["DE", "DE", "DE", "AT", "PL", "FR", "IT"], 2);
    const second = random.chance(0.14) ? `${random.pick([" ", "-"])}${firstName(random)}` : "";
    return { given: `${firstName(random)}${second}`, family: lastName(random), native: null, country };
  }
  const { country, names } = mostlyFirst(random, elsewhere, 1.4);
  const [given, family, native] = random.pick<readonly [string, string | null, string | null]>(names);
  return { given, family, native, country };
}

/** A term's last day, for whoever left with it. */
const leftOn = ({ until }: Student): number | null => (until === null ? null : (terms[until]?.ends ?? null));
const isThere = ({ from, until }: Student, index: number): boolean =>
  from <= index && (until === null || index <= until);
const programOf = ({ kind, program }: Student): string =>
  kind === "exchange" ? "Exchange" : kind === "doctoral" ? `Dr. ${program.split(" ")[1]}` : program;

function studentTable(students: readonly Student[]): CorpusTable {
  const rows = students.map((student): Row => {
    const left = leftOn(student);
    return [
      student.number,
      student.given,
      student.family,
      student.native,
      `${plain(student.given).slice(0, 8) || "x"}.${student.number}@stud.uni.example`,
      student.country,
      programOf(student),
      dateText(student.enrolled),
      left === null ? null : dateText(left),
      student.ending === null ? "active" : student.ending === "graduated" ? "graduated" : "exmatriculated",
    ];
  });
  const columns = columnsOf({
    student_no: "text key",
    given_names: "text",
    family_name: "text",
    name_native: "text",
    email: "text",
    nationality: "text",
    program: "text",
    enrolled_on: "date",
    left_on: "date",
    status: "text",
  });
  return { name: "students", columns, rows };
}

/** A grade of each scale, from one that is good (1) to one that is not (0); below a third of it, nobody passes. */
function gradeOf(scale: Scale, skill: number): { grade: string; isPassed: boolean } {
  const isPassed = skill > 0.15;
  const place = Math.min(0.999, Math.max(0, (skill - 0.15) / 0.85));
  const german = ["4.0", "3.7", "3.3", "3.0", "2.7", "2.3", "2.0", "1.7", "1.3", "1.0"];
  if (scale === "PF") return { grade: isPassed ? "bestanden" : "nicht bestanden", isPassed };
  if (scale === "DE")
    return { grade: isPassed ? (german[Math.floor(place * 10)] ?? "4.0") : "5.0", isPassed };
  if (scale === "FR20")
    return {
      grade: String(isPassed ? 10 + Math.floor(place * 9) : Math.max(2, 5 + Math.floor(skill * 30))),
      isPassed,
    };
  return { grade: isPassed ? (["E", "D", "C", "B", "A"][Math.floor(place * 5)] ?? "E") : "F", isPassed };
}

/** Who fails may try again when it is offered next; this term's grades are to come. */
function enrolmentTable(
  random: Random,
  students: readonly Student[],
  courses: readonly Course[],
): CorpusTable {
  const rows: Row[] = [];
  const done = new Map<Student, Map<Course, { attempts: number; isPassed: boolean }>>();
  for (const [index, each] of terms.entries()) {
    const offered = courses.filter((course) => isOffered(course, each));
    for (const student of students.filter((one) => isThere(one, index) && one.kind !== "doctoral")) {
      const before = done.get(student) ?? new Map<Course, { attempts: number; isPassed: boolean }>();
      done.set(student, before);
      const field = student.program.split(" ")[1];
      const own = offered.filter(({ department }) => department === field || random.chance(0.06));
      const able = own.filter(
        (course) => !before.get(course)?.isPassed && (before.get(course)?.attempts ?? 0) < 3,
      );
      for (const course of some(random, able, random.between(1, 3))) {
        const attempt = (before.get(course)?.attempts ?? 0) + 1;
        const isCurrent = each.ends > now;
        const isWithdrawn = random.chance(0.05);
        const { grade, isPassed } = gradeOf(course.scale, 0.55 + normal(random) * 0.26);
        const graded = each.lectures[1] + random.between(5, 38) * dayMs;
        const booked =
          each.starts + random.between(3, 26) * dayMs + random.between(6 * 3600, 21 * 3600) * 1000;
        const isGraded = !isCurrent && !isWithdrawn;
        if (!isWithdrawn) before.set(course, { attempts: attempt, isPassed: !isCurrent && isPassed });
        rows.push([
          String(400_001 + rows.length),
          student.number,
          course.code,
          each.code,
          String(attempt),
          timeText(booked),
          isGraded ? grade : null,
          course.scale,
          isGraded ? (isPassed ? course.credits : 0).toFixed(1) : null,
          isWithdrawn ? "withdrawn" : isCurrent ? "enrolled" : isPassed ? "passed" : "failed",
          isGraded ? dateText(graded) : null,
        ]);
      }
    }
  }
  const columns = columnsOf({
    enrolment_id: "integer key",
    student_no: "text references students.student_no",
    course_code: "text references courses.course_code",
    term: "text",
    attempt: "integer",
    enrolled_at: "time",
    grade: "text",
    grade_scale: "text",
    ects_awarded: "decimal",
    status: "text",
    graded_on: "date",
  });
  return { name: "enrolments", columns, rows };
}

/** Before each term; late ones pay more, and who withdraws in time gets the fee back. Exchange students pay at home. */
function paymentTable(random: Random, students: readonly Student[]): CorpusTable {
  type Payment = { student: Student; term: Term; on: number; amount: number; kind: string };
  const payments: Payment[] = [];
  for (const [index, each] of [...terms, nextTerm].entries())
    for (const student of students) {
      const isNext = each === nextTerm;
      if (
        student.kind === "exchange" ||
        !(isNext ? student.until === null && random.chance(0.3) : isThere(student, index))
      )
        continue;
      const isNew = student.from === index;
      const opens = each.starts - (isNew ? 45 : 108) * dayMs;
      const latest = isNext ? now - 2 * dayMs : each.starts - 20 * dayMs;
      const on = opens + Math.floor(((latest - opens) * (random.next() + random.next())) / 2 / dayMs) * dayMs;
      const isLate = !isNext && random.chance(0.06);
      const paid = Math.max(student.enrolled, isLate ? each.starts - random.between(1, 15) * dayMs : on);
      payments.push({ student, term: each, on: paid, amount: each.fee, kind: "semester_fee" });
      if (isLate) payments.push({ student, term: each, on: paid, amount: 25, kind: "late_fee" });
      if (!isNext && student.until === index && student.ending === "left" && random.chance(0.2))
        payments.push({
          student,
          term: each,
          on: each.starts + random.between(5, 28) * dayMs,
          amount: -each.fee,
          kind: "refund",
        });
    }
  payments.sort((a, b) => a.on - b.on);
  const rows = payments
    .filter(({ on }) => on < now)
    .map(
      ({ student, term: of, on, amount, kind }, index): Row => [
        `ZE${String(index + 10_001).padStart(7, "0")}`,
        student.number,
        of.code,
        kind,
        money(amount),
        dateText(on),
        kind === "refund" ? "transfer" : weighted(random, { sepa: 62, transfer: 30, card: 8 }),
        maybe(random, 0.7, () => `${student.number} ${of.code}`),
      ],
    );
  const columns = columnsOf({
    payment_no: "text key",
    student_no: "text references students.student_no",
    term: "text",
    kind: "text",
    amount: "decimal",
    paid_on: "date",
    method: "text",
    reference: "text",
  });
  return { name: "fee_payments", columns, rows };
}

/** Who graduates has handed one in, and some work on theirs; a few may not be shown for years. */
function thesisTable(random: Random, students: readonly Student[]): CorpusTable {
  const writing = students.filter(
    ({ kind, ending, until, from }) =>
      ending === "graduated" || (until === null && from < 3 && kind === "regular" && random.chance(0.4)),
  );
  const works = writing.map((student) => {
    const end = leftOn(student);
    const registered =
      end === null ? now - random.between(5, 120) * dayMs : end - random.between(170, 250) * dayMs;
    return { student, registered, submitted: end === null ? null : end - random.between(25, 70) * dayMs };
  });
  works.sort((a, b) => a.registered - b.registered);
  const given = new Set<string>();
  const rows = works.map(({ student, registered, submitted }, index): Row => {
    const language = weighted(random, { de: 58, en: 38, fr: 4 });
    const isSecret = random.chance(0.07);
    const level =
      student.kind === "doctoral" ? "dissertation" : student.program.startsWith("M") ? "master" : "bachelor";
    return [
      `T${String(index + 1).padStart(5, "0")}`,
      student.number,
      level,
      titleOf(random, language, given),
      language,
      mostlyFirst(random, lecturers.slice(0, 10), 1.2),
      dateText(registered),
      submitted === null ? null : dateText(submitted),
      submitted === null
        ? null
        : random.pick(["1.0", "1.3", "1.3", "1.7", "1.7", "2.0", "2.3", "2.7", "3.0", "3.7"]),
      submitted === null
        ? null
        : String(
            Math.round(heavyTailed(random, level === "bachelor" ? 44 : level === "master" ? 72 : 180, 0.25)),
          ),
      isSecret && submitted !== null ? dateText(submitted + random.pick([2, 3, 5]) * 365 * dayMs) : null,
    ];
  });
  const columns = columnsOf({
    thesis_id: "text key",
    student_no: "text references students.student_no",
    level: "text",
    title: "text",
    language: "text",
    supervisor: "text",
    registered_on: "date",
    submitted_on: "date",
    grade: "text",
    pages: "integer",
    embargo_until: "date",
  });
  return { name: "theses", columns, rows };
}

/** No title is given twice. */
function titleOf(random: Random, language: "de" | "en" | "fr", taken: Set<string>): string {
  for (;;) {
    const topic = random.pick([
      "Blockchain",
      "Europa",
      "Turbulenz",
      "Baudelaire",
      "Graph",
      "Inflation",
      "Quanten",
      "Oper",
    ]);
    const other = random.pick([
      "1848",
      "Schema",
      "KMU",
      "Energie",
      "Big Data",
      "Paris",
      "Modell",
      "Kino",
      "Risiko",
    ]);
    const title = titles[language](random, topic, other, random.between(2, 60));
    if (taken.has(title)) continue;
    taken.add(title);
    return title;
  }
}

type Title = (random: Random, topic: string, other: string, count: number) => string;
const titles: Record<"de" | "en" | "fr", Title> = {
  de: (random, topic, other, count) =>
    `${random.pick(["Zur Rolle von", "Eine Untersuchung zu", "Über"])} ${topic} und ${other}: Fallstudie ${count}`,
  en: (random, topic, other, count) =>
    `${random.pick(["Towards", "On", "A Study of"])} ${topic} and ${other} in ${count} Cases`,
  fr: (random, topic, other, count) =>
    `${random.pick(["Étude sur", "Le rôle de"])} ${topic} et ${other}, ${count} cas`,
};

/** Full in lectures, emptier between them, and shut on Sundays, holidays and from Christmas to New Year. */
function visitsOn(random: Random, day: number, usual: number): number {
  const text = dateText(day);
  const isShut = weekdayOf(day) === 0 || isHoliday(day) || /-12-(2[4-9]|3[01])$/.test(text);
  if (isShut) return 0;
  const isTaught = terms.some(({ lectures: [from, to] }) => day >= from && day <= to);
  const isExam = terms.some(({ lectures: [, to] }) => day > to - 21 * dayMs && day <= to + 10 * dayMs);
  const busy = isExam ? 1.7 : isTaught ? 1 : 0.35;
  return poisson(random, usual * busy * (weekdayOf(day) === 6 ? 0.35 : 1));
}

const indexOn = (day: number) =>
  terms.findIndex(({ starts, ends }) => day >= starts && day <= ends + dayMs - 1);
const thereOn = (students: readonly Student[]) =>
  terms.map((_, index) => students.filter((student) => isThere(student, index)));

/** Everything is text there, as the old turnstiles sent it. */
function turnstileTable(random: Random, students: readonly Student[]): CorpusTable {
  const there = thereOn(students);
  const rows: Row[] = [];
  for (const day of daysFrom("2022-10-04", Date.parse(oldHouseClosed)))
    for (const at of momentsOf(random, day, visitsOn(random, day, 9), [7, 20])) {
      const student = mostlyFirst(random, there[indexOn(day)] ?? [], 1.2);
      rows.push([
        timeText(at),
        `${student.number.padStart(10, "0")}`,
        random.pick(["1", "1", "2"]),
        weighted(random, { IN: 98, ERR: 2 }),
      ]);
    }
  const columns = columnsOf({ swiped_at: "time", card: "text", gate: "text", result: "text" });
  return { name: "turnstile_old", columns, rows };
}

function swipeTable(random: Random, students: readonly Student[]): CorpusTable {
  const there = thereOn(students);
  const rows: Row[] = [];
  for (const day of daysFrom(newHouseOpened, now - dayMs))
    for (const at of momentsOf(random, day, visitsOn(random, day, 15), [6, 21])) {
      const isGuest = random.chance(0.06);
      const stays = heavyTailed(random, 75, 0.8) * 60_000;
      // The house closes at eleven in the evening, and whoever forgets to swipe has no time of leaving.
      const left = Math.min(at + stays, day + 21.9 * 3_600_000 + random.between(0, 300) * 1000);
      rows.push([
        String(1_000_001 + rows.length),
        isGuest ? null : mostlyFirst(random, there[indexOn(day)] ?? [], 1.2).number,
        isGuest ? `G${digits(random, 5)}` : null,
        random.pick(["main", "main", "garden"]),
        timeText(at),
        random.chance(0.08) ? null : timeText(left),
      ]);
    }
  const columns = columnsOf({
    swipe_id: "integer key",
    student_no: "text references students.student_no",
    guest_card: "text",
    entrance: "text",
    entered_at: "time",
    left_at: "time",
  });
  return { name: "library_swipes", columns, rows, loads: { column: "entered_at", period: "day" } };
}
