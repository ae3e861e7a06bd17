import { isTimeZone, wallTime, zoneName } from "../zoned-time.ts";
import type { NotificationContent } from "./content.ts";

/**
 * Times in messages. They are written in UTC, since recipients have no time zone; a user's own mail has them in the
 * user's zone instead, followed by the schedule's if clocks differ there. Pure.
 */

/** A time in a message's texts: what it is written as, and the zone of the schedule that it belongs to. */
export type WrittenMoment = { words: string; at: string; zone: string };

/** To the minute: `2026-03-01 06:00 UTC`. */
export const utcMinute = (at: Date): string => `${at.toISOString().slice(0, 16).replace("T", " ")} UTC`;

export const writtenMoment = (at: Date, zone: string, words = utcMinute(at)): WrittenMoment => ({
  words,
  at: at.toISOString(),
  zone,
});

/** `2026-03-01 07:00 Berlin`, `2026-03-01 07:00 Berlin · 06:00 UTC`, with the schedule's day if it is another one. */
export function momentWords(at: Date, zone: string, scheduleZone: string): string {
  const [here, there] = [zone, scheduleZone].map((each) => wallTime(at, each).slice(0, 16).split("T"));
  const [day = "", clock = ""] = here ?? [];
  const [otherDay = "", otherClock = ""] = there ?? [];
  const mine = `${day} ${clock} ${zoneName(zone)}`;
  if (day === otherDay && clock === otherClock) return mine;
  return `${mine} · ${day === otherDay ? "" : `${otherDay} `}${otherClock} ${zoneName(scheduleZone)}`;
}

/** The content as a user in this zone reads it; unchanged if the zone is not known. */
export function inZone(content: NotificationContent, zone: string | null): NotificationContent {
  const { moments = [] } = content;
  if (zone === null || moments.length === 0 || !isTimeZone(zone)) return content;
  // Once each: what is read in two zones can hold the words that were written.
  const byWords = new Map(moments.map((moment) => [moment.words, moment]));
  const read = (text: string) =>
    [...byWords.values()].reduce(
      (words, moment) => words.replaceAll(moment.words, momentWords(new Date(moment.at), zone, moment.zone)),
      text,
    );
  const readFacts = (facts: NotificationContent["facts"]) =>
    facts.map((fact) => ({ ...fact, value: read(fact.value) }));
  return {
    ...content,
    summary: read(content.summary),
    facts: readFacts(content.facts),
    ...(content.groups && {
      groups: content.groups.map(({ title, facts }) => ({ title, facts: readFacts(facts) })),
    }),
    ...(content.note !== undefined && { note: read(content.note) }),
  };
}
