import type { Random } from "../../../faults/random.ts";
import { type CorpusTable, columnsOf, type Row } from "../corpus.ts";
import { dateText, dayMs, maybe, normal, some, timeText, uuid, weighted } from "../draw.ts";
import { hourMs, isHoliday, weekdayOf } from "./calendar.ts";
import { firstName, lastName } from "./names.ts";

/** What is played, where and when. */

export const now = Date.parse("2026-02-11T09:10:00Z");
const seasonsFrom = Date.parse("2019-09-03");
const shut = { from: Date.parse("2020-03-16"), to: Date.parse("2021-07-19") };

export type Venue = {
  id: string;
  name: string;
  city: string;
  country: string;
  zone: string;
  currency: string;
  capacity: number;
  /** In some everybody sits where they like. */
  rows: number;
  price: number;
  closed: number | null;
};

const venueLines: [string, string, string, string, string, number, number, number][] = [
  ["The Lamplight Rooms", "London", "GB", "Europe/London", "GBP", 96, 8, 24],
  ["Quayside Studio", "Bristol", "GB", "Europe/London", "GBP", 60, 0, 16],
  ["Cooper's Loft", "Dublin", "IE", "Europe/Dublin", "EUR", 84, 7, 22],
  ["Under the Viaduct", "New York", "US", "America/New_York", "USD", 75, 5, 38],
  ["Théâtre de l'Écluse", "Montréal", "CA", "America/Toronto", "CAD", 110, 10, 34],
  ["The Tin Chapel", "Edinburgh", "GB", "Europe/London", "GBP", 52, 0, 14],
];

export const venuesOf = (random: Random): Venue[] =>
  venueLines.map(([name, city, country, zone, currency, capacity, rows, price]) => ({
    id: uuid(random),
    name,
    city,
    country,
    zone,
    currency,
    capacity,
    rows,
    price,
    closed: city === "Bristol" ? Date.parse("2025-10-31") : null,
  }));

/** The Sunday in that month, counted from the front or from the end. */
function sundayIn(year: number, month: number, which: number): number {
  const start = which > 0 ? Date.UTC(year, month, 1) : Date.UTC(year, month + 1, 0);
  const back = which > 0 ? (7 - weekdayOf(start)) % 7 : -weekdayOf(start);
  return start + (back + (which > 0 ? (which - 1) * 7 : 0)) * dayMs;
}

/** Summer begins and ends on other days over there. */
function offsetOf({ zone }: Venue, day: number): number {
  const year = new Date(day).getUTCFullYear();
  const isAmerican = zone.startsWith("America");
  const [from, to] = isAmerican
    ? [sundayIn(year, 2, 2), sundayIn(year, 10, 1)]
    : [sundayIn(year, 2, -1), sundayIn(year, 9, -1)];
  return ((isAmerican ? -5 : 0) + Number(day >= from && day < to)) * hourMs;
}

export type Production = {
  id: string;
  title: string;
  genre: string;
  language: string;
  original: string | null;
  minutes: number;
  intervals: number;
  age: number | null;
  demand: number;
  revives: Production | null;
  isRevived: boolean;
  first: number | null;
  last: number | null;
};

const titles = `Hamlet|drama|en|
The Cherry Orchard|drama|en|Вишнёвый сад
Miss Julie|drama|en|Fröken Julie
Krapp's Last Tape|drama|en|
Cendrillon en baskets|family|fr|
The Bear & The Proposal|comedy|en|Медведь / Предложение
An Evening of Improv|improv|en|
#metadata|new writing|en|
1984|drama|en|
Tír na nÓg|family|ga|
The Snail Who Wanted Wheels|family|en|
Antigone|drama|en|Ἀντιγόνη
Le Malade imaginaire|comedy|fr|
Woyzeck|drama|en|Woyzeck
Stand-up Sundays|comedy|en|
Ghosts|drama|en|Gengangere
Blood Wedding|drama|en|Bodas de sangre
Macbeth (in 60 Minutes)|drama|en|
The Quiet Carriage|new writing|en|
Null and Void|new writing|en|
Les Chaises|drama|fr|
Cabaret at Midnight|cabaret|en|
Peer Gynt|drama|en|Peer Gynt
Songs My Mother Forgot|cabaret|en|
Hamlet|drama|en|
The Snail Who Wanted Wheels|family|en|`;

