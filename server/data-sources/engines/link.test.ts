import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { Link } from "./link.ts";

const never = new Promise<never>(() => {});

test("an answer is passed on, and so is what went wrong", async () => {
  const link = new Link(() => {});
  expect(await link.unlessBroken(Promise.resolve(7))).toBe(7);
  await expect(link.unlessBroken(Promise.reject(new Error("syntax")))).rejects.toThrow("syntax");
});

test("whoever waits is told that the connection broke, and for the first reason also who comes later", async () => {
  const link = new Link(() => {});
  const waiting = [link.unlessBroken(never), link.within(60_000, never)];
  link.breaks(new Error("reset by peer"));
  link.breaks(new Error("closed"));
  for (const each of waiting) await expect(each).rejects.toThrow("reset by peer");
  await expect(link.unlessBroken(never)).rejects.toThrow("reset by peer");
  expect(link.isAlive).toBe(false);
});

test("what was waited for leaves nothing behind on a connection that lasts", async () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const link = new Link(() => {});
  const use = () => {
    collect();
    return process.memoryUsage().heapUsed;
  };
  await link.unlessBroken(Promise.resolve());
  const before = use();
  for (let statement = 0; statement < 100_000; statement++) await link.unlessBroken(Promise.resolve());
  // A race with one lasting promise leaves 300 bytes each time: 30 MB.
  expect(use() - before).toBeLessThan(5_000_000);
});
