"use client";
import { useState } from "react";
import { trpc } from "../trpc/client.tsx";
import { messageOf } from "../trpc/errors.ts";

/** How the latest test of a recipient stands. */
export type RecipientTest = { kind: "running" } | { kind: "ok" } | { kind: "failed"; reason: string };

/** Sends test messages, several at once if need be, and keeps how each went until the page is left. */
export function useRecipientTests() {
  const utils = trpc.useUtils();
  const { mutateAsync } = trpc.recipients.test.useMutation();
  const [tests, setTests] = useState<Readonly<Record<number, RecipientTest>>>({});
  async function test(id: number) {
    const keep = (outcome: RecipientTest) => setTests((others) => ({ ...others, [id]: outcome }));
    keep({ kind: "running" });
    try {
      const { ok, message } = await mutateAsync({ id });
      keep(ok ? { kind: "ok" } : { kind: "failed", reason: message ?? "It did not arrive" });
    } catch (error) {
      keep({ kind: "failed", reason: messageOf(error) });
    }
    await utils.notifications.invalidate();
  }
  return { testOf: (id: number): RecipientTest | undefined => tests[id], test };
}
