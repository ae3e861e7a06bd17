"use client";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useProject } from "@/components/projects/use-project.ts";
import { trpc } from "@/components/trpc/client.tsx";
import { messageOf } from "@/components/trpc/errors.ts";
import { asSentence } from "@/components/ui/sentence.ts";
import { toast } from "@/components/ui/toaster.tsx";
import type { Finding } from "@/server/findings/schema.ts";

/** Makes a finding a rule or dismisses it, and has everything that this changes asked for again. */
export function useDecideFinding({ id }: Pick<Finding, "id">) {
  const utils = trpc.useUtils();
  const { href } = useProject();
  const router = useRouter();
  const accept = trpc.findings.accept.useMutation();
  const dismiss = trpc.findings.dismiss.useMutation();
  const [failure, setFailure] = useState<string | null>(null);
  const decide = async (send: () => Promise<Finding>): Promise<Finding | null> => {
    setFailure(null);
    try {
      const decided = await send();
      utils.findings.get.setData({ id }, decided);
      return decided;
    } catch (error) {
      setFailure(asSentence(messageOf(error)));
      return null;
    } finally {
      void utils.findings.invalidate();
    }
  };
  return {
    failure,
    isPending: accept.isPending || dismiss.isPending,
    /** Whether its rule is in a contract now. */
    accept: async (target: { contractId?: number; newContract?: boolean }): Promise<boolean> => {
      const decided = await decide(() => accept.mutateAsync({ id, ...target }));
      if (!decided) return false;
      void utils.dataQuality.invalidate();
      void utils.catalog.invalidate();
      toast.success("Rule added", {
        ...(decided.contractId !== null && {
          action: {
            label: "Open contract",
            onClick: () => router.push(href(`/data-quality/contracts/${decided.contractId}`)),
          },
        }),
      });
      return true;
    },
    dismiss: async (reason: string): Promise<boolean> => {
      const decided = await decide(() => dismiss.mutateAsync({ id, reason: reason.trim() || null }));
      if (decided) toast.success("Marked as not a problem");
      return decided !== null;
    },
  };
}