export const productionsOf = (random: Random): Production[] => {
  const productions: Production[] = [];
  for (const line of titles.split("\n")) {
    const [title = "", genre = "", language = "", original] = line.split("|");
    const before = productions.find((each) => each.title === title);
    if (before) before.isRevived = true;
    const isShort = genre === "family" || title.includes("60");
    const minutes = isShort
      ? random.between(9, 12) * 5
      : title.startsWith("Krapp")
        ? 50
        : title === "Peer Gynt"
          ? 245
          : random.between(14, 33) * 5;
    productions.push({
      id: uuid(random),
      title,
      genre,
      language,
      original: original === "" ? null : (original ?? null),
      minutes,
      // The longest has two.
      intervals: minutes > 200 ? 2 : minutes > 100 ? 1 : 0,
      age:
        genre === "family"
          ? 4
          : genre === "cabaret"
            ? 18
            : maybe(random, 0.5, () => random.pick([12, 14, 16])),
      demand: 0.45 + random.next() * 0.65,
      revives: before ?? null,
      isRevived: false,
      first: null,
      last: null,
    });
  }
  return productions;
};

export type Performance = {
  id: string;
  production: Production;
  venue: Venue;
  /** In the place's own day. */
  day: number;
  starts: number;
  status: "scheduled" | "played" | "cancelled" | "moved";
  reason: string | null;
  movedTo: Performance | null;
  /** Whoever comes pays what they can. */
  isFree: boolean;
  onSale: number;
};

export function performancesOf(random: Random, venues: readonly Venue[], productions: readonly Production[]) {
  const performances: Performance[] = [];
  for (const venue of venues)
    for (let day = seasonsFrom + random.between(0, 40) * dayMs; day < now + 110 * dayMs; ) {
      const isShut = day >= shut.from + 30 * dayMs && day < shut.to;
      const able = productions.filter(
        ({ language, revives, isRevived }) =>
          (language !== "fr" || venue.city === "Montréal") &&
          (language !== "ga" || venue.country === "IE") &&
          // A revival comes some years after.
          (revives === null || day > Date.parse("2024-01-01")) &&
          (!isRevived || day < Date.parse("2022-06-01")),
      );
      const production = random.pick(able);
      const days = random.between(3, 12);
      if (!isShut)
        for (
          let at = day;
          at < day + days * dayMs && (venue.closed === null || at < venue.closed);
          at += dayMs
        )
          for (const hour of hoursOf(random, production, at))
            performances.push({
              id: uuid(random),
              production,
              venue,
              day: at,
              starts: at + hour * hourMs - offsetOf(venue, at),
              status: at + 24 * hourMs < now ? "played" : "scheduled",
              reason: null,
              movedTo: null,
              isFree: random.chance(0.03),
              onSale: venue.capacity - random.pick([0, 0, 0, 2, 4, 6]),
            });
      day += (days + random.between(16, 60)) * dayMs;
    }
  performances.sort((a, b) => a.starts - b.starts);
  interrupt(random, performances);
  for (const { production, day, status } of performances)
    if (status !== "cancelled" && status !== "moved") {
      production.first ??= day;
      production.last = day;
    }
  return performances;
}

/** Never on Mondays or at Christmas; twice on Saturdays; cabaret after midnight counts for the day before. */
function hoursOf(random: Random, { genre }: Production, day: number): number[] {
  const weekday = weekdayOf(day);
  if (weekday === 1 || (isHoliday(day) && !dateText(day).endsWith("05-01"))) return [];
  if (genre === "family") return weekday === 0 || weekday === 6 ? [11, 14.5] : [10.5];
  if (genre === "cabaret") return weekday === 5 || weekday === 6 ? [22.25, 24.25] : [];
  if (weekday === 0) return random.chance(0.5) ? [16] : [];
  return weekday === 6 ? [14.5, 19.5] : weekday === 2 && random.chance(0.3) ? [] : [19.5];
}

