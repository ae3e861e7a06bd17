import { expect, test } from "vitest";
import { latePart } from "./late-part.ts";
import { NotLoaded } from "./not-loaded.ts";

test("a part is loaded once, and told to those that wait for it", async () => {
  let times = 0;
  const part = latePart(async () => {
    times += 1;
    return "here";
  });
  const seen: unknown[] = [];
  const leave = part.subscribe(() => seen.push(part.state().part));
  expect(part.state()).toEqual({ part: null, hasFailed: false });
  expect(await Promise.all([part.load(), part.load()])).toEqual(["here", "here"]);
  expect(await part.load()).toBe("here");
  expect(times).toBe(1);
  expect(seen).toEqual(["here"]);
  expect(part.state()).toBe(part.state());
  leave();
});

test("a part that could not be loaded says so, and is loaded at the next call", async () => {
  let isReachable = false;
  const part = latePart(async () => {
    if (!isReachable) throw new TypeError("Failed to fetch");
    return "here";
  });
  const failures: boolean[] = [];
  part.subscribe(() => failures.push(part.state().hasFailed));
  await expect(part.load()).rejects.toThrow(NotLoaded);
  expect(part.state()).toEqual({ part: null, hasFailed: true });
  isReachable = true;
  const again = part.load();
  // While it is tried again, it has not failed.
  expect(part.state().hasFailed).toBe(false);
  expect(await again).toBe("here");
  expect(failures).toEqual([true, false, false]);
});
