"use client";
import { trpc } from "@/components/trpc/client.tsx";
import { messageOf } from "@/components/trpc/errors.ts";
import { toast } from "@/components/ui/toaster.tsx";
import type { Settings } from "@/server/settings/schema.ts";

const words: Record<keyof Settings, string> = {
  approvalWorkflow: "The approval workflow is",
  fourEyes: "Four eyes are",
};

/** The settings, and the way to change one of them: it counts at once, and can be undone. */
export function useSettings() {
  const utils = trpc.useUtils();
  const [settings] = trpc.settings.get.useSuspenseQuery();
  const update = trpc.settings.update.useMutation();

  const store = async (name: keyof Settings, value: boolean): Promise<boolean> => {
    // Not what was drawn: another switch may have been pressed since.
    const next = { ...settings, ...utils.settings.get.getData(), [name]: value };
    utils.settings.get.setData(undefined, next);
    try {
      await update.mutateAsync(next);
      await Promise.all([utils.settings.origin.invalidate(), utils.approvals.workflow.invalidate()]);
      return true;
    } catch (error) {
      toast.error("The setting was not changed", { description: messageOf(error) });
      await utils.settings.get.invalidate();
      return false;
    }
  };
  const change = async (name: keyof Settings, value: boolean) => {
    if (await store(name, value))
      toast.success(`${words[name]} ${value ? "on" : "off"}`, {
        action: { label: "Undo", onClick: () => void store(name, !value) },
      });
  };
  return {
    settings,
    change: (name: keyof Settings, value: boolean) => void change(name, value),
  };
}
