import { expect, test } from "vitest";
import { foundWords, outcomeWords, toldWords } from "./outcome-words.ts";
import type { Outcome, ToldState } from "./schema.ts";

const time = (at: string | Date) => new Date(at).toISOString().slice(11, 16);
const found = (
  rowCount: number,
  verdict: NonNullable<Outcome["found"]>["verdict"] = "Found",
  isUsual: boolean | null = null,
) => ({ rowCount, verdict, isUsual, isAcknowledged: false });
const told = (state: ToldState, sent = 0, recipients = 2, silencedUntil: string | null = null) => ({
  ...{ state, recipients, sent, failed: 0, silencedUntil },
});

test("what it found", () => {
  expect(
    [
      found(22),
      found(1, "Report", true),
      found(1234, "Report", false),
      found(0, "Nothing"),
      found(50, "Nothing"),
      found(4, "BelowThreshold"),
    ].map(foundWords),
  ).toEqual([
    "22 rows",
    "1 row, usual",
    "1,234 rows, unusual",
    "nothing",
    "50 rows, enough",
    "4 rows, not above the threshold",
  ]);
});

test("who was notified", () => {
  expect(
    [
      told("Told", 2),
      told("NobodyToTell", 0, 0),
      told("Silenced", 0, 0, "2026-11-22T14:00:00.000Z"),
      told("Silenced", 0, 0),
      told("Sending"),
      told("Sending", 1),
      told("Retrying"),
      told("DeliveryFailed"),
      told("DeliveryFailed", 1),
      told("NothingToTell", 0, 0),
    ].map((each) => toldWords(each, time)),
  ).toEqual([
    "told 2 of 2",
    "nobody to tell",
    "silenced until 14:00",
    "silenced",
    "sending",
    "told 1 of 2, sending",
    "delivery failed, retrying",
    "delivery failed",
    "told 1 of 2, delivery failed",
    "nothing to tell",
  ]);
});

test("everything in one line, leaving out what does not apply", () => {
  const ran = (found: Outcome["found"], told: Outcome["told"]) =>
    outcomeWords({ run: "Ran", found, told }, time);
  expect(ran(found(22), told("DeliveryFailed"))).toBe("found 22 rows; delivery failed");
  expect(ran(found(0, "Nothing"), told("NothingToTell", 0, 0))).toBe("found nothing");
  expect(outcomeWords({ run: "TimedOut", found: null, told: told("NothingToTell") }, time)).toBe("timed out");
});
