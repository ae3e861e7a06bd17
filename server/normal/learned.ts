import { type LocalTime, localTimeAt } from "./calendar.ts";
import { type Dense, denseRange, isDense, learnDense, nothingDense, surprises } from "./dense.ts";
import { type Judging, standardWidth } from "./judging.ts";
import { type NumberKind, scales } from "./scale.ts";
import {
  emptyTable,
  learnOffset,
  medianOf,
  moveVisit,
  offsetIn,
  type Season,
  type SeasonTable,
  visitsIn,
} from "./seasons.ts";

/**
 * Learns what is usual of a series, one point at a time, and judges the next.
 *
 * Several models predict each point: the last values, the level, and the level with an offset by hour of day, day of
 * week, hour of week, or day of month. Each is scored on points that it had not seen, and the best one so far gives
 * the range, so that a season is used only where the series shows it. Points outside the range are set aside rather
 * than learned. If enough of them follow each other on the same side, the level has moved, and is taken over. Of a series
 * of many points a day, the shape of the last points is judged instead (dense.ts).
 *
 * Pure and deterministic: the same points in the same order give the same state. A point takes microseconds, as what is asked
 * for each of them makes neither closures nor lists: whole series are learned again for each execution that is judged. The
 * state is plain JSON of some twenty kilobytes.
 */
export type Learned = {
  /** The number of points so far. */
  points: number;
  lastAt: number | null;
  /** The usual time between two points, in milliseconds. */
  step: number | null;
  models: ModelState[];
  /** Unusual points in a row: when, and the value on the scale. */
  unusual: { at: number; scaled: number }[];
  dense: Dense;
};

type ModelState = {
  level: number;
  slope: number;
  /** How many points it has predicted, knowing the hour, weekday… from before. */
  predicted: number;
  /** The mean absolute error, on points that were not yet learned. What happens once a day must count. */
  loss: number;
  /** The spread of usual errors, as a standard deviation. */
  spread: number;
  /** How many spreads away a point in two hundred is. */
  tail: number;
  tables: SeasonTable[];
  /**
   * The latest step of the level: by how much, and after how many points. What a step was for, such as a holiday or a
   * deployment that is undone, is often over soon, and then the level before it is no surprise. Each model has its own: on
   * a Saturday after a holiday, the models that know weekends are back where they were, and the others are not.
   */
  latestStep: { point: number; by: number } | null;
};

export type Series = {
  kind: NumberKind;
  /** An IANA zone: hours and days are those of its clocks. */
  timezone: string;
  /** Each point is judged by itself, however many come in a day. */
  isSparse?: true;
};

export type Normal = {
  /** Both inclusive; infinite on a side that does not matter. */
  low: number;
  high: number;
  center: number;
  /** What the range is for: the season that the series shows, and the time in it. */
  season: { kind: SeasonKind; time: LocalTime };
  /** How many points it is based on. */
  points: number;
  /**
   * Other ranges that are usual, too: by the level before the latest step, for a while, and by models that know this hour or
   * day and have predicted nearly as well. A weekend begins once in 168 hours, so knowing it hardly improves a prediction.
   */
  others: Range[];
};
type Range = { low: number; high: number; center: number };

/** Fewer points say nothing. */
export const minPoints = 14;

const dayMs = 86_400_000;
const models = [
  { kind: "None", rate: 0.4, days: null, seasons: [] },
  { kind: "None", rate: 0.06, days: null, seasons: [] },
  { kind: "Hour", rate: 0.06, days: 3, seasons: ["hour"] },
  { kind: "Weekday", rate: 0.06, days: 7, seasons: ["weekday"] },
  { kind: "HourAndWeekday", rate: 0.06, days: 7, seasons: ["weekday", "hour"] },
  { kind: "HourOfWeek", rate: 0.06, days: 7, seasons: ["weekday", "hour", "hourOfWeek"] },
  { kind: "MonthDay", rate: 0.06, days: 30, seasons: ["monthDay"] },
  { kind: "WeekdayAndMonthDay", rate: 0.06, days: 30, seasons: ["weekday", "monthDay"] },
] as const satisfies { kind: string; rate: number; days: number | null; seasons: readonly Season[] }[];
export type SeasonKind = (typeof models)[number]["kind"];

