import { expect, test } from "vitest";
import { subjectOf } from "./subject.ts";

test.each([
  [
    { contractId: 3, dataSourceId: 7 },
    { kind: "Contract", id: 3 },
  ],
  [
    { subscriptionId: 4, executionId: 9, aiActorId: null },
    { kind: "Subscription", id: 4 },
  ],
  [
    { subscriptionId: 4, executionId: 9, aiActorId: 2 },
    { kind: "Actor", id: 2 },
  ],
  [{ dataSourceId: 7 }, { kind: "DataSource", id: 7 }],
  [
    { function_id: "x", event: { data: { deliveryId: 5 } } },
    { kind: "Delivery", id: 5 },
  ],
  [{ contractId: "3" }, null],
  [{ contractId: -3 }, null],
  [{ cron: "* * * * *" }, null],
  [{}, null],
  [null, null],
  ["text", null],
])("%j is about %j", (data, subject) => {
  expect(subjectOf(data)).toEqual(subject);
});
