import { Random } from "../../../faults/random.ts";
import { type CorpusDatabase, type CorpusTable, columnsOf, type Row } from "../corpus.ts";
import {
  dateText,
  dayMs,
  heavyTailed,
  maybe,
  mostlyFirst,
  normal,
  some,
  timeText,
  weighted,
} from "../draw.ts";
import { daysFrom, hourMs, isWorkday, momentsOf, poisson } from "./calendar.ts";
import { sentence } from "./names.ts";

const now = Date.parse("2025-12-02T03:00:00Z");

/**
 * A clinical trial: answers as rows (entity, attribute, value), dates of which only the month is known, results below a
 * limit, visits that were missed, and whoever was not randomized has no arm.
 */
export function trials(seed: number): CorpusDatabase {
  const random = new Random(seed * 127 + 47);
  const sites = sitesOf(random);
  const subjects = subjectsOf(random, sites.rows);
  const visits = visitsOf(random, subjects.rows);
  return {
    name: "trials",
    now,
    tables: [
      sites,
      subjects,
      visits,
      answersOf(random, visits.rows),
      resultsOf(random, visits.rows),
      eventsOf(random, subjects.rows),
      dosesOf(random, visits.rows),
      changesOf(random, subjects.rows),
    ],
  };
}

const countries = {
  DEU: "Germany",
  POL: "Poland",
  USA: "United States",
  ESP: "Spain",
  KOR: "Korea, Republic of",
} as const;

function sitesOf(random: Random): CorpusTable {
  const rows = Array.from({ length: 58 }, (_, index): Row => {
    const country = mostlyFirst(random, Object.keys(countries) as (keyof typeof countries)[], 1.3);
    return [
      String(101 + index * 3),
      country,
      countries[country],
      `Investigator ${String.fromCharCode(65 + (index % 26))}${index > 25 ? "2" : ""}`,
      dateText(Date.parse("2023-01-16") + random.next() * 240 * dayMs),
      random.chance(0.1) ? dateText(Date.parse("2025-02-01") + random.next() * 200 * dayMs) : null,
    ];
  });
  const columns = columnsOf({
    SITEID: "text key",
    COUNTRY: "text",
    COUNTRY_NAME: "text",
    INVNAM: "text",
    ACTIVATED: "date",
    CLOSED: "date",
  });
  return { name: "SITES", columns, rows };
}

/** A fifth is not taken in, and is asked no more. */
function subjectsOf(random: Random, sites: readonly Row[]): CorpusTable {
  const nth = new Map<string, number>();
  const rows = Array.from({ length: 780 }, (_, index): Row => {
    const site = mostlyFirst(random, sites, 1.4);
    const number = (nth.get(site[0] ?? "") ?? 0) + 1;
    nth.set(site[0] ?? "", number);
    const screened = Date.parse("2023-09-25") + Math.floor((index / 780) * 560) * dayMs;
    const isIn = random.chance(0.8);
    const randomized = screened + random.between(3, 21) * dayMs;
    const isOut = isIn && random.chance(0.14);
    const ended = isOut
      ? randomized + random.between(10, 160) * dayMs
      : randomized + 168 * dayMs + random.between(-3, 5) * dayMs;
    const sex = weighted(random, { F: 54, M: 46 });
    return [
      `PLB-201-${site[0]}-${String(number).padStart(3, "0")}`,
      site[0] ?? null,
      dateText(screened),
      String(Math.min(85, Math.max(18, Math.round(56 + normal(random) * 13)))),
      sex,
      sex === "F" ? maybe(random, 0.97, () => weighted(random, { N: 60, Y: 40 })) : null,
      mostlyFirst(random, ["WHITE", "ASIAN", "BLACK OR AFRICAN AMERICAN", "NOT REPORTED", "OTHER"], 2),
      isIn ? dateText(randomized) : null,
      isIn ? weighted(random, { A: 50, B: 50 }) : null,
      isIn ? `R${String(4000 + index * 7)}` : null,
      isIn && ended < now ? dateText(ended) : null,
      !isIn ? "SCREEN FAILURE" : ended >= now ? "ONGOING" : isOut ? "DISCONTINUED" : "COMPLETED",
      isOut
        ? weighted(random, {
            "ADVERSE EVENT": 35,
            "WITHDRAWAL BY SUBJECT": 40,
            "LOST TO FOLLOW-UP": 20,
            DEATH: 2,
            PREGNANCY: 3,
          })
        : null,
      weighted(random, { Y: 99, N: 1 }),
    ];
  });
  const columns = columnsOf({
    USUBJID: "text key",
    SITEID: "text in SITES.SITEID",
    SCREENED: "date",
    AGE: "integer",
    SEX: "text",
    CHILDBEARING: "text",
    RACE: "text",
    RANDOMIZED: "date",
    ARM: "text",
    KIT_NO: "text",
    ENDED: "date",
    DISPOSITION: "text",
    REASON: "text",
    CONSENT: "text",
  });
  return { name: "SUBJECTS", columns, rows };
}