/** Each table must earn its place: predict this much better than without it. */
const margin = 0.05;
/** A model is compared with others once it has predicted so many points. */
const minPredicted = 7;
/** How quickly the past fades from losses and spreads, per point. */
const fading = { loss: 0.005, spread: 0.02 };
const tailShare = 0.005;
/** Outside this many spreads a point is set aside. */
const asideFrom = 4;
/** So many points in a row on one side are a new level; so many anywhere are a wider spread. */
const confirmedAfter = { sameSide: 5, anywhere: 20 };
/** For so many points after a step, the level before it is no surprise. */
const formerFor = 60;
/**
 * A model that knows this hour or day is believed, too, if its loss is at most so many times the least, and the value within
 * so much of its range.
 */
const credible = { loss: 2, width: 0.5 };
/** The first points are learned as they are. */
const warmUp = 10;

export const nothingLearned = (): Learned => ({
  points: 0,
  lastAt: null,
  step: null,
  models: models.map(({ seasons }) => ({
    level: 0,
    slope: 0,
    predicted: 0,
    loss: 0,
    spread: 0,
    tail: 3,
    tables: seasons.map((season) => emptyTable(season)),
    latestStep: null,
  })),
  unusual: [],
  dense: nothingDense(),
});

/** Whether the last points are judged together, rather than each by itself. */
export const isJudgedDense = (learned: Learned, { kind, isSparse }: Series) =>
  !isSparse && isDense(learned.step, learned.points, () => kind === "Number" && isWandering(learned));

/** Whether the last values predict better than the level and any season: neighbors are alike, and hours are not. */
function isWandering({ models: [byLast, ...others] }: Learned): boolean {
  const least = Math.min(...others.filter(({ predicted }) => predicted >= minPredicted).map(penalizedLoss));
  return byLast !== undefined && byLast.loss * (1 + margin) < least;
}

const penalizedLoss = ({ loss, tables }: ModelState) => loss * (1 + margin * tables.length);

/** What is usual at a time; null while there are too few points. */
export function normalAt(learned: Learned, series: Series, at: Date, judging: Judging): Normal | null {
  if (learned.points < minPoints || !Number.isFinite(at.getTime())) return null;
  const { width, direction } = judging;
  const time = localTimeAt(at.getTime(), series.timezone);
  if (isJudgedDense(learned, series)) {
    const range = denseRange(learned.dense, series.kind, time, judging);
    return { ...range, others: [], season: { kind: "None", time }, points: learned.points };
  }
  const scale = scales[series.kind];
  const [first, ...others] = expectations(learned, series, at.getTime(), time).map(
    ({ model, center, unit }) => ({
      model,
      low: direction === "Above" ? Number.NEGATIVE_INFINITY : scale.from(center - unit * width),
      high: direction === "Below" ? Number.POSITIVE_INFINITY : scale.from(center + unit * width),
      center: scale.from(center),
    }),
  );
  if (!first) return null;
  const { model, ...range } = first;
  return {
    ...range,
    others: others.map(({ low, high, center }) => ({ low, high, center })),
    season: { kind: models[model]?.kind ?? "None", time },
    points: learned.points,
  };
}

/** Whether a value is usual by any of the ranges. */
export const isWithin = (normal: Pick<Normal, "low" | "high" | "others">, value: number): boolean =>
  [normal, ...normal.others].some(({ low, high }) => value >= low && value <= high);

/** The range that a value is judged by: the one that it is in, if there is one. */
export function rangeFor(normal: Normal, value: number): Normal {
  const own = [normal, ...normal.others].find(({ low, high }) => value >= low && value <= high);
  return own ? { ...normal, low: own.low, high: own.high, center: own.center } : normal;
}

