import { judgedThen, type Point, usualPause } from "../../server/watch/judge-series.ts";
import { lookMinutes } from "../../server/watch/limits.ts";
import type { MeasureName } from "../../server/watch/measures.ts";
import type { Say } from "../measure.ts";
import { normalNoise, random } from "../random.ts";

/**
 * 200 tables over 120 days, half of them loaded each hour and half each day, with weekends, nights, growth, holidays, and
 * deployments; each with four columns.
 */
const days = 120;
const tables = 200;
/** Incidents begin after this day, and false alarms are counted from it on. */
const learnedBy = 42;
const start = Date.UTC(2026, 0, 5);
const hourMs = 3_600_000;
const incidentsEach = 30;

type Random = () => number;
type Shape = {
  stepHours: number;
  /** Rows of each load. */
  loads: Point[];
  columns: { measure: MeasureName; points: Point[] }[];
  isSpecial(at: Date): boolean;
};

function aTable(seed: number, stepHours: number): Shape {
  const next = random(seed);
  const level = 10 ** (2.5 + 2.5 * next());
  const [weekend, growth, noise] = [0.2 + 0.8 * next(), -0.002 + 0.008 * next(), 0.03 + 0.12 * next()];
  const night = stepHours < 24 ? 0.8 * next() : 0;
  const deployments = [0, 1].map(() => ({
    day: learnedBy + next() * (days - learnedBy),
    by: 0.7 + 0.8 * next(),
  }));
  const holidays = [0, 1, 2].map(() => Math.floor(next() * days));
  const loads = Array.from({ length: (days * 24) / stepHours }, (_, n) => {
    const at = new Date(start + n * stepHours * hourMs);
    const day = (n * stepHours) / 24;
    const isQuiet = [0, 6].includes(at.getUTCDay()) || holidays.includes(Math.floor(day));
    const mean =
      level *
      Math.exp(growth * day) *
      (isQuiet ? weekend : 1) *
      (1 + night * Math.sin((2 * Math.PI * (at.getUTCHours() - 8)) / 24)) *
      deployments.reduce((all, { day: from, by }) => (day >= from ? all * by : all), 1);
    return { at, value: Math.round(mean * Math.exp(noise * normalNoise(next))) };
  });
  const isSpecial = (at: Date) => {
    const day = (at.getTime() - start) / (24 * hourMs);
    const since = deployments.map(({ day: from }) => day - from);
    return (
      holidays.includes(Math.floor(day)) ||
      since.some((each) => each >= 0 && each <= 2 + (6 * stepHours) / 24)
    );
  };
  return { stepHours, loads, columns: columnsOf(loads, stepHours, next), isSpecial };
}

/** What a daily profile finds in four columns: shares vary by chance among the rows, and by what the days are like. */
function columnsOf(loads: readonly Point[], stepHours: number, next: Random): Shape["columns"] {
  const perDay = 24 / stepHours;
  const rowsOf = (day: number) =>
    loads.slice(day * perDay, (day + 1) * perDay).reduce((sum, { value }) => sum + value, 0);
  const daily = (value: (day: number, rows: number) => number): Point[] =>
    Array.from({ length: days }, (_, day) => ({
      at: new Date(start + (day + 1) * 24 * hourMs),
      value: value(day, Math.max(30, Math.min(40_000, rowsOf(day)))),
    }));
  const share = (typical: number, varying: number) =>
    daily((_, rows) => {
      const true_ = Math.min(1, Math.max(0, typical * Math.exp(varying * normalNoise(next))));
      return Math.min(1, Math.max(0, true_ + Math.sqrt((true_ * (1 - true_)) / rows) * normalNoise(next)));
    });
  const [mean, deviation, weekly] = [10 ** (4 * next()), 0.1 + next(), 0.1 * next()];
  return [
    { measure: "NullShare", points: share(next() < 0.5 ? 0 : 0.3 * next(), 0.2 * next()) },
    { measure: "TopShare", points: share(0.2 + 0.6 * next(), 0.1 * next()) },
    { measure: "DistinctShare", points: share(0.05 + 0.5 * next(), 0.15 * next()) },
    {
      measure: "Mean",
      points: daily(
        (day, rows) =>
          mean *
          (1 +
            weekly * Math.sin((2 * Math.PI * day) / 7) +
            (deviation / Math.sqrt(rows)) * normalNoise(next) +
            0.02 * normalNoise(next)),
      ),
    },
  ];
}

