"use client";
import { trpc } from "@/components/trpc/client.tsx";
import { messageOf } from "@/components/trpc/errors.ts";
import { formatExact } from "@/components/ui/format.ts";
import { toast } from "@/components/ui/toaster.tsx";
import { useZone } from "@/components/ui/zone.tsx";
import type { Contract } from "@/server/data-quality/schema.ts";

/** Silences a contract and gives it an owner; each reports its result. */
export function useContractCare({ id, name }: Pick<Contract, "id" | "name">) {
  const zone = useZone();
  const utils = trpc.useUtils();
  const silence = trpc.dataQuality.silence.useMutation();
  const assign = trpc.dataQuality.assign.useMutation();
  const refresh = () => Promise.all([utils.dataQuality.invalidate(), utils.needsAttention.invalidate()]);
  const attempt = async (what: string, act: () => Promise<unknown>) => {
    try {
      await act();
    } catch (error) {
      toast.error(what, { description: messageOf(error) });
    }
  };
  const setSilence = async (until: Date | null, reason = "") => {
    await silence.mutateAsync({ id, until: until?.toISOString() ?? null, reason });
    toast.success(until ? `“${name}” is silenced` : `“${name}” notifies again`, {
      ...(until && { description: `Silenced until ${formatExact(until, zone)}.` }),
    });
    await refresh();
  };
  return {
    silence: (until: Date) => attempt(`“${name}” could not be silenced`, () => setSilence(until)),
    endSilence: () => attempt("The silence could not be ended", () => setSilence(null)),
    /** Throws on failure, for a dialog to show. */
    silenceUntil: setSilence,
    assignTo: (userId: number | null) =>
      attempt("The owner could not be set", async () => {
        await assign.mutateAsync({ id, userId });
        await refresh();
      }),
  };
}