const schedule = [
  [1, "SCREENING", -14],
  [2, "BASELINE", 0],
  [3, "WEEK 4", 28],
  [4, "WEEK 8", 56],
  [5, "WEEK 12", 84],
  [6, "WEEK 24", 168],
] as const;

/** A visit in between has a number with a fraction and was not planned. */
function visitsOf(random: Random, subjects: readonly Row[]): CorpusTable {
  const rows: Row[] = [];
  for (const subject of subjects) {
    const first = Date.parse(subject[7] ?? subject[2] ?? "");
    for (const [number, name, day] of schedule) {
      const planned = day < 0 ? Date.parse(subject[2] ?? "") : first + day * dayMs;
      if (subject[7] === null && number > 1) break;
      if (planned > now || (subject[10] !== null && planned > Date.parse(subject[10] ?? ""))) break;
      const isMissed = number > 2 && random.chance(0.035);
      const actual = number <= 2 ? planned : planned + Math.round(normal(random) * 2.4) * dayMs;
      const isRemote = number > 2 && random.chance(0.08);
      rows.push([
        subject[0] ?? null,
        String(number),
        name,
        dateText(planned),
        isMissed || actual > now ? null : dateText(actual),
        isMissed ? "MISSED" : actual > now ? "PLANNED" : "DONE",
        isMissed || actual > now ? null : isRemote ? "PHONE" : "SITE",
        isMissed ? random.pick(["COVID-19", "patient on holiday", "no show", "hospitalized"]) : null,
      ]);
      if (random.chance(0.02))
        rows.push([
          subject[0] ?? null,
          `${number}.1`,
          "UNSCHEDULED",
          null,
          dateText(Math.min(now, planned + 9 * dayMs)),
          "DONE",
          "SITE",
          null,
        ]);
    }
  }
  const columns = columnsOf({
    USUBJID: "text in SUBJECTS.USUBJID",
    VISITNUM: "decimal",
    VISIT: "text",
    PLANNED: "date",
    ACTUAL: "date",
    STATUS: "text",
    CONTACT: "text",
    REASON: "text",
  });
  return { name: "VISITS", columns, rows };
}

const items = {
  VS_SYSBP: ["VS", "mmHg"],
  VS_DIABP: ["VS", "mmHg"],
  VS_PULSE: ["VS", "beats/min"],
  VS_TEMP: ["VS", "C"],
  VS_WEIGHT: ["VS", "kg"],
  QS_PAIN: ["QS", null],
  QS_SLEEP: ["QS", null],
  PE_SKIN: ["PE", null],
  PE_HEART: ["PE", null],
  DM_SMOKER: ["DM", null],
} as const;

const answerTo: Record<keyof typeof items, (random: Random) => string> = {
  VS_SYSBP: (random) => String(Math.round(128 + normal(random) * 14)),
  VS_DIABP: (random) => String(Math.round(79 + normal(random) * 9)),
  VS_PULSE: (random) => String(Math.round(72 + normal(random) * 10)),
  VS_TEMP: (random) => (36.6 + normal(random) * 0.3).toFixed(1),
  VS_WEIGHT: (random) => Math.max(42, 79 + normal(random) * 15).toFixed(1),
  QS_PAIN: (random) => String(random.between(0, 10)),
  QS_SLEEP: (random) => weighted(random, { GOOD: 50, FAIR: 35, POOR: 15 }),
  PE_SKIN: (random) => weighted(random, { NORMAL: 92, ABNORMAL: 8 }),
  PE_HEART: (random) => weighted(random, { NORMAL: 96, ABNORMAL: 4 }),
  DM_SMOKER: (random) => weighted(random, { NEVER: 60, FORMER: 25, CURRENT: 15 }),
};

