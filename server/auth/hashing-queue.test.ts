import { expect, test } from "vitest";
import { inTurn } from "./hashing-queue.ts";

/** Work that ends on demand. */
function held() {
  const ends: (() => void)[] = [];
  let maxRunning = 0;
  let running = 0;
  const work = () =>
    inTurn(async () => {
      running += 1;
      maxRunning = Math.max(maxRunning, running);
      await new Promise<void>((resolve) => ends.push(resolve));
      running -= 1;
    });
  return { work, end: () => ends.shift()?.(), waiting: () => ends.length, maxRunning: () => maxRunning };
}

test("two run at once, a hundred wait, and more are rejected until one is done", async () => {
  const { work, end, maxRunning } = held();
  const under = Array.from({ length: 102 }, work);
  await expect(work()).rejects.toMatchObject({
    code: "rate_limited",
    more: { headers: { "retry-after": "10" } },
  });
  end();
  await under[0];
  under.push(work());
  let done = 0;
  for (const each of under) void each.then(() => (done += 1));
  while (done < 103) {
    end();
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(maxRunning()).toBe(2);
});

test("work that fails frees its slot", async () => {
  const failing = Array.from({ length: 5 }, () => inTurn(() => Promise.reject(new Error("no memory"))));
  for (const { status } of await Promise.allSettled(failing)) expect(status).toBe("rejected");
  expect(await inTurn(async () => "done")).toBe("done");
});