type Kind = { name: string; measure: MeasureName; change(value: number, place: number): number };

/** What an incident makes of the value that would have come, in its first interval and the next. */
const kinds: readonly Kind[] = [
  { name: "nothing arrives", measure: "NewRows", change: () => 0 },
  { name: "half is missing", measure: "NewRows", change: (value) => value / 2 },
  { name: "a tenth is left", measure: "NewRows", change: (value) => value / 10 },
  { name: "loaded twice", measure: "NewRows", change: (value) => 2 * value },
  { name: "a load is late", measure: "Interval", change: (value) => value },
  { name: "a quarter is NULL", measure: "NullShare", change: (value) => value + 0.25 * (1 - value) },
  { name: "everything is NULL", measure: "NullShare", change: () => 1 },
  { name: "a default instead of values", measure: "TopShare", change: (value) => value + 0.6 * (1 - value) },
  { name: "one value for all", measure: "DistinctShare", change: () => 0.0001 },
  { name: "cents instead of euros", measure: "Mean", change: (value) => 100 * value },
];

/** Of a table's volume: hourly ones are judged by the hour. */
const measureOf = (shape: Shape, measure: MeasureName): MeasureName =>
  measure === "NewRows" && shape.stepHours < 24 ? "HourRows" : measure;

const pointsOf = (shape: Shape, measure: MeasureName): readonly Point[] =>
  measure === "NewRows"
    ? shape.loads
    : (shape.columns.find((column) => column.measure === measure)?.points ?? []);

/** The first seeds were looked at when constants were chosen; the others were not. */
const seedsFrom = { "chosen with": [5_000], "checked with": [20_000, 30_000, 40_000] };

export function printSimulation(say: Say): void {
  for (const [what, seeds] of Object.entries(seedsFrom))
    for (const from of seeds) printTables(say, what, from);
}

function printTables(say: Say, what: string, firstSeed: number): void {
  const all = Array.from({ length: tables }, (_, n) => aTable(firstSeed + n, n % 2 === 0 ? 1 : 24));
  const weeks = ((days - learnedBy) / 7) * tables;
  let [special, judgedPoints] = [0, 0];
  const falseAlarms = new Map<string, number>();
  const began = performance.now();
  for (const shape of all)
    for (const measure of ["NewRows", "NullShare", "TopShare", "DistinctShare", "Mean"] as const) {
      const points = pointsOf(shape, measure);
      judgedPoints += points.length;
      let was = false;
      for (const { point, judged } of judgedThen(measureOf(shape, measure), "UTC", points)) {
        const isLearned = point.at.getTime() >= start + learnedBy * 24 * hourMs;
        const is = isLearned && (judged?.isUnusual ?? false);
        // One alert goes on until it is over.
        if (is && !was && shape.isSpecial(point.at)) special += 1;
        else if (is && !was) {
          const name = measureOf(shape, measure);
          falseAlarms.set(name, (falseAlarms.get(name) ?? 0) + 1);
        }
        was = is;
      }
    }
  const microseconds = (1000 * (performance.now() - began)) / judgedPoints;
  const lateness = all.reduce((sum, shape, n) => sum + falselyLate(shape, random(firstSeed + 700 + n)), 0);
  falseAlarms.set("Interval", lateness);
  const wrong = [...falseAlarms.values()].reduce((sum, each) => sum + each, 0);
  const noticed = kinds.map((kind, n) => ({ ...kind, found: found(kind, all, random(firstSeed + 900 + n)) }));
  const total = noticed.reduce((sum, each) => sum + each.found, 0);
  const percent = (count: number, of: number) => `${((100 * count) / of).toFixed(1)}%`;
  say("");
  say(
    `${tables} tables over ${days} days, ${kinds.length * incidentsEach} incidents, ${what} seeds from ${firstSeed}:`,
  );
  say(`  ${percent(total, kinds.length * incidentsEach)} noticed within two of the table's intervals`);
  say(`  ${((100 * wrong) / weeks).toFixed(2)} false alarms per hundred tables and week, and`);
  say(`  ${((100 * special) / weeks).toFixed(2)} for holidays and deployments, which it cannot know of`);
  say(`  ${microseconds.toFixed(1)} µs to learn and judge a point`);
  for (const { name, found: each } of noticed)
    say(`  ${name.padEnd(30)}${percent(each, incidentsEach).padStart(7)}`);
  for (const [name, count] of falseAlarms)
    say(`  false alarms of ${name.padEnd(14)}${((100 * count) / weeks).toFixed(2).padStart(7)}`);
}