/** One column for all that was answered; what was not done says so. */
function answersOf(random: Random, visits: readonly Row[]): CorpusTable {
  const rows: Row[] = [];
  for (const visit of visits.filter((row) => row[5] === "DONE")) {
    const isRemote = visit[6] === "PHONE";
    for (const item of Object.keys(items) as (keyof typeof items)[]) {
      const [form, unit] = items[item];
      if (form === "DM" && visit[1] !== "1") continue;
      if (random.chance(0.3) || (isRemote && form !== "QS")) continue;
      const isDone = random.chance(0.985);
      const value = answerTo[item](random);
      rows.push([
        String(rows.length + 1),
        visit[0] ?? null,
        visit[1] ?? null,
        form,
        item,
        isDone ? value : null,
        isDone ? unit : null,
        isDone ? null : "NOT DONE",
        weighted(random, { verified: 72, entered: 24, queried: 4 }),
        timeText(Math.min(now, Date.parse(visit[4] ?? "") + (0.4 + heavyTailed(random, 2, 1)) * dayMs)),
      ]);
    }
  }
  const columns = columnsOf({
    ANSWER_ID: "integer key",
    USUBJID: "text in SUBJECTS.USUBJID",
    VISITNUM: "decimal",
    FORM: "text",
    ITEM_OID: "text",
    VALUE: "text",
    UNIT: "text",
    NOT_DONE: "text",
    REVIEW_STATUS: "text",
    ENTERED_AT: "time",
  });
  return { name: "ITEM_DATA", columns, rows };
}

const analytes = {
  ALT: ["U/L", 24, 0.45, 7, 55],
  CREAT: ["umol/L", 78, 0.2, 45, 104],
  HGB: ["g/L", 139, 0.08, 120, 160],
  CRP: ["mg/L", 2.4, 1.2, 0, 5],
  HCG: ["IU/L", 0.9, 0.5, 0, 5],
} as const;

/** `<0.6` is below what can be measured, and has no number. */
function resultsOf(random: Random, visits: readonly Row[]): CorpusTable {
  const rows: Row[] = [];
  for (const visit of visits.filter(
    (row) => row[6] === "SITE" && ["1", "2", "4", "6"].includes(row[1] ?? ""),
  ))
    for (const test of Object.keys(analytes) as (keyof typeof analytes)[]) {
      if (test === "HCG" && random.chance(0.75)) continue;
      const [unit, middle, spread, low, high] = analytes[test];
      const number = Number(heavyTailed(random, middle, spread).toFixed(1));
      const isBelow = test === "CRP" && number < 0.6;
      rows.push([
        `${visit[0]}`,
        visit[1] ?? null,
        test,
        isBelow ? "<0.6" : number.toFixed(1),
        isBelow ? null : number.toFixed(1),
        unit,
        String(low),
        String(high),
        isBelow ? "NORMAL" : number < low ? "LOW" : number > high ? "HIGH" : "NORMAL",
        visit[4] ?? null,
        random.chance(0.03) ? "HEMOLYZED" : null,
      ]);
    }
  const columns = columnsOf({
    USUBJID: "text in SUBJECTS.USUBJID",
    VISITNUM: "decimal",
    LBTESTCD: "text",
    LBORRES: "text",
    LBSTRESN: "decimal",
    LBSTRESU: "text",
    LBSTNRLO: "decimal",
    LBSTNRHI: "decimal",
    LBNRIND: "text",
    LBDTC: "date",
    LBCOMMENT: "text",
  });
  return { name: "LAB_RESULTS", columns, rows };
}

const terms = {
  Headache: "NERV",
  Nausea: "GI",
  Fatigue: "GENRL",
  Diarrhoea: "GI",
  Rash: "SKIN",
  Dizziness: "NERV",
  "Back pain": "MUSC",
  Nasopharyngitis: "INFEC",
  Pneumonia: "INFEC",
  "Alanine aminotransferase increased": "INV",
} as const;

/** As people remember: the day, the month, or only the year of when it began. */
function eventsOf(random: Random, subjects: readonly Row[]): CorpusTable {
  const rows: Row[] = [];
  for (const subject of subjects.filter((row) => row[7] !== null))
    for (let count = poisson(random, 2.1); count > 0; count--) {
      const from = Date.parse(subject[7] ?? "") + random.next() * 150 * dayMs;
      if (from > now) continue;
      const to = from + heavyTailed(random, 6, 1) * dayMs;
      const isOngoing = to > now || random.chance(0.08);
      const grade = weighted(random, { "1": 58, "2": 31, "3": 9.5, "4": 1.2, "5": 0.3 });
      const term = mostlyFirst(random, Object.keys(terms) as (keyof typeof terms)[], 1.3);
      const length = random.chance(0.9) ? 10 : random.chance(0.8) ? 7 : 4;
      const isSerious = Number(grade) > 3 || random.chance(0.015);
      rows.push([
        String(rows.length + 1),
        subject[0] ?? null,
        random.chance(0.6)
          ? term
          : random.chance(0.5)
            ? term.toUpperCase()
            : `${random.pick(["mild", "strong", "recurrent"])} ${term.toLowerCase()}`,
        term,
        terms[term],
        dateText(from).slice(0, length),
        isOngoing ? null : dateText(to).slice(0, random.chance(0.93) ? 10 : 7),
        isOngoing ? "Y" : "N",
        grade,
        isSerious ? "Y" : "N",
        weighted(random, { "NOT RELATED": 70, POSSIBLE: 22, PROBABLE: 8 }),
        isOngoing
          ? "NOT RECOVERED"
          : grade === "5"
            ? "FATAL"
            : weighted(random, { RECOVERED: 92, "RECOVERED WITH SEQUELAE": 3, UNKNOWN: 5 }),
        weighted(random, { "DOSE NOT CHANGED": 88, "DRUG INTERRUPTED": 9, "DRUG WITHDRAWN": 3 }),
      ]);
    }
  const columns = columnsOf({
    AE_ID: "integer",
    USUBJID: "text in SUBJECTS.USUBJID",
    AETERM: "text",
    AEDECOD: "text",
    AESOC: "text",
    AESTDTC: "text",
    AEENDTC: "text",
    AEONGO: "text",
    AETOXGR: "integer",
    AESER: "text",
    AEREL: "text",
    AEOUT: "text",
    AEACN: "text",
  });
  return { name: "ADVERSE_EVENTS", columns, rows };
}

