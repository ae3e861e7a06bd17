import { expect, test } from "vitest";
import { nextAlertOf } from "./next-alert.ts";

const now = Date.parse("2030-01-01T12:00:00Z");
const on = { enabled: true } as never;
const contract = {
  enabled: true,
  alertOnFailure: true,
  recipients: [on],
  failureThreshold: 80,
  openAlert: null,
  silencedUntil: null,
};
const openAlert = {
  openedAt: "2030-01-01T06:00:00.000Z",
  lastToldAt: "2030-01-01T06:00:00.000Z",
  lastToldScore: 62.5,
  toldNotEvaluated: false,
  reminderAfter: "2030-01-02T06:00:00.000Z",
};

test("without an open alert, the threshold decides", () => {
  expect(nextAlertOf(contract, now)).toEqual({
    after: null,
    text: "Next alert if a scheduled run scores below 80 or cannot be evaluated.",
    reminder: null,
  });
});

test("an open alert is repeated by what is new, and by a reminder", () => {
  expect(nextAlertOf({ ...contract, openAlert }, now)).toEqual({
    after: null,
    text: "Next alert if the score falls below 61.5, another rule fails, it cannot be evaluated, or it recovers.",
    reminder: "2030-01-02T06:00:00.000Z",
  });
  // It cannot fall further.
  const lowest = { ...openAlert, lastToldScore: 0.5, reminderAfter: null };
  expect(nextAlertOf({ ...contract, openAlert: lowest }, now)).toMatchObject({
    text: "Next alert if another rule fails, it cannot be evaluated, or it recovers.",
    reminder: null,
  });
  const outage = { ...openAlert, toldNotEvaluated: true };
  expect(nextAlertOf({ ...contract, openAlert: outage }, now).text).toBe(
    "Next alert if it can be evaluated again.",
  );
});

test("a silence that lasts comes before it; one that is over does not", () => {
  const silencedUntil = "2030-01-01T13:00:00.000Z";
  expect(nextAlertOf({ ...contract, silencedUntil }, now).after).toBe(silencedUntil);
  expect(nextAlertOf({ ...contract, silencedUntil }, now + 3_600_000).after).toBeNull();
});

test("why there is none", () => {
  const why = (change: object) => nextAlertOf({ ...contract, ...change }, now).text;
  expect(why({ alertOnFailure: false })).toBe("No next alert: alerts are off.");
  expect(why({ recipients: [] })).toBe("No next alert: it has no recipient who is on.");
  expect(why({ recipients: [{ enabled: false }] })).toBe("No next alert: it has no recipient who is on.");
  expect(why({ enabled: false })).toBe("No next alert: its schedule is off, and manual runs do not alert.");
});