/** How unusual a value is: its distance from what is expected in spreads, negative below; null while too few points. */
export function unusualnessOf(learned: Learned, series: Series, at: Date, value: number): number | null {
  if (learned.points < minPoints || !Number.isFinite(value) || !Number.isFinite(at.getTime())) return null;
  const time = localTimeAt(at.getTime(), series.timezone);
  if (isJudgedDense(learned, series)) {
    const { share, side } = surprises(learned.dense, series.kind, time, "Both")(value);
    return side * share * standardWidth;
  }
  return distanceOf(learned, series, at.getTime(), time, value);
}

function distanceOf(learned: Learned, series: Series, at: number, time: LocalTime, value: number): number {
  const scaled = scales[series.kind].to(value);
  let least = Number.POSITIVE_INFINITY;
  for (const { center, unit } of expectations(learned, series, at, time)) {
    const distance = (scaled - center) / unit;
    if (Math.abs(distance) < Math.abs(least)) least = distance;
  }
  return least;
}

/**
 * What is expected at a time, on the scale, and what counts as one spread: first by the model that has predicted best, then
 * by others that are nearly as good, and by the level before the latest step. A series with far outliers of its own is
 * given more room.
 */
function expectations(learned: Learned, series: Series, at: number, time: LocalTime): Expectation[] {
  const chosen = chosenModel(learned, time);
  const patient = patience(learned, at);
  const best = learned.models[chosen] as ModelState;
  const expected = expectationBy(chosen, best, patient, series, time);
  const found = [expected];
  for (let model = 0; model < learned.models.length; model++) {
    const state = learned.models[model] as ModelState;
    if (model === chosen || !isCredible(state, best, time)) continue;
    const { center, unit } = expectationBy(model, state, patient, series, time);
    // It must fit well.
    found.push({ model, center, unit: unit * credible.width });
  }
  const step = formerStep(best, learned.points);
  if (step !== 0) found.push({ ...expected, center: expected.center - step });
  return found;
}
type Expectation = { model: number; center: number; unit: number };

function expectationBy(model: number, state: ModelState, patient: number, { kind }: Series, time: LocalTime) {
  const center = expectedBy(state, time);
  const spread = Math.max(state.spread, scales[kind].floor(center)) * patient;
  return { model, center, unit: spread * Math.max(1, state.tail / asideFrom) };
}

/** Whether a model that knows this hour, weekday… is nearly as good as the best one. */
const isCredible = ({ tables, predicted, loss }: ModelState, best: ModelState, time: LocalTime) =>
  tables.length > 0 &&
  predicted >= minPredicted &&
  loss <= credible.loss * best.loss &&
  isKnown(tables, time);

/** What the latest step added to a model's level; 0 if there is none that counts. */
const formerStep = ({ latestStep }: ModelState, points: number) =>
  latestStep !== null && points - latestStep.point <= formerFor ? latestStep.by : 0;

/** Learns one point, changing the state. Values and times that are no numbers are left out. */
export function learn(learned: Learned, series: Series, at: Date, value: number): void {
  if (!isLearned(at, value)) return;
  const time = localTimeAt(at.getTime(), series.timezone);
  learnPoint(learned, series, at.getTime(), time, value);
  learnDense(learned.dense, series.kind, time, value);
}

const isLearned = (at: Date, value: number) => Number.isFinite(value) && Number.isFinite(at.getTime());

/** All but the shape of the last points. */
function learnPoint(learned: Learned, series: Series, ms: number, time: LocalTime, value: number): void {
  const scaled = scales[series.kind].to(value);
  const isAside =
    learned.points >= minPoints && Math.abs(distanceOf(learned, series, ms, time, value)) > asideFrom;
  if (learned.lastAt !== null && ms > learned.lastAt) {
    const gap = ms - learned.lastAt;
    // One long gap says little about how often points come.
    learned.step =
      learned.step === null ? gap : learned.step + 0.1 * (Math.min(gap, 3 * learned.step) - learned.step);
  }
  learned.points += 1;
  learned.lastAt = Math.max(learned.lastAt ?? ms, ms);
  if (isAside) setAside(learned, series, { at: ms, scaled }, time);
  else {
    learned.unusual = [];
    for (let place = 0; place < learned.models.length; place++) {
      returnToFormer(learned.models[place] as ModelState, learned.points, scaled, time, series);
      learnBy(learned, place, scaled, time, series);
    }
  }
}

