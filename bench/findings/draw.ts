import type { Random } from "../../faults/random.ts";

/** Draws from distributions that are common in real tables. */

/** Standard normal: mean 0, standard deviation 1. */
export function normal(random: Random): number {
  const radius = Math.sqrt(-2 * Math.log(1 - random.next()));
  return radius * Math.cos(2 * Math.PI * random.next());
}

/** Amounts, sizes and durations: half are below the median, and a few are very large. */
export const heavyTailed = (random: Random, median: number, spread = 1): number =>
  median * Math.exp(spread * normal(random));

/** The first items are drawn often, the last ones rarely. */
export const mostlyFirst = <T>(random: Random, from: readonly T[], skew = 2.5): T =>
  from[Math.floor(from.length * random.next() ** skew)] as T;

/** By weight: `{ web: 70, phone: 1 }`. */
export function weighted<K extends string>(random: Random, weights: Readonly<Record<K, number>>): K {
  const entries = Object.entries(weights) as [K, number][];
  let rest = random.next() * entries.reduce((sum, [, weight]) => sum + weight, 0);
  for (const [name, weight] of entries) {
    rest -= weight;
    if (rest < 0) return name;
  }
  return (entries.at(-1) as [K, number])[0];
}

/** Draws distinct items, in the order drawn. */
export function some<T>(random: Random, from: readonly T[], count: number): T[] {
  const rest = [...from];
  const drawn: T[] = [];
  while (drawn.length < count && rest.length > 0)
    drawn.push(...rest.splice(random.between(0, rest.length - 1), 1));
  return drawn;
}

/** The value in this share of rows, otherwise null. */
export const maybe = <T>(random: Random, share: number, value: () => T): T | null =>
  random.chance(share) ? value() : null;

export const digits = (random: Random, count: number): string =>
  Array.from({ length: count }, () => random.between(0, 9)).join("");

export const letters = (random: Random, count: number): string =>
  Array.from({ length: count }, () => random.pick([..."ABCDEFGHJKLMNPRSTUVWXYZ"])).join("");

export const uuid = (random: Random): string => {
  const hex = Array.from({ length: 32 }, () => random.between(0, 15).toString(16)).join("");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`;
};

export const dayMs = 86_400_000;

const dates = new Map<number, string>();
/** The date of a day since 1970: the same few thousand are asked for millions of times. */
function dateOf(day: number): string {
  const known = dates.get(day) ?? new Date(day * dayMs).toISOString().slice(0, 10);
  dates.set(day, known);
  return known;
}
const twoDigits = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, "0"));

/** `2024-03-01` and `2024-03-01 10:20:30+00`, as PostgreSQL prints them. */
export const dateText = (moment: number): string => dateOf(Math.floor(Math.trunc(moment) / dayMs));
export function timeText(moment: number): string {
  const seconds = Math.floor(Math.trunc(moment) / 1000);
  const day = Math.floor(seconds / 86_400);
  const ofDay = seconds - day * 86_400;
  const parts = [ofDay / 3600, (ofDay / 60) % 60, ofDay % 60].map((part) => twoDigits[Math.floor(part)]);
  return `${dateOf(day)} ${parts.join(":")}+00`;
}

export const money = (amount: number): string => amount.toFixed(2);
export const cents = (amount: number): number => Math.round(amount * 100) / 100;
