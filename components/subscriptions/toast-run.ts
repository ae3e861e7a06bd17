"use client";
import { toast } from "@/components/ui/toaster.tsx";
import type { Execution } from "@/server/subscriptions/schema.ts";
import { wordsNow } from "./outcome.tsx";

/** Reports the outcome of a run that the user started and followed. */
export function toastRun({ outcome, errorMessage }: Execution, zone: string): void {
  const words = wordsNow(outcome, zone);
  const sentence = `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
  if (errorMessage) toast.error(sentence, { description: errorMessage.slice(0, 200) });
  else toast.success(sentence);
}