/**
 * Learns a whole series in order, to judge the point that follows. The shape of the last points is not learned where it says
 * nothing about that one, as it takes a third of the time.
 */
export function learnAll(series: Series, points: readonly { at: Date; value: number }[]): Learned {
  const learned = nothingLearned();
  const given = points.filter(({ at, value }) => isLearned(at, value));
  const times = given.map(({ at }) => localTimeAt(at.getTime(), series.timezone));
  for (const [n, { at, value }] of given.entries())
    learnPoint(learned, series, at.getTime(), times[n] as LocalTime, value);
  if (isJudgedDense(learned, series))
    for (const [n, { value }] of given.entries())
      learnDense(learned.dense, series.kind, times[n] as LocalTime, value);
  return learned;
}

/** A point by the level before the latest step undoes that step; the level in between is then the former one. */
function returnToFormer(
  state: ModelState,
  points: number,
  scaled: number,
  time: LocalTime,
  series: Series,
): void {
  const step = formerStep(state, points);
  if (step === 0) return;
  const error = scaled - expectedBy(state, time);
  const room = asideFrom * roomOf(state, scaled, series);
  if (Math.abs(error) <= room || Math.abs(error + step) > room) return;
  moveLevel(state, -step);
  state.latestStep = { point: points, by: -step };
}

/** One spread of a model's errors; a series with far outliers of its own is given more. */
const roomOf = ({ spread, tail }: ModelState, scaled: number, { kind }: Series) =>
  Math.max(spread, scales[kind].floor(scaled)) * Math.max(1, tail / asideFrom);

function moveLevel(state: ModelState, by: number): void {
  if (by === 0) return;
  state.level += by;
  state.slope = 0;
  const [first] = state.tables;
  if (first) moveVisit(first, by);
}

function expectedBy({ level, slope, tables }: ModelState, time: LocalTime): number {
  let sum = level + slope;
  for (const table of tables) sum += offsetIn(table, time);
  return sum;
}

/** The model with the least loss so far, among those that have seen this hour, weekday… before. */
function chosenModel(learned: Learned, time: LocalTime): number {
  let chosen = 0;
  let least = Number.POSITIVE_INFINITY;
  for (let place = 0; place < learned.models.length; place++) {
    const state = learned.models[place] as ModelState;
    if (state.predicted < minPredicted || !isKnown(state.tables, time)) continue;
    const penalized = penalizedLoss(state);
    if (penalized >= least) continue;
    chosen = place;
    least = penalized;
  }
  return chosen;
}

/** Twice before, so that a single visit is no season. */
function isKnown(tables: SeasonTable[], time: LocalTime): boolean {
  for (const table of tables) if (visitsIn(table, time) < 2) return false;
  return true;
}

/** After a gap, such as an outage of weeks, the level may have moved unseen. */
function patience({ lastAt, step }: Learned, at: number): number {
  if (lastAt === null || step === null || step <= 0) return 1;
  const missed = (at - lastAt) / step - 3;
  return missed <= 0 ? 1 : Math.min(2, Math.sqrt(1 + missed / 30));
}

function learnBy(learned: Learned, place: number, scaled: number, time: LocalTime, series: Series): void {
  const model = models[place];
  const state = learned.models[place];
  if (!model || !state) return;
  const { points } = learned;
  if (points === 1) {
    state.level = scaled;
    for (const table of state.tables) learnOffset(table, time, 0);
    return;
  }
  const error = scaled - expectedBy(state, time);
  if (isKnown(state.tables, time)) countError(state, error, series, scaled);
  const isWarm = state.predicted > warmUp;
  const clipped = isWarm ? clip(error, 3 * state.spread) : error;
  const rate = Math.max(rateOf(model, learned.step), 1 / points, settling(state, points));
  state.level += state.slope + rate * clipped;
  if (isWarm) state.slope = 0.98 * (state.slope + 0.05 * rate * clipped);
  let rest = scaled - state.level;
  for (const table of state.tables) {
    learnOffset(table, time, rest);
    rest -= offsetIn(table, time);
  }
}

