"use client";
import { trpc } from "@/components/trpc/client.tsx";
import { factsOf, messageOf } from "@/components/trpc/errors.ts";
import { toast } from "@/components/ui/toaster.tsx";
import type { SettingsWrite } from "@/server/settings/schema.ts";

const words: Record<keyof SettingsWrite, string> = {
  approvalWorkflow: "The approval workflow is",
  fourEyes: "Four eyes are",
};

/**
 * The settings, and how to change one: the change either takes effect at once, with undo, or waits for another Admin,
 * who decides here.
 */
export function useSettings() {
  const utils = trpc.useUtils();
  const [settings] = trpc.settings.get.useSuspenseQuery(undefined, { refetchInterval: 15_000 });
  const update = trpc.settings.update.useMutation();
  const approve = trpc.settings.approveChange.useMutation();
  const reject = trpc.settings.rejectChange.useMutation();

  const refresh = () =>
    Promise.all([utils.settings.origin.invalidate(), utils.approvals.workflow.invalidate()]);

  /** Whether it is in effect now; null if saving failed. */
  const store = async (
    name: keyof SettingsWrite,
    value: boolean,
    isAgain = false,
  ): Promise<boolean | null> => {
    // Reads the cache, not the render: another switch may have been toggled since.
    const { approvalWorkflow, fourEyes, revision } = { ...settings, ...utils.settings.get.getData() };
    const next = { approvalWorkflow, fourEyes, [name]: value };
    utils.settings.get.setData(undefined, { ...next, revision });
    try {
      const stored = await update.mutateAsync({ ...next, baseRevision: revision });
      utils.settings.get.setData(undefined, stored);
      await refresh();
      return stored.pendingChange === undefined;
    } catch (error) {
      await utils.settings.get.refetch();
      // Another Admin has toggled a switch meanwhile: theirs stays, and this one is toggled too.
      if (factsOf(error).code === "CONFLICT" && !isAgain) return store(name, value, true);
      toast.error("The setting was not changed", { description: messageOf(error) });
      return null;
    }
  };
  const change = async (name: keyof SettingsWrite, value: boolean) => {
    const counts = await store(name, value);
    if (counts === false) toast.success("Another Admin has to approve this change");
    if (counts)
      toast.success(`${words[name]} ${value ? "on" : "off"}`, {
        action: { label: "Undo", onClick: () => void store(name, !value) },
      });
  };
  const decide = async (id: number, decision: "approve" | "reject") => {
    try {
      utils.settings.get.setData(
        undefined,
        await (decision === "approve" ? approve : reject).mutateAsync({ id }),
      );
      toast.success(decision === "approve" ? "The change is approved" : "The settings are unchanged");
    } catch (error) {
      toast.error("The decision was not saved", { description: messageOf(error) });
      await utils.settings.get.invalidate();
    } finally {
      await refresh();
    }
  };
  return {
    settings,
    change: (name: keyof SettingsWrite, value: boolean) => void change(name, value),
    decide: (id: number, decision: "approve" | "reject") => void decide(id, decision),
    isDeciding: approve.isPending || reject.isPending,
  };
}
