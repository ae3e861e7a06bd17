import { expect, test } from "vitest";
import { obstacleOf } from "./obstacle.ts";

const version = (number: number, createdBy: { id: number; name: string } | null = null) => ({
  ...{ number, status: "Active" as const, steps: [], changeSummary: null, createdBy },
  createdAt: "2026-01-01T00:00:00.000Z",
});
const approval = {
  ...{ kind: "Change" as const, requester: { id: 1, name: "Ann" }, isStale: false },
  ...{ activeVersion: version(4), proposedVersion: version(5) },
};
const looked = { approval, myId: 2, fourEyes: true, isLocked: false };

test("someone else's change to the active version has no obstacle", () => {
  expect(obstacleOf(looked)).toBeNull();
});

test("your own change is an obstacle only if four eyes are required", () => {
  expect(obstacleOf({ ...looked, myId: 1 })).toEqual({ kind: "own change" });
  expect(obstacleOf({ ...looked, myId: 1, fourEyes: false })).toBeNull();
});

test("a change to an outdated version names the active one", () => {
  const stale = { ...approval, isStale: true };
  expect(obstacleOf({ ...looked, approval: stale, isLocked: true })).toEqual({ kind: "stale", active: 4 });
});

test("a locked query is an obstacle", () => {
  expect(obstacleOf({ ...looked, isLocked: true })).toEqual({ kind: "locked" });
});

test("a change made by the service has no owner", () => {
  expect(obstacleOf({ ...looked, approval: { ...approval, requester: null } })).toBeNull();
});

test("a first run of your own query is an obstacle too, but a lock is not", () => {
  const written = version(1, { id: 2, name: "Ben" });
  const firstRun = { ...approval, kind: "FirstRun" as const, proposedVersion: written };
  expect(obstacleOf({ ...looked, approval: firstRun })).toEqual({ kind: "own change" });
  expect(obstacleOf({ ...looked, approval: firstRun, myId: 3, isLocked: true })).toBeNull();
});
