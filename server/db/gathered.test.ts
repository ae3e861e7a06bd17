import { expect, onTestFinished, test, vi } from "vitest";
import { beginRequest } from "../requests-first.ts";
import { within } from "../telemetry/work-context.ts";
import { gathered } from "./gathered.ts";

test("calls that come while others are under way go together, each with its own result", async () => {
  const sent: number[][] = [];
  const first = Promise.withResolvers<void>();
  const double = gathered(async (items: readonly number[]) => {
    sent.push([...items]);
    if (sent.length === 1) await first.promise;
    return items.map((item) => item * 2);
  });
  const alone = double(1);
  await expect.poll(() => sent).toEqual([[1]]);
  const others = [double(2), double(3), double(4)];
  first.resolve();
  expect(await Promise.all([alone, ...others])).toEqual([2, 4, 6, 8]);
  expect(sent).toEqual([[1], [2, 3, 4]]);
});

test.each([
  ["do not take long", [0], [[1, 2, 3]]],
  ["take longer than it may wait", [0, 0, 5], [[1], [2, 3]]],
])("calls of the next turns of the event loop go with the first if these %s", async (_, times, expected) => {
  const now = vi.spyOn(performance, "now");
  onTestFinished(() => now.mockRestore());
  for (const ms of times) now.mockReturnValueOnce(ms);
  now.mockReturnValue(times.at(-1) ?? 0);
  const sent: number[][] = [];
  const back = Promise.withResolvers<void>();
  const same = gathered(async (items: readonly number[]) => {
    sent.push([...items]);
    if (sent.length < expected.length) await back.promise;
    return items;
  });
  const calls = [same(1)];
  for (const item of [2, 3]) {
    await new Promise(setImmediate);
    calls.push(same(item));
  }
  back.resolve();
  expect(await Promise.all(calls)).toEqual([1, 2, 3]);
  expect(sent).toEqual(expected);
});

test("a failure is only that of the call it belongs to, and later calls go on", async () => {
  const check = gathered(async (items: readonly number[]) => {
    if (items.includes(2)) throw new Error("not 2");
    return items;
  });
  const outcomes = await Promise.allSettled([1, 2, 3].map(check));
  expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(await check(4)).toBe(4);
});

test("calls of jobs wait while a request is being answered, and those of requests do not", async () => {
  const sent: string[][] = [];
  const send = gathered(async (items: readonly string[]) => {
    sent.push([...items]);
    return items;
  });
  const answered = beginRequest();
  const calls = within({ job: "tidy-up" }, () => [send("a job's"), send("another job's")]);
  expect(await within({ requestId: "a" }, () => send("a request's"))).toBe("a request's");
  expect(sent).toEqual([["a request's"]]);
  answered();
  expect(await Promise.all(calls)).toEqual(["a job's", "another job's"]);
  expect(sent).toEqual([["a request's"], ["a job's", "another job's"]]);
});
