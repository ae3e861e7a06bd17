import {
  type Learned,
  learn,
  nothingLearned,
  type Series,
  unusualnessOf,
} from "../../server/normal/learned.ts";
import type { Say } from "../measure.ts";
import { normalNoise, random } from "../random.ts";

/** Series of one point each five minutes: what is noticed of incidents, and how often quiet ones alarm. */
const perDay = 288;
const days = 28;
/** Incidents begin after this day; false alarms are counted from it on, too. */
const learnedBy = 7;
const howMany = 12;
const width = 4;
const start = Date.UTC(2026, 0, 5);
/** An incident is noticed if it alarms within so many points, or half a day where it takes that long to show. */
const within = 25;

type Random = () => number;

/** What a series looks like when nothing happens. */
const shapes: Record<string, (next: Random) => (n: number) => number> = {
  "noise around a level": (next) => {
    const noise = 0.02 + 0.1 * next();
    return () => 100 * (1 + noise * normalNoise(next));
  },
  "a day, with noise": (next) => {
    const [height, noise] = [0.2 + 0.6 * next(), 0.02 + 0.08 * next()];
    return (n) => 100 * (1 + height * Math.sin((2 * Math.PI * n) / perDay)) * (1 + noise * normalNoise(next));
  },
  "a day, quiet on weekends": (next) => {
    const [height, noise, weekend] = [0.2 + 0.6 * next(), 0.02 + 0.06 * next(), 0.4 + 0.5 * next()];
    return (n) =>
      100 *
      (1 + height * Math.sin((2 * Math.PI * n) / perDay)) *
      (Math.floor(n / perDay) % 7 >= 5 ? weekend : 1) *
      (1 + noise * normalNoise(next));
  },
  "wandering around a level": (next) => {
    let away = 0;
    return () => {
      away = 0.98 * away + normalNoise(next);
      return 100 + away;
    };
  },
  "quiet with bursts": (next) => {
    let left = 0;
    return () => {
      if (left === 0 && next() < 0.01) left = 1 + Math.floor(6 * next());
      if (left > 0) left -= 1;
      return left > 0 ? 60 + 40 * next() : 2 + next();
    };
  },
};

/** What an incident makes of the values from its first point on; `k` is how many points ago that was. */
const incidents: Record<string, (value: number, k: number, before: readonly number[]) => number> = {
  "a spike": (value, k, before) => (k === 0 ? 2 * Math.max(...before.slice(-perDay)) : value),
  "a level that is 50% higher": (value, _, before) => value + 0.5 * Math.max(...before.slice(-perDay)),
  "nothing but zeros": () => 0,
  "a flat line": (_, __, before) => before.at(-1) ?? 0,
  "three times the noise": (value, k, before) => {
    const last = before.slice(-12);
    const mean = last.reduce((sum, each) => sum + each, 0) / last.length;
    return value + (k % 2 === 0 ? 1 : -1) * 0.4 * mean;
  },
  "night instead of day": (_, k, before) => before.at(k - perDay / 2) ?? 0,
};

export function printDenseSimulation(say: Say): void {
  say(`${howMany} series of five minutes of each kind over ${days} days, ${width} spreads`);
  for (const [name, shape] of Object.entries(shapes)) {
    const noticed = Object.fromEntries(Object.keys(incidents).map((kind) => [kind, { of: 0, found: 0 }]));
    let alarms = 0;
    for (let n = 0; n < howMany; n++) alarms += judgeSeries(shape, random(100_000 + n), noticed);
    const weeks = (howMany * (days - learnedBy)) / 7;
    say(`${name}: ${(alarms / weeks).toFixed(2)} false alarms a week for each series; noticed of`);
    for (const [kind, { of, found }] of Object.entries(noticed))
      say(`  ${kind.padEnd(28)} ${((100 * found) / of).toFixed(0).padStart(4)}%`);
  }
  say("");
}

const series: Series = { kind: "Number", timezone: "UTC" };
const at = (place: number) => new Date(start + (place * 86_400_000) / perDay);
const isUnusual = (learned: Learned, place: number, value: number) =>
  Math.abs(unusualnessOf(learned, series, at(place), value) ?? 0) > width;

/** Counts its false alarms, and adds to what was noticed of incidents. */
function judgeSeries(
  shape: (next: Random) => (n: number) => number,
  next: Random,
  noticed: Record<string, { of: number; found: number }>,
): number {
  const valueAt = shape(next);
  const values = Array.from({ length: days * perDay }, (_, place) => valueAt(place));
  const learned = nothingLearned();
  const tried = new Set([0, 1, 2, 3].map((k) => Math.floor((learnedBy + (k + next()) * 5) * perDay)));
  let [alarms, wasUnusual] = [0, false];
  for (const [place, value] of values.entries()) {
    const isNow = isUnusual(learned, place, value);
    // One alarm for each run: that is what a person is told.
    if (isNow && !wasUnusual && place >= learnedBy * perDay) alarms += 1;
    wasUnusual = isNow;
    learn(learned, series, at(place), value);
    if (!tried.has(place)) continue;
    // Each incident is tried on a copy of what was learned, as the next points.
    for (const [kind, change] of Object.entries(incidents)) {
      const copy = structuredClone(learned);
      const counted = noticed[kind];
      if (!counted) continue;
      counted.of += 1;
      const before = values.slice(0, place + 1);
      for (let k = 0; k < (kind === "night instead of day" ? perDay / 2 : within); k++) {
        const changed = change(values[place + 1 + k] ?? 0, k, before);
        if (isUnusual(copy, place + 1 + k, changed)) {
          counted.found += 1;
          break;
        }
        learn(copy, series, at(place + 1 + k), changed);
      }
    }
  }
  return alarms;
}
