import { expect, test } from "vitest";
import { doneSteps, statesOf } from "./step-states.ts";

const nothing = { source: null, scan: null, contract: null, recipient: null };
const scan = (status: "Running" | "Completed" | "Failed" | "Stopped", tables: number) => ({
  ...{ status, tables, rowsRead: 10 },
  ...{ startedAt: new Date(), finishedAt: status === "Running" ? null : new Date() },
});

test.each([
  ["Completed", 0, true],
  ["Stopped", 3, true],
  ["Stopped", 0, false],
  ["Failed", 3, false],
  ["Running", 3, false],
] as const)("a scan that is %s after %i tables has shown them: %s", (status, tables, isDone) => {
  expect(doneSteps({ ...nothing, scan: scan(status, tables) }).Tables).toBe(isDone);
});

test("what is skipped and then done is done", () => {
  const source = { id: 1, name: "Shop", projectId: 1 };
  expect(statesOf({ ...nothing, source }, ["Connect", "Recipient"])).toEqual([
    { step: "Connect", state: "Done" },
    { step: "Tables", state: "Open" },
    { step: "Rules", state: "Open" },
    { step: "Recipient", state: "Skipped" },
    { step: "Score", state: "Open" },
  ]);
});

test("a score of 0 is a score, and a recipient that nothing has reached is not done", () => {
  const contract = { id: 1, name: "Orders", recipientCount: 0, threshold: 80, score: 0 };
  const recipient = { id: 1, name: "Team", projectId: 1, wasReached: false };
  expect(doneSteps({ ...nothing, contract, recipient })).toMatchObject({ Score: true, Recipient: false });
});
