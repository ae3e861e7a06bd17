import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { afterRequests, beginRequest, ifJobAfterRequests } from "./requests-first.ts";
import { within } from "./telemetry/work-context.ts";

beforeAll(() => void vi.useFakeTimers({ toFake: ["performance", "setTimeout", "clearTimeout"] }));
// Whatever a test did, the next one begins after every pause.
afterEach(async () => void (await vi.advanceTimersByTimeAsync(1000)));
afterAll(() => void vi.useRealTimers());

/** Whether jobs may go on, once everything that is ready has run. */
async function mayGoOn(): Promise<boolean> {
  let hasGoneOn = false;
  void Promise.resolve(afterRequests()).then(() => {
    hasGoneOn = true;
  });
  await vi.advanceTimersByTimeAsync(0);
  return hasGoneOn;
}

test("without requests, jobs wait for nothing", () => {
  expect(afterRequests()).toBeUndefined();
});

test("jobs wait until the last request has been answered", async () => {
  const answered = [beginRequest(), beginRequest()];
  const wait = afterRequests();
  let isOver = false;
  void wait?.then(() => {
    isOver = true;
  });
  answered[0]?.();
  await vi.advanceTimersByTimeAsync(1);
  expect(isOver).toBe(false);
  answered[1]?.();
  await wait;
  expect(await mayGoOn()).toBe(true);
});

test("a request that takes long is no longer waited for, and later ones are", async () => {
  const slow = beginRequest();
  const wait = afterRequests();
  await vi.advanceTimersByTimeAsync(99);
  expect(await mayGoOn()).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  await wait;
  await vi.advanceTimersByTimeAsync(500);
  expect(await mayGoOn()).toBe(true);
  const quick = beginRequest();
  expect(await mayGoOn()).toBe(false);
  quick();
  expect(await mayGoOn()).toBe(true);
  slow();
});

test("if there are always others, jobs go on for as long as they have waited", async () => {
  const requests = [beginRequest()];
  const every10Ms = async (times: number) => {
    const went: boolean[] = [];
    for (let n = 0; n < times; n++) {
      went.push(await mayGoOn());
      requests.push(beginRequest());
      requests.shift()?.();
      await vi.advanceTimersByTimeAsync(10);
    }
    return went;
  };
  expect(await every10Ms(30)).toEqual([
    ...Array(10).fill(false),
    ...Array(10).fill(true),
    ...Array(10).fill(false),
  ]);
  for (const answered of requests) answered();
});

test("what requests and jobs call waits in jobs only", async () => {
  const answered = beginRequest();
  expect(ifJobAfterRequests()).toBeUndefined();
  expect(within({ requestId: "a" }, ifJobAfterRequests)).toBeUndefined();
  const wait = within({ job: "tidy-up" }, ifJobAfterRequests);
  expect(wait).toBeInstanceOf(Promise);
  answered();
  await wait;
});