/** Tablets that were handed out and brought back; some bring none. */
function dosesOf(random: Random, visits: readonly Row[]): CorpusTable {
  const rows = visits
    .filter((row) => row[6] === "SITE" && ["2", "3", "4", "5"].includes(row[1] ?? ""))
    .map((visit): Row => {
      const dispensed = visit[1] === "5" ? 180 : 60;
      const returned = random.chance(0.03)
        ? null
        : Math.min(dispensed, Math.round(Math.abs(normal(random) * 3) + dispensed * 0.06));
      return [
        `K${random.between(100_000, 999_999)}`,
        visit[0] ?? null,
        visit[1] ?? null,
        `LOT${random.pick(["23A", "23B", "24A", "24C"])}`,
        String(dispensed),
        returned === null ? null : String(returned),
        returned === null ? null : String(dispensed - returned),
        returned === null ? null : (((dispensed - returned) / (dispensed * 0.93)) * 100).toFixed(1),
        visit[4] ?? null,
      ];
    });
  const columns = columnsOf({
    KIT: "text",
    USUBJID: "text in SUBJECTS.USUBJID",
    VISITNUM: "decimal",
    LOT: "text",
    DISPENSED: "integer",
    RETURNED: "integer",
    TAKEN: "integer",
    COMPLIANCE_PCT: "decimal",
    DISPENSED_ON: "date",
  });
  return { name: "DRUG_ACCOUNTABILITY", columns, rows };
}

/** Who changed what, on workdays: entries have no value of before, and corrections need a reason. */
function changesOf(random: Random, subjects: readonly Row[]): CorpusTable {
  const rows: Row[] = [];
  const users = ["dm.kline", "dm.ott", "crc.garcia", "crc.lee", "crc.nowak", "inv.07", "inv.12", "system"];
  for (const day of daysFrom("2025-05-05", now - dayMs).filter(isWorkday))
    for (const at of momentsOf(random, day, poisson(random, 34), [7, 20])) {
      const kind = weighted(random, { INSERT: 66, UPDATE: 30, DELETE: 0.6, SIGN: 3.4 });
      const item = random.pick(Object.keys(items));
      const [before, after] = some(random, ["GOOD", "FAIR", "POOR", "128", "82", "36.4", "NORMAL"], 2);
      rows.push([
        String(7_000_000 + rows.length * 2),
        timeText(at),
        kind === "SIGN" ? random.pick(["inv.07", "inv.12"]) : mostlyFirst(random, users, 1.3),
        kind,
        random.pick(subjects)[0] ?? null,
        kind === "SIGN" ? null : item,
        kind === "UPDATE" || kind === "DELETE" ? (before ?? null) : null,
        kind === "INSERT" || kind === "UPDATE" ? (after ?? null) : null,
        kind === "UPDATE" || kind === "DELETE"
          ? random.chance(0.8)
            ? random.pick(["Data entry error", "Source document correction", "Query resolution"])
            : sentence(random, 5)
          : null,
        timeText(day + dayMs + 2 * hourMs),
      ]);
    }
  const columns = columnsOf({
    AUDIT_ID: "integer",
    CHANGED_AT: "time",
    CHANGED_BY: "text",
    ACTION: "text",
    USUBJID: "text in SUBJECTS.USUBJID",
    ITEM_OID: "text",
    OLD_VALUE: "text",
    NEW_VALUE: "text",
    REASON: "text",
    EXPORTED_AT: "time",
  });
  return { name: "AUDIT_TRAIL", columns, rows, loads: { column: "CHANGED_AT", period: "day" } };
}
