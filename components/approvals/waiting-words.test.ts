import { expect, test } from "vitest";
import { waitingWords } from "./waiting-words.ts";

const version = { number: 3, status: "PendingApproval" as const, steps: [], changeSummary: null };
const pending = {
  requester: { id: 1, name: "Ann" },
  proposedVersion: { ...version, createdBy: null, createdAt: "2026-01-01T00:00:00.000Z" },
};
const edit = { isOn: true, pending: null, myId: 1, activeVersion: 2 };

test("with the workflow off and nothing pending, there is nothing to say", () => {
  expect(waitingWords({ ...edit, isOn: false })).toBeNull();
});

test("with the workflow on, an edit needs approval and replaces your own pending one", () => {
  expect(waitingWords(edit)).toEqual({
    says: "This will wait for approval: version 2 keeps running until then.",
    isRefused: false,
  });
  expect(waitingWords({ ...edit, pending })).toEqual({
    says: "This will wait for approval: version 2 keeps running until then. It replaces version 3.",
    isRefused: false,
  });
});

test("someone else's pending change blocks yours", () => {
  expect(waitingWords({ ...edit, pending, myId: 2 })).toEqual({
    says: "Version 3 by Ann waits for approval: other steps can be saved once it is decided.",
    isRefused: true,
  });
});

test("with the workflow off, an edit runs at once and makes the pending change outdated", () => {
  expect(waitingWords({ ...edit, isOn: false, pending, myId: 2 })).toMatchObject({ isRefused: false });
});