/**
 * After a step, known from five points only, the level is the mean of all since. Moved at the usual rate instead, it would
 * be wrong for weeks, the visits of these weeks would be measured from it, and their median would be wrong once it is right.
 */
const settling = ({ latestStep }: ModelState, points: number) =>
  latestStep === null ? 0 : 1 / (points - latestStep.point + confirmedAfter.sameSide);

/**
 * A level with seasons moves slowly, or a weekend would be learned as a new level; but within a week or so, to be right
 * before the third visit since a small step turns the median of a weekday.
 */
function rateOf({ rate, days }: (typeof models)[number], step: number | null): number {
  if (days === null || step === null) return rate;
  return Math.min(0.15, Math.max(0.0005, step / (days * dayMs)));
}

function countError(state: ModelState, error: number, series: Series, scaled: number): void {
  const size = Math.abs(error);
  const floor = scales[series.kind].floor(scaled);
  state.predicted += 1;
  const isWarm = state.predicted > warmUp;
  const lossRate = Math.max(fading.loss, 1 / state.predicted);
  state.loss += lossRate * ((isWarm ? Math.min(size, 30 * Math.max(state.loss, floor)) : size) - state.loss);
  const spreadRate = Math.max(fading.spread, 1 / state.predicted);
  // 1.2533: a normal distribution's standard deviation by its mean absolute deviation.
  const deviation = 1.2533 * size;
  state.spread +=
    spreadRate *
    ((isWarm ? Math.min(deviation, 4 * Math.max(state.spread, floor)) : deviation) - state.spread);
  if (!isWarm) return;
  const isBeyond = size > state.tail * Math.max(state.spread, floor);
  state.tail = Math.min(8, Math.max(3, state.tail + 0.2 * ((isBeyond ? 1 : 0) - tailShare)));
}

/** An unusual point moves no level. Many in a row are a step, or a spread that has grown. */
function setAside(
  learned: Learned,
  series: Series,
  point: { at: number; scaled: number },
  time: LocalTime,
): void {
  for (const state of learned.models) {
    if (isKnown(state.tables, time))
      countError(state, point.scaled - expectedBy(state, time), series, point.scaled);
    // Tables remember it as one visit among several: only if it recurs, it is a season.
    let rest = point.scaled - state.level;
    for (const table of state.tables) {
      learnOffset(table, time, rest);
      rest -= offsetIn(table, time);
    }
  }
  learned.unusual.push(point);
  const count = learned.unusual.length;
  if (count < confirmedAfter.sameSide) return;
  const times = learned.unusual.map(({ at }) => localTimeAt(at, series.timezone));
  const current = learned.models[chosenModel(learned, time)] as ModelState;
  const errors = learned.unusual.map(({ scaled }, n) => scaled - expectedBy(current, times[n] as LocalTime));
  const latest = errors.slice(-confirmedAfter.sameSide);
  const isOneSided = latest.every((error) => error > 0) || latest.every((error) => error < 0);
  if (!isOneSided && count < confirmedAfter.anywhere) return;
  for (const state of learned.models) {
    // A weekday that is new to a model is no step of its level.
    if (state.tables.some((table) => times.some((each) => visitsIn(table, each) < 1))) continue;
    const own = learned.unusual
      .slice(-confirmedAfter.sameSide)
      .map(
        ({ scaled }, n, all) => scaled - expectedBy(state, times[times.length - all.length + n] as LocalTime),
      );
    const step = medianOf(own);
    moveLevel(state, step);
    if (isOneSided) state.latestStep = { point: learned.points, by: step };
    else {
      state.spread = Math.max(state.spread, 1.4826 * medianOf(own.map(Math.abs)));
      state.latestStep = null;
    }
  }
  learned.unusual = [];
}

const clip = (value: number, most: number) => Math.min(most, Math.max(-most, value));
