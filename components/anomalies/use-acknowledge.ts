"use client";
import { trpc } from "@/components/trpc/client.tsx";
import { messageOf } from "@/components/trpc/errors.ts";
import { toast } from "@/components/ui/toaster.tsx";

/** Acknowledges an anomaly. */
export function useAcknowledge() {
  const utils = trpc.useUtils();
  const acknowledge = trpc.anomalies.acknowledge.useMutation({
    onSuccess: () => utils.anomalies.invalidate(),
    onError: (error) =>
      toast.error("The anomaly could not be acknowledged", { description: messageOf(error) }),
  });
  return { acknowledge: (id: number) => acknowledge.mutate({ id }), isPending: acknowledge.isPending };
}
