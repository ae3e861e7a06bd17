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

/** Five lots of tables each. Only the first were looked at when the way of learning was chosen. */
const seeds = {
  "chosen with": [0, 100_000, 200_000, 300_000, 400_000],
  "checked with": [1_000_000, 1_100_000, 1_200_000, 1_300_000, 1_400_000],
};
type What = keyof typeof seeds;

/** Of many tables: how many of each kind of incident were tried and found, and alarms in so many weeks. */
type Figures = {
  noticed: Record<string, { of: number; found: number }>;
  falseAlarms: number;
  special: number;
  weeks: number;
};

export function printSimulation(say: Say, whats: readonly What[] = ["chosen with", "checked with"]): void {
  for (const what of whats) {
    say(`${tables} tables for each seed over ${days} days, ${width} spreads, ${what} these seeds`);
    say("");
    for (const [name, stepHours] of [
      ["hourly", 1],
      ["daily", 24],
    ] as const) {
      const each = seeds[what].map((from) => ({ from, ...judgeTables(stepHours, from) }));
      for (const { from, ...figures } of each) say(`${name}, from ${from}: ${inShort(figures)}`);
      printFigures(name, each.reduce<Figures>(addUp, noFigures()), say);
    }
  }
}

const noFigures = (): Figures => ({
  noticed: Object.fromEntries(Object.keys(incidents).map((kind) => [kind, { of: 0, found: 0 }])),
  falseAlarms: 0,
  special: 0,
  weeks: 0,
});

const addUp = (a: Figures, b: Figures): Figures => ({
  noticed: Object.fromEntries(
    Object.entries(a.noticed).map(([kind, { of, found }]) => [
      kind,
      { of: of + (b.noticed[kind]?.of ?? 0), found: found + (b.noticed[kind]?.found ?? 0) },
    ]),
  ),
  falseAlarms: a.falseAlarms + b.falseAlarms,
  special: a.special + b.special,
  weeks: a.weeks + b.weeks,
});

const share = (found: number, of: number) => `${((100 * found) / of).toFixed(1)}%`;
const rate = (alarms: number, { weeks }: Figures) => ((100 * alarms) / weeks).toFixed(2);

function allNoticed({ noticed }: Figures): string {
  const all = Object.values(noticed);
  return share(
    all.reduce((sum, { found }) => sum + found, 0),
    all.reduce((sum, { of }) => sum + of, 0),
  );
}

const inShort = (figures: Figures) =>
  `${allNoticed(figures)} noticed, ${rate(figures.falseAlarms, figures)} false alarms`;

function printFigures(name: string, figures: Figures, say: Say): void {
  say(`${name}: ${allNoticed(figures)} of incidents noticed within two intervals;`);
  say(`  per hundred tables and week, ${rate(figures.falseAlarms, figures)} false alarms,`);
  say(`  and ${rate(figures.special, figures)} for holidays and deployments, which it cannot know of`);
  for (const [kind, { of, found }] of Object.entries(figures.noticed))
    say(`  ${kind.padEnd(20)} ${share(found, of).padStart(6)}`);
  say("");
}

function judgeTables(stepHours: number, seedsFrom: number): Figures {
  const { noticed } = noFigures();
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
  return { noticed, falseAlarms, special, weeks };
}
