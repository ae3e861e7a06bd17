"use client";
import { trpc } from "@/components/trpc/client.tsx";
import { messageOf } from "@/components/trpc/errors.ts";
import { formatExact } from "@/components/ui/format.ts";
import { toast } from "@/components/ui/toaster.tsx";
import { useZone } from "@/components/ui/zone.tsx";
import type { IncidentDetail } from "@/server/incidents/schema.ts";
import { asFirst, firstOf } from "./first-problems.ts";

/** What people do about an incident; the page shows each result as soon as it is stored. */
export function useIncidentActions({ id }: { id: number }) {
  const zone = useZone();
  const utils = trpc.useUtils();
  const acknowledge = trpc.incidents.acknowledge.useMutation();
  const assign = trpc.incidents.assign.useMutation();
  const silence = trpc.incidents.silence.useMutation();
  const resolve = trpc.incidents.resolve.useMutation();
  const comment = trpc.incidents.comment.useMutation();

  const stored = async (incident: IncidentDetail) => {
    utils.incidents.get.setData(firstOf(id), asFirst(incident));
    await Promise.all([utils.incidents.invalidate(), utils.needsAttention.invalidate()]);
  };
  const attempt = async (failure: string, act: () => Promise<IncidentDetail>) => {
    try {
      await stored(await act());
    } catch (error) {
      toast.error(failure, { description: messageOf(error) });
      await utils.incidents.invalidate();
    }
  };
  const silenceUntil = async (until: Date | null, reason?: string) => {
    const input = { id, until: until?.toISOString() ?? null, ...(reason && { reason }) };
    await stored(await silence.mutateAsync(input));
    toast.success(until ? "The incident and its checks are silenced" : "The silence has ended", {
      ...(until && { description: `Until ${formatExact(until, zone)}.` }),
    });
  };
  const quietly = async (until: Date | null) => {
    try {
      await silenceUntil(until);
    } catch (error) {
      toast.error("The incident could not be silenced", { description: messageOf(error) });
    }
  };
  return {
    isAcknowledging: acknowledge.isPending,
    acknowledge: () =>
      attempt("The incident could not be acknowledged", () => acknowledge.mutateAsync({ id })),
    assignTo: (userId: number | null) =>
      attempt("The incident could not be assigned", () => assign.mutateAsync({ id, userId })),
    silence: quietly,
    endSilence: () => quietly(null),
    /** Throws on failure, for a dialog to show. */
    silenceUntil,
    /** Throws on failure, for a dialog to show. */
    resolve: async (note: string) => {
      await stored(await resolve.mutateAsync({ id, note: note.trim() || null }));
      toast.success("The incident is resolved");
    },
    /** Throws on failure, for the form to show. */
    comment: async (text: string) => stored(await comment.mutateAsync({ id, text })),
  };
}
