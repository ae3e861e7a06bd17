"use client";
import { type Run, useRuns } from "../runs/use-run.ts";
import { type Outputs, trpc } from "../trpc/client.tsx";

/** The state of a recipient's latest test. A test that ran may still have failed to arrive. */
export type RecipientTest = Run<Outputs["recipients"]["test"]>;

/** Sends test messages, several at once if needed, and keeps the results until the user leaves the page. */
export function useRecipientTests() {
  const utils = trpc.useUtils();
  const runs = useRuns<number, Outputs["recipients"]["test"]>();
  return {
    testOf: runs.of,
    test: async (id: number) => {
      await runs.start(id, () => utils.client.recipients.test.mutate({ id }));
      await utils.notifications.invalidate();
    },
  };
}
