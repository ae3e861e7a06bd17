import { expect, test } from "vitest";
import { oneAtATime } from "./one-at-a-time.ts";

/** Work that ends when it is told to, with its number. */
function controlled() {
  const runs: PromiseWithResolvers<void>[] = [];
  const call = oneAtATime(async () => {
    const run = Promise.withResolvers<void>();
    const number = runs.push(run);
    await run.promise;
    return number;
  });
  return { runs, call };
}

test("calls that come while it runs share the next run, which begins afterwards", async () => {
  const { runs, call } = controlled();
  const first = call();
  await expect.poll(() => runs.length).toBe(1);
  const [second, third] = [call(), call()];
  expect(runs).toHaveLength(1);
  runs[0]?.resolve();
  expect(await first).toBe(1);
  await expect.poll(() => runs.length).toBe(2);
  runs[1]?.resolve();
  expect(await Promise.all([second, third])).toEqual([2, 2]);
  const last = call();
  await expect.poll(() => runs.length).toBe(3);
  runs[2]?.resolve();
  expect(await last).toBe(3);
});

test("a failure is that of the calls that shared it, and the next works", async () => {
  const { runs, call } = controlled();
  const first = call();
  await expect.poll(() => runs.length).toBe(1);
  const second = call();
  runs[0]?.reject(new Error("Gone"));
  await expect(first).rejects.toThrow("Gone");
  await expect.poll(() => runs.length).toBe(2);
  runs[1]?.resolve();
  expect(await second).toBe(2);
});
