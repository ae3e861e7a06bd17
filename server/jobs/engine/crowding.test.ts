import { expect, test } from "vitest";
import { crowdingOf } from "./crowding.ts";

const idle = 0.1;
const busy = 0.9;
/** The milliseconds that so many runs have been in progress. */
const ages = (count: number, ms = 0) => Array<number>(count).fill(ms);

test("runs that wait for data sources may be as many as allowed, and fewer if they keep the process busy", () => {
  const crowding = crowdingOf(48);
  expect(crowding.room([], idle, "here")).toBe(48);
  expect(crowding.room(ages(20), idle, "here")).toBe(28);
  expect(crowding.room([], busy, "here")).toBe(32);
  expect(crowding.room(ages(32), busy, "here")).toBe(0);
  expect(crowding.room(ages(40), busy, "here")).toBe(0);
});

test("while nobody asks for anything, a busy process has twice as many in progress", () => {
  const crowding = crowdingOf(80);
  expect(crowding.room([], idle, "nowhere")).toBe(80);
  expect(crowding.room(ages(20), busy, "nowhere")).toBe(44);
  expect(crowding.room(ages(20), busy, "here")).toBe(12);
  expect(crowding.room(ages(20), idle, "here")).toBe(28);
  // Those that were begun before someone asked come to their end.
  expect(crowding.room(ages(64), busy, "here")).toBe(0);
});

test("beside others that answer requests, fewer keep the process busy, and as many as allowed may wait", () => {
  const crowding = crowdingOf(48);
  expect(crowding.room([], idle, "elsewhere")).toBe(48);
  expect(crowding.room([], 0.3, "elsewhere")).toBe(8);
  expect(crowding.room(ages(4), 0.3, "elsewhere")).toBe(4);
  expect(crowding.room(ages(8), busy, "elsewhere")).toBe(0);
  expect(crowding.room(ages(8), 0.3, "here")).toBe(40);
});

test("a low maximum holds whether the process is busy or not", () => {
  const crowding = crowdingOf(2);
  expect(crowding.room([], idle, "here")).toBe(2);
  expect(crowding.room([], busy, "here")).toBe(2);
  expect(crowding.room(ages(2), idle, "here")).toBe(0);
});

test("runs that have waited for a second make room for others, up to the maximum", () => {
  const crowding = crowdingOf(48);
  expect(crowding.room(ages(32, 999), busy, "here")).toBe(0);
  expect(crowding.room(ages(24, 1000), busy, "here")).toBe(24);
  expect(crowding.room(ages(40, 60_000), busy, "here")).toBe(8);
  expect(crowding.room(ages(48, 60_000), idle, "here")).toBe(0);
});

test("a few free places are taken together, and half a group's at once", () => {
  let now = 0;
  const crowding = crowdingOf(48, () => now);
  crowding.began(48);
  now = 10;
  expect(crowding.room(ages(43), idle, "here")).toBe(0);
  expect(crowding.restMs()).toBe(15);
  now = 25;
  expect(crowding.room(ages(43), idle, "here")).toBe(5);
  crowding.began(5);
  now = 30;
  expect(crowding.room(ages(40), idle, "here")).toBe(8);
});
