import { expect, test } from "vitest";
import { waitingWords } from "./waiting-words.ts";

const version = { number: 3, status: "PendingApproval" as const, steps: [], changeSummary: null };
const pending = {
  requester: { id: 1, name: "Ann" },
  proposedVersion: { ...version, createdBy: null, createdAt: "2026-01-01T00:00:00.000Z" },
};
const edit = { isOn: true, pending: null, myId: 1, activeVersion: 2 };

test("with the workflow off and nothing waiting there is nothing to say", () => {
  expect(waitingWords({ ...edit, isOn: false })).toBeNull();
});

test("with the workflow on an edit waits, and takes the place of one's own that waits", () => {
  expect(waitingWords(edit)).toEqual({
    says: "This will wait for approval: version 2 runs on until then.",
    isRefused: false,
  });
  expect(waitingWords({ ...edit, pending })).toEqual({
    says: "This will wait for approval: version 2 runs on until then. It takes the place of version 3.",
    isRefused: false,
  });
});

test("somebody else's that waits is in the way", () => {
  expect(waitingWords({ ...edit, pending, myId: 2 })).toEqual({
    says: "Version 3 by Ann waits for approval: other steps can be saved once it is decided.",
    isRefused: true,
  });
});

test("with the workflow off an edit runs, and what waits is outdated by it", () => {
  expect(waitingWords({ ...edit, isOn: false, pending, myId: 2 })).toMatchObject({ isRefused: false });
});