function interrupt(random: Random, performances: readonly Performance[]): void {
  for (const one of performances) {
    const isShut = one.day >= shut.from && one.day < shut.to;
    if (!isShut && !random.chance(0.022)) continue;
    if (one.day >= now - 3 * dayMs) continue;
    const later = performances.find(
      (other) =>
        other.production === one.production &&
        other.venue === one.venue &&
        other.day > Math.max(one.day, isShut ? shut.to : 0) &&
        other.status !== "cancelled",
    );
    const isMoved = isShut && later !== undefined && random.chance(0.6);
    one.status = isMoved ? "moved" : "cancelled";
    one.movedTo = isMoved ? later : null;
    one.reason = isShut
      ? "covid"
      : weighted(random, { illness: 60, "technical fault": 20, weather: 12, "low sales": 8 });
  }
}

export function venueTable(venues: readonly Venue[]): CorpusTable {
  const rows = venues.map(
    (venue): Row => [
      venue.id,
      venue.name,
      venue.city,
      venue.country,
      venue.zone,
      venue.currency,
      String(venue.capacity),
      venue.rows > 0 ? "true" : "false",
      venue.closed === null ? null : dateText(venue.closed),
    ],
  );
  const columns = columnsOf({
    venueId: "uuid key",
    name: "text",
    city: "text",
    country: "text",
    timeZone: "text",
    currency: "text",
    capacity: "integer",
    hasReservedSeats: "other",
    closedOn: "date",
  });
  return { name: "venues", columns, rows };
}

export function productionTable(random: Random, productions: readonly Production[]): CorpusTable {
  const rows = productions.map((production): Row => {
    const { genre, first, last, minutes } = production;
    const isSolo = production.title.startsWith("Krapp");
    // Nobody knows beforehand who will improvise.
    const cast = Array.from(
      { length: isSolo ? 1 : random.between(2, 7) },
      () => `${firstName(random)} ${lastName(random)}`,
    );
    return [
      production.id,
      production.title,
      genre,
      production.language,
      production.original,
      first !== null && first < now ? String(minutes) : null,
      String(production.intervals),
      production.age === null ? null : String(production.age),
      first !== null && first < now ? dateText(first) : null,
      last !== null && last < now - 300 * dayMs ? dateText(last) : null,
      genre === "improv" ? "[]" : JSON.stringify(cast),
      production.revives?.id ?? null,
    ];
  });
  const columns = columnsOf({
    productionId: "uuid key",
    title: "text",
    genre: "text",
    language: "text",
    originalTitle: "text",
    runtimeMinutes: "integer",
    intervalCount: "integer",
    ageFrom: "integer",
    premieredOn: "date",
    lastNightOn: "date",
    castList: "text",
    revivalOfId: "uuid references productions.productionId",
  });
  return { name: "productions", columns, rows };
}

export function performanceTable(random: Random, performances: readonly Performance[]): CorpusTable {
  const rows = performances.map((one): Row => {
    const { production, venue, day, starts, status } = one;
    const isFirst = production.first === day;
    const over =
      starts + (production.minutes + production.intervals * 20 + Math.max(-4, normal(random) * 4)) * 60_000;
    const features = some(
      random,
      ["captioned", "audioDescribed", "relaxed", "postShowTalk", "signed"],
      Number(weighted(random, { 0: 84, 1: 13, 2: 3 })),
    );
    return [
      one.id,
      production.id,
      venue.id,
      dateText(day),
      timeText(starts),
      timeText(starts - (venue.rows > 0 ? 30 : 45) * 60_000),
      // Until the last call is noted; what was not played has no end.
      status === "played" && day >= Date.parse("2021-09-01") ? timeText(over) : null,
      status,
      one.reason,
      one.movedTo?.id ?? null,
      String(one.onSale),
      one.isFree ? "PWYC" : isFirst ? "PRESS" : weekdayOf(day) === 6 ? "PEAK" : "STD",
      JSON.stringify(features),
    ];
  });
  const columns = columnsOf({
    performanceId: "uuid key",
    productionId: "uuid references productions.productionId",
    venueId: "uuid references venues.venueId",
    businessDay: "date",
    startsAt: "time",
    doorsAt: "time",
    endedAt: "time",
    status: "text",
    cancelReason: "text",
    movedToId: "uuid references performances.performanceId",
    seatsOnSale: "integer",
    pricePlan: "text",
    features: "text",
  });
  return { name: "performances", columns, rows };
}
