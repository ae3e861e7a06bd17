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

test("somebody else's change of what runs has none", () => {
  expect(obstacleOf(looked)).toBeNull();
});

test("one's own change is one where four eyes are asked for, and only there", () => {
  expect(obstacleOf({ ...looked, myId: 1 })).toEqual({ kind: "own change" });
  expect(obstacleOf({ ...looked, myId: 1, fourEyes: false })).toBeNull();
});

test("a change of what no longer runs names what does", () => {
  const stale = { ...approval, isStale: true };
  expect(obstacleOf({ ...looked, approval: stale, isLocked: true })).toEqual({ kind: "stale", active: 4 });
});

test("a lock is one", () => {
  expect(obstacleOf({ ...looked, isLocked: true })).toEqual({ kind: "locked" });
});

test("a change that the service has made itself is nobody's own", () => {
  expect(obstacleOf({ ...looked, approval: { ...approval, requester: null } })).toBeNull();
});

test("the first run of what one has written oneself is one's own, too; a lock keeps nobody from it", () => {
  const written = version(1, { id: 2, name: "Ben" });
  const firstRun = { ...approval, kind: "FirstRun" as const, proposedVersion: written };
  expect(obstacleOf({ ...looked, approval: firstRun })).toEqual({ kind: "own change" });
  expect(obstacleOf({ ...looked, approval: firstRun, myId: 3, isLocked: true })).toBeNull();
});