/** How many of this kind are noticed, in tables and at times of chance. */
function found({ measure, change }: Kind, all: readonly Shape[], next: Random): number {
  let noticed = 0;
  for (let n = 0; n < incidentsEach; n++) {
    const shape = all[Math.floor(next() * all.length)] as Shape;
    if (measure === "Interval") {
      noticed += isLateNoticed(shape, next) ? 1 : 0;
      continue;
    }
    const points = pointsOf(shape, measure);
    const first = Math.ceil((points.length * learnedBy) / days);
    const place = first + Math.floor(next() * (points.length - first - 2));
    const isNoticed = [0, 1].some((more) => {
      const changed = points
        .slice(0, place + more + 1)
        .map((point, at) => (at < place ? point : { ...point, value: change(point.value, at - place) }));
      return judgedThen(measureOf(shape, measure), "UTC", changed).at(-1)?.judged?.isUnusual ?? false;
    });
    noticed += isNoticed ? 1 : 0;
  }
  return noticed;
}

/** Loads are some minutes late, mostly a few, and seen by the next look. */
function seenLoads(shape: Shape, next: Random): Point[] {
  const lookMs = lookMinutes * 60_000;
  const minutesLate = 1 + 4 * next();
  const seen = shape.loads.map(({ at }) => {
    const late = -minutesLate * Math.log(1 - next()) * 60_000;
    return Math.ceil((at.getTime() + late) / lookMs) * lookMs;
  });
  return seen.slice(1).map((at, n) => ({ at: new Date(seen[n] ?? 0), value: (at - (seen[n] ?? 0)) / 1000 }));
}

/** How often a load that came was called late before. */
function falselyLate(shape: Shape, next: Random): number {
  const intervals = seenLoads(shape, next);
  const first = (learnedBy * 24) / shape.stepHours;
  let alarms = 0;
  // As often as a table's pause is learned anew.
  for (let place = first; place < intervals.length; place += shape.stepHours < 24 ? 24 : 1) {
    const since = intervals[place]?.at ?? new Date();
    const pause = usualPause(intervals.slice(Math.max(0, place - 500), place), "UTC", since);
    const some = intervals.slice(place, place + (shape.stepHours < 24 ? 24 : 1));
    alarms += some.filter(({ value }) => pause !== null && value > pause + 60 * lookMinutes).length;
  }
  return alarms;
}

/** A load that does not come is noticed before the one after it would be over. */
function isLateNoticed(shape: Shape, next: Random): boolean {
  const intervals = seenLoads(shape, next).slice(0, (60 * 24) / shape.stepHours);
  const since = intervals.at(-1)?.at ?? new Date();
  const pause = usualPause(intervals.slice(-500), "UTC", since);
  return pause !== null && pause + 60 * lookMinutes <= 2 * shape.stepHours * 3600;
}
