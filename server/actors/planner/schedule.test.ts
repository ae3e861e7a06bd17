import { expect, test } from "vitest";
import { cronProblem } from "../../jobs/cron.ts";
import { cronOf, daily, hourly, type Schedule, scheduleIn, scheduleInWords, zoneIn } from "./schedule.ts";

/** The minute that a seed chooses stands as M. */
function cronFor(text: string): string | null {
  const schedule = scheduleIn(text);
  if (!schedule) return null;
  const cron = cronOf(schedule, "seed");
  expect(cronProblem(cron)).toBeNull();
  return cron.replace(/^\d+(?= )/, (minute) =>
    minute === cronOf(daily, "seed").split(" ")[0] ? "M" : minute,
  );
}

test.each([
  ["hourly", "M * * * *"],
  ["Every hour please", "M * * * *"],
  ["once an hour", "M * * * *"],
  ["every 6 hours", "M */6 * * *"],
  ["every two hours", "M */2 * * *"],
  ["every 24 hours", "M 5 * * *"],
  ["every 15 minutes", "*/15 * * * *"],
  ["every 15 min", "*/15 * * * *"],
  ["every minute", "* * * * *"],
  ["every 120 minutes", "M */2 * * *"],
  ["every half hour", "*/30 * * * *"],
  ["daily", "M 5 * * *"],
  ["daily at 7:00", "0 7 * * *"],
  ["every day at 7 pm", "0 19 * * *"],
  ["at 7", "0 7 * * *"],
  ["at 7am", "0 7 * * *"],
  ["12:30 am", "30 0 * * *"],
  ["at noon", "0 12 * * *"],
  ["at midnight", "0 0 * * *"],
  ["nightly", "M 2 * * *"],
  ["on weekdays", "M 5 * * 1-5"],
  ["weekdays at 06:45", "45 6 * * 1-5"],
  ["hourly on working days", "M * * * 1-5"],
  ["weekly", "M 5 * * 1"],
  ["every Monday at 8:15", "15 8 * * 1"],
  ["on Tuesdays", "M 5 * * 2"],
  ["monthly", "M 5 1 * *"],
  ["twice a day", "M 5,17 * * *"],
])("%s is %s", (text, cron) => {
  expect(cronFor(text)).toBe(cron);
});

test.each([
  "every 90 minutes",
  "every 0 minutes",
  "every 100 hours",
  "at 25:00",
  "look at 7 tables",
  "often",
  "",
])("%s is no schedule", (text) => {
  expect(scheduleIn(text)).toBeNull();
});

test("minutes are spread, and are the same for the same check", () => {
  const seeds = Array.from({ length: 200 }, (_, index) => `Freshness ${index}`);
  const minutes = seeds.map((seed) => Number(cronOf(hourly, seed).split(" ")[0]));
  expect(new Set(minutes).size).toBeGreaterThan(40);
  expect(minutes.every((minute) => minute > 0 && minute < 60)).toBe(true);
  expect(cronOf(hourly, "a")).toBe(cronOf(hourly, "a"));
});

test("schedules are said in words", () => {
  const said = (text: string) => scheduleInWords(scheduleIn(text) as Schedule);
  expect([said("hourly"), said("every 5 minutes"), said("weekdays"), said("daily"), said("monthly")]).toEqual(
    [...["every hour", "every 5 minutes", "on weekdays", "every day", "every month"]],
  );
});

test.each([
  ["at 7:00 Europe/Berlin", "Europe/Berlin"],
  ["in America/Argentina/Buenos_Aires, daily", "America/Argentina/Buenos_Aires"],
  ["utc", "UTC"],
  ["Europe/Atlantis", null],
  ["and/or", null],
])("the zone of “%s” is %s", (text, zone) => {
  expect(zoneIn(text)).toBe(zone);
});
