import { afterEach, expect, test, vi } from "vitest";
import {
  answerLostSession,
  askAgain,
  claimPrompt,
  leaveSession,
  lostSession,
  sessionAgain,
  sessionReturns,
  watchLostSession,
} from "./lost-session.ts";

let stop = () => {};
afterEach(() => stop());

const read = { isPressed: false };
const press = { isPressed: true };

test("all calls wait for one prompt and continue after sign-in", async () => {
  stop = claimPrompt();
  const before = sessionReturns();
  const states: string[] = [];
  const unwatch = watchLostSession(() => states.push(lostSession()));
  const calls = [sessionAgain(read), sessionAgain(press), sessionAgain(read)];
  answerLostSession(true);
  expect(await Promise.all(calls)).toEqual([true, true, true]);
  expect([states, sessionReturns() - before]).toEqual([["asked", "held"], 1]);
  unwatch();
});

test("after declining, only user actions prompt again, not background reads", async () => {
  stop = claimPrompt();
  const first = sessionAgain(read);
  answerLostSession(false);
  expect(await first).toBe(false);
  expect(await sessionAgain(read)).toBe(false);
  expect(lostSession()).toBe("declined");
  const pressed = sessionAgain(press);
  expect(lostSession()).toBe("asked");
  answerLostSession(true);
  expect(await pressed).toBe(true);
  const next = askAgain();
  answerLostSession(true);
  expect(await next).toBe(true);
});

test("signing out doesn't prompt for sign-in, unless it fails", async () => {
  stop = claimPrompt();
  await leaveSession(async () => {
    expect(await sessionAgain(press)).toBe(false);
  });
  expect([lostSession(), await sessionAgain(press)]).toEqual(["left", false]);
  await expect(leaveSession(() => Promise.reject(new Error("away")))).rejects.toThrow("away");
  expect(lostSession()).toBe("held");
});

test("without a prompt, the page redirects to sign-in and back", async () => {
  const assign = vi.fn();
  vi.stubGlobal("window", { location: { pathname: "/tasks", search: "?page=2", assign } });
  expect(await sessionAgain(press)).toBe(false);
  expect(assign).toHaveBeenCalledExactlyOnceWith("/sign-in?next=%2Ftasks%3Fpage%3D2");
  vi.unstubAllGlobals();
});
