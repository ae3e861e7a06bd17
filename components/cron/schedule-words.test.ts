import { expect, test } from "vitest";
import { scheduleWords } from "./schedule-words.ts";

test.each([
  ["*/5 * * * *", "Every 5 minutes"],
  ["0 6 * * *", "Every day at 06:00"],
  ["0 6,18 * * *", "Every day at 06:00 and 18:00"],
  ["0 * * * *", "Every hour"],
  ["15 * * * *", "Every hour, 15 minutes past the hour"],
  ["15 */6 * * *", "At 15 minutes past the hour, every 6 hours"],
  ["1 * * * 1", "At 1 minute past the hour, on Monday"],
  ["30 6 * * 1-5", "At 06:30, Monday through Friday"],
  ["5 4 * * 7", "At 04:05, on Sunday"],
  ["0 0 1 * *", "At 00:00, on day 1 of the month"],
  // cron runs on either day, so "and" would be misleading.
  ["0 0 1 * 1", "At 00:00, on day 1 of the month, or on Monday"],
])("%s is %s", (expression, words) => {
  expect(scheduleWords(expression)).toBe(words);
});

test.each(["", "* * * *", "0 0 30 2 *", "every day", "@daily", "0 0 6 * * *"])(
  "%s is not a schedule and has no description",
  (expression) => {
    expect(scheduleWords(expression)).toBeNull();
  },
);
