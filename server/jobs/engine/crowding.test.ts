import { expect, test } from "vitest";
import { crowdingOf } from "./crowding.ts";

/** The limit after this many answers of that time, with as many runs in progress as the limit allows. */
function after(crowding: ReturnType<typeof crowdingOf>, answers: number, ms: number, busy = 0.9) {
  for (let n = 0; n < answers; n++) crowding.observe(ms, crowding.limit(), busy);
  return crowding.limit();
}

test("it allows the maximum while answers are as fast as ever", () => {
  const crowding = crowdingOf(48);
  expect(crowding.limit()).toBe(6);
  expect(after(crowding, 20, 1)).toBe(48);
});

test("it quickly allows few while they are slow, and more once they recover", () => {
  const crowding = crowdingOf(48);
  after(crowding, 20, 1);
  expect(after(crowding, 20, 30)).toBe(1);
  expect(after(crowding, 1, 1)).toBe(1);
  expect(after(crowding, 30, 1)).toBe(48);
});

test("a single slow answer has no effect, nor does a distant database", () => {
  const near = crowdingOf(48);
  after(near, 20, 1);
  near.observe(500, 48, 0.9);
  expect(near.limit()).toBe(48);
  expect(after(crowdingOf(48), 20, 80)).toBe(48);
});

test("a database that others keep busy does not lower the limit", () => {
  const crowding = crowdingOf(48);
  after(crowding, 20, 1);
  expect(after(crowding, 50, 30, 0.1)).toBe(48);
  after(crowding, 50, 30, 0.9);
  expect(crowding.limit()).toBe(1);
  expect(after(crowding, 50, 30, 0.1)).toBe(48);
});

test("it grows only while enough runs are in progress to reach it, and never exceeds the maximum", () => {
  const idle = crowdingOf(48);
  for (let n = 0; n < 50; n++) idle.observe(1, 3, 0.9);
  expect(idle.limit()).toBe(6);
  expect(crowdingOf(2).limit()).toBe(2);
  expect(after(crowdingOf(2), 20, 1)).toBe(2);
  expect(after(crowdingOf(2), 20, 1) && after(crowdingOf(2), 20, 900)).toBe(2);
});

test("a permanently slower database becomes the new normal", () => {
  const crowding = crowdingOf(48);
  after(crowding, 20, 1);
  expect(after(crowding, 100, 20)).toBe(1);
  // Ten a second, for ten hours.
  expect(after(crowding, 360_000, 20)).toBe(48);
});

test("runs that have waited for a second make room for others, up to the total maximum", () => {
  const crowding = crowdingOf(48);
  after(crowding, 20, 1);
  expect(after(crowding, 20, 30)).toBe(1);
  const hangs = 60_000;
  expect(crowding.room([0])).toBe(0);
  expect(crowding.room([999, hangs, hangs])).toBe(0);
  expect(crowding.room([1000, hangs, hangs])).toBe(16);
  expect(crowding.room(Array(47).fill(hangs))).toBe(1);
  expect(crowding.room(Array(48).fill(hangs))).toBe(0);
});

test("with a low limit, groups begin that are larger, and rest so that on average no more are in progress", () => {
  let now = 0;
  const crowding = crowdingOf(48, () => now);
  after(crowding, 20, 1);
  while (after(crowding, 1, 30) > 8);
  expect(crowding.room([])).toBe(16);
  crowding.began(16);
  now = 50;
  expect(crowding.room([50, 50])).toBe(0);
  // It took 100 ms with 16: with a limit of 7 to 8, a rest of 100 to 129 ms follows.
  now = 100;
  expect(crowding.room([])).toBe(0);
  expect(crowding.restMs()).toBeGreaterThanOrEqual(100);
  expect(crowding.restMs()).toBeLessThan(129);
  now = 229;
  expect(crowding.room([])).toBe(16);
  // As many as the limit need no rest, and leave room for what comes.
  crowding.began(3);
  expect(crowding.room([10, 10, 10])).toBe(crowding.limit() - 3);
  expect(crowding.room([])).toBe(16);
});

test("with many in progress, a few free places are taken together, and half a group's at once", () => {
  let now = 0;
  const crowding = crowdingOf(48, () => now);
  expect(after(crowding, 20, 1)).toBe(48);
  const inProgress = (count: number) => Array<number>(count).fill(now);
  crowding.began(48);
  now = 10;
  expect(crowding.room(inProgress(43))).toBe(0);
  expect(crowding.restMs()).toBe(15);
  now = 25;
  expect(crowding.room(inProgress(43))).toBe(5);
  crowding.began(5);
  now = 30;
  expect(crowding.room(inProgress(40))).toBe(8);
});
