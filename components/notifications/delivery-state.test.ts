import { expect, test } from "vitest";
import { deliveryState } from "./delivery-state.ts";

test.each([
  ["Queued", 0, null, "running", "Queued"],
  // The first attempt is in progress.
  ["Queued", 1, null, "running", "Queued"],
  ["Queued", 2, "The receiver returned HTTP 503", "warning", "Retrying"],
  ["Sent", 3, null, "ok", "Sent"],
  ["Failed", 1, "The recipient is disabled", "critical", "Failed"],
] as const)("%s after %i attempts", (status, attempts, lastError, kind, word) => {
  expect(deliveryState({ status, attempts, lastError })).toEqual({ kind, word });
});
