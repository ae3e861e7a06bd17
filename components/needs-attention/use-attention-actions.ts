"use client";
import { useState } from "react";
import { useMe } from "@/components/auth/use-me.ts";
import { trpc } from "@/components/trpc/client.tsx";
import { messageOf } from "@/components/trpc/errors.ts";
import { plural } from "@/components/ui/format.ts";
import { toast } from "@/components/ui/toaster.tsx";
import type { AttentionAction, AttentionItem } from "@/server/needs-attention/schema.ts";

/** Actions that one press does; the others open a page or ask for a time. */
export type PressedAction = Exclude<AttentionAction, "Open" | "Review" | "Silence">;

/** Does an item's action by the procedure that its own page uses, and says what happened. */
export function useAttentionActions({
  kind: of,
  title,
  action,
}: Pick<AttentionItem, "kind" | "title" | "action">) {
  const { user } = useMe();
  const utils = trpc.useUtils();
  const { client } = utils;
  const [isPending, setPending] = useState(false);
  const [id = 0] = action.ids;
  const acts: Record<PressedAction, { act: () => Promise<unknown>; done: string; failed: string }> = {
    RunNow: {
      act: () => client.subscriptions.execute.mutate({ id }),
      done: `“${title}” is running`,
      failed: `“${title}” could not be run`,
    },
    Evaluate: {
      act: () => client.dataQuality.startEvaluation.mutate({ id }),
      done: `“${title}” is being evaluated`,
      failed: `“${title}” could not be evaluated`,
    },
    Retry: {
      act: () => Promise.all(action.ids.map((each) => client.notifications.retry.mutate({ id: each }))),
      done: `${plural(action.ids.length, "message is", "messages are")} sent again`,
      failed: "Not everything could be sent again",
    },
    Acknowledge:
      of === "Incident"
        ? {
            act: () => client.incidents.acknowledge.mutate({ id }),
            done: "The incident is acknowledged, and yours if it was nobody’s",
            failed: "The incident could not be acknowledged",
          }
        : {
            act: () => client.anomalies.acknowledge.mutate({ id }),
            done: `The anomaly of “${title}” is acknowledged`,
            failed: "The anomaly could not be acknowledged",
          },
    AssignToMe: {
      act: () => client.tasks.assign.mutate({ id, userId: user.id }),
      done: `The task of “${title}” is assigned to you`,
      failed: "The task could not be assigned to you",
    },
  };
  return {
    isPending,
    press: async (kind: PressedAction) => {
      const { act, done, failed } = acts[kind];
      setPending(true);
      try {
        await act();
        toast.success(done);
      } catch (error) {
        toast.error(failed, { description: messageOf(error) });
      } finally {
        setPending(false);
        await utils.invalidate();
      }
    },
  };
}
