import { expect, test } from "vitest";
import { aContent } from "../test/factories/notifications.ts";
import { inZone, momentWords, writtenMoment } from "./moments.ts";

const at = new Date("2026-03-01T23:30:07Z");

test.each([
  ["UTC", "UTC", "2026-03-01 23:30 UTC"],
  ["Europe/Berlin", "Europe/Berlin", "2026-03-02 00:30 Berlin"],
  // Different zones whose clocks agree.
  ["Europe/Paris", "Europe/Berlin", "2026-03-02 00:30 Paris"],
  ["Europe/Berlin", "UTC", "2026-03-02 00:30 Berlin · 2026-03-01 23:30 UTC"],
  ["Asia/Kathmandu", "Europe/Berlin", "2026-03-02 05:15 Kathmandu · 00:30 Berlin"],
  ["America/New_York", "UTC", "2026-03-01 18:30 New York · 23:30 UTC"],
])("in %s, of a schedule in %s: %s", (zone, scheduleZone, words) => {
  expect(momentWords(at, zone, scheduleZone)).toBe(words);
});

test("every text that holds a time has it in the reader's zone", () => {
  const words = "2026-03-01 23:30 UTC";
  const content = aContent({
    summary: `Open since ${words}.`,
    facts: [{ label: "Since", value: words }],
    groups: [{ title: "Rule", facts: [{ label: "Since", value: words }] }],
    note: `Last measured at ${words}`,
    moments: [writtenMoment(at, "UTC")],
  });
  const mine = "2026-03-01 18:30 New York · 23:30 UTC";
  expect(inZone(content, "America/New_York")).toEqual({
    ...content,
    summary: `Open since ${mine}.`,
    facts: [{ label: "Since", value: mine }],
    groups: [{ title: "Rule", facts: [{ label: "Since", value: mine }] }],
    note: `Last measured at ${mine}`,
  });
  expect(inZone(content, null)).toEqual(content);
  expect(inZone(content, "Mars/Olympus")).toEqual(content);
});

test("a time that is written twice is read once, also where the schedule's day is another", () => {
  // An alert that opened when the score was last measured.
  const words = "2026-03-01 23:30 UTC";
  const content = aContent({
    summary: `The last measured score is from ${words}. The alert has been open since ${words}.`,
    moments: [writtenMoment(at, "UTC"), writtenMoment(at, "UTC")],
  });
  const mine = "2026-03-02 00:30 Berlin · 2026-03-01 23:30 UTC";
  expect(inZone(content, "Europe/Berlin").summary).toBe(
    `The last measured score is from ${mine}. The alert has been open since ${mine}.`,
  );
});
