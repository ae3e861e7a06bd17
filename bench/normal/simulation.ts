import { learn, nothingLearned, type Series, unusualnessOf } from "../../server/normal/learned.ts";
import type { Say } from "../measure.ts";
import { normalNoise, random } from "../random.ts";

const dayMs = 86_400_000;
const days = 120;
/** Incidents begin after this day; false alarms are counted from it on, too. */
const learnedBy = 42;
const tables = 100;
const width = 4;
const start = Date.UTC(2026, 0, 5);

type Random = () => number;

type Table = {
  stepMs: number;
  values: number[];
  /** Whether an interval differs for a reason that nobody has told: a holiday, or a deployment just before. */
  isSpecial(place: number): boolean;
};

/** Rows that arrive in each interval: a weekend, a day, growth, three holidays, and two deployments that move the level. */
function aTable(stepHours: number, next: Random): Table {
  const points = (days * 24) / stepHours;
  const level = 10 ** (2 + 3 * next());
  const weekend = 0.2 + 0.8 * next();
  const night = stepHours < 24 ? 0.8 * next() : 0;
  const growth = -0.002 + 0.008 * next();
  const noise = 0.03 + 0.12 * next();
  const deployments = [0, 1].map(() => ({
    day: learnedBy + next() * (days - learnedBy),
    by: 0.7 + 0.8 * next(),
  }));
  const holidays = [0, 1, 2].map(() => Math.floor(next() * days));
  const values = Array.from({ length: points }, (_, n) => {
    const day = (n * stepHours) / 24;
    const date = new Date(start + n * stepHours * 3_600_000);
    const isQuiet = [0, 6].includes(date.getUTCDay()) || holidays.includes(Math.floor(day));
    const mean =
      level *
      Math.exp(growth * day) *
      (isQuiet ? weekend : 1) *
      (1 + night * Math.sin((2 * Math.PI * (date.getUTCHours() - 8)) / 24)) *
      deployments.reduce((all, { day: from, by }) => (day >= from ? all * by : all), 1);
    return Math.round(mean * Math.exp(noise * normalNoise(next)));
  });
  const isSpecial = (place: number) => {
    const day = (place * stepHours) / 24;
    // A new level is taken over after five intervals, also if a weekend hides it first.
    const sinceDeployment = deployments.map(({ day: from }) => day - from);
    return (
      holidays.includes(Math.floor(day)) ||
      sinceDeployment.some((since) => since >= 0 && since <= 2 + (6 * stepHours) / 24)
    );
  };
  return { stepMs: stepHours * 3_600_000, values, isSpecial };
}

/** What an incident makes of the value that would have come, in its first interval and those after. */
const incidents: Record<string, (value: number, place: number, before: readonly number[]) => number> = {
  "nothing arrives": () => 0,
  "half is missing": (value) => value * 0.5,
  "a third is left": (value) => value / 3,
  "a tenth is left": (value) => value / 10,
  "twice as much": (value) => value * 2,
  "ten times as much": (value) => value * 10,
  "one more load": (value, place) => (place === 0 ? value * 3 : value),
  "late by one": (value, place) => (place === 0 ? 0 : value * 2),
  "frozen at a tenth": (_, __, before) => (before.at(-1) ?? 0) / 10,
  "fading away": (value, place) => value * 0.4 ** (place + 1),
};

/** The first seeds were looked at when constants were chosen; the others were not. */
const seedsFrom = { "chosen with": 0, "checked with": 100_000 };

export function printSimulation(say: Say): void {
  for (const [what, from] of Object.entries(seedsFrom)) {
    say(`${tables} tables over ${days} days, ${width} spreads, ${what} seeds from ${from}`);
    say("");
    for (const [name, stepHours] of [
      ["hourly", 1],
      ["daily", 24],
    ] as const)
      printTables(name, stepHours, from, say);
  }
}

function printTables(name: string, stepHours: number, seedsFrom: number, say: Say): void {
  const noticed = Object.fromEntries(Object.keys(incidents).map((kind) => [kind, { of: 0, found: 0 }]));
  let [falseAlarms, special, weeks] = [0, 0, 0];
  for (let n = 0; n < tables; n++) {
    const next = random(seedsFrom + 1000 * stepHours + n);
    const { values, stepMs, isSpecial } = aTable(stepHours, next);
    const series: Series = { kind: "Count", timezone: "UTC" };
    const learned = nothingLearned();
    const judge = (place: number, value: number) =>
      Math.abs(unusualnessOf(learned, series, new Date(start + place * stepMs), value) ?? 0) > width;
    const first = (learnedBy * dayMs) / stepMs;
    const tried = new Set(
      Object.keys(incidents).map((_, k) =>
        Math.floor(first + ((k + next()) * (values.length - first - 2)) / 10),
      ),
    );
    let wasUnusual = false;
    for (const [place, value] of values.entries()) {
      const isUnusual = place >= first && judge(place, value);
      // One alarm for each run of unusual intervals: that is what a person is told.
      if (isUnusual && !wasUnusual && isSpecial(place)) special += 1;
      else if (isUnusual && !wasUnusual) falseAlarms += 1;
      wasUnusual = isUnusual;
      learn(learned, series, new Date(start + place * stepMs), value);
      if (!tried.has(place)) continue;
      // Each incident is tried on a copy of what was learned, as the next two intervals.
      for (const [kind, change] of Object.entries(incidents)) {
        const copy = structuredClone(learned);
        const counted = noticed[kind];
        if (!counted) continue;
        counted.of += 1;
        const isNoticed = [0, 1].some((k) => {
          const at = new Date(start + (place + 1 + k) * stepMs);
          const changed = Math.round(change(values[place + 1 + k] ?? 0, k, values.slice(0, place + 1)));
          const sigmas = Math.abs(unusualnessOf(copy, series, at, changed) ?? 0);
          learn(copy, series, at, changed);
          return sigmas > width;
        });
        if (isNoticed) counted.found += 1;
      }
    }
    weeks += (days - learnedBy) / 7;
  }
  const all = Object.values(noticed);
  const share = (found: number, of: number) => `${((100 * found) / of).toFixed(1)}%`;
  const found = all.reduce((sum, each) => sum + each.found, 0);
  const of = all.reduce((sum, each) => sum + each.of, 0);
  say(`${name}: ${share(found, of)} of incidents noticed within two intervals;`);
  const rate = (alarms: number) => ((100 * alarms) / weeks).toFixed(2);
  say(`  per hundred tables and week, ${rate(falseAlarms)} false alarms,`);
  say(`  and ${rate(special)} for holidays and deployments, which it cannot know of`);
  for (const [kind, each] of Object.entries(noticed))
    say(`  ${kind.padEnd(20)} ${share(each.found, each.of).padStart(6)}`);
  say("");
}
