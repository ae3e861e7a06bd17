import type { Direction } from "../normal/judging.ts";
import type { Series } from "../normal/learned.ts";
import type { NumberKind } from "../normal/scale.ts";
import { figure, lasting } from "../text.ts";

/** What is measured of tables and columns that nobody has written a rule for. The browser loads this file too. */

export const measureNames = [
  "Interval",
  "Rows",
  "NewRows",
  "HourRows",
  "NullShare",
  "BlankShare",
  "DistinctShare",
  "TopShare",
  "Mean",
  "Spread",
] as const;
export type MeasureName = (typeof measureNames)[number];

export type Measure = {
  kind: NumberKind;
  direction: Direction;
  /** As the subject of a sentence. */
  words: string;
  /** A value in words. */
  figure(value: number): string;
  /** How many spreads away from what is expected a value is still usual. */
  width: number;
  /** Whether a value further away than usual is also so much of a change that someone would want to know. */
  matters(value: number, center: number): boolean;
  /**
   * Whether two values in a row must be unusual on the same side, unless the first is far away: what is measured often is
   * often unusual by chance.
   */
  twice?: true;
};

const percent = (share: number) => `${figure(Math.round(share * 10_000) / 100)}%`;
const rounded = (value: number) =>
  figure(Math.abs(value) >= 1000 ? Math.round(value) : Number(value.toPrecision(4)));
const whole = (value: number) => figure(Math.round(value));
const share = { kind: "Share", direction: "Both", figure: percent, width: 5 } as const;
const byFactor = (least: number) => (value: number, center: number) =>
  Math.abs(value - center) >= least * Math.max(1, Math.abs(center));
const byPoints = (least: number) => (value: number, center: number) => Math.abs(value - center) >= least;

export const measures: Readonly<Record<MeasureName, Measure>> = {
  Interval: {
    kind: "Duration",
    direction: "Above",
    words: "Time between changes",
    figure: lasting,
    width: 4,
    matters: (value, center) => value >= 1.3 * center,
  },
  Rows: {
    kind: "Count",
    direction: "Both",
    words: "Rows",
    figure: whole,
    width: 6,
    matters: byFactor(0.02),
  },
  NewRows: {
    kind: "Count",
    direction: "Both",
    words: "New rows in a day",
    figure: whole,
    width: 3.5,
    matters: byFactor(0.2),
  },
  HourRows: {
    kind: "Count",
    direction: "Both",
    words: "New rows in an hour",
    figure: whole,
    width: 3,
    matters: byFactor(0.3),
    twice: true,
  },
  NullShare: { ...share, words: "Share of NULL", matters: byPoints(0.02) },
  BlankShare: { ...share, words: "Share of blank texts", matters: byPoints(0.02) },
  DistinctShare: { ...share, words: "Share of distinct values", matters: byPoints(0.05) },
  TopShare: { ...share, words: "Share of the most frequent value", matters: byPoints(0.05) },
  Mean: {
    kind: "Number",
    direction: "Both",
    words: "Mean",
    figure: rounded,
    width: 6,
    matters: (value, center) => Math.abs(value - center) >= 0.1 * Math.abs(center),
  },
  Spread: {
    kind: "Number",
    direction: "Both",
    words: "Standard deviation",
    figure: rounded,
    width: 6,
    matters: (value, center) => value >= 1.5 * center || value <= center / 1.5,
  },
};

export const seriesOf = (measure: MeasureName, timezone: string): Series => ({
  kind: measures[measure].kind,
  timezone,
  // How long a pause may be is asked when it is not over: one that is longer than usual is one incident, and no shape.
  ...(measure === "Interval" && { isSparse: true }),
});
