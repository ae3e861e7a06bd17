"use client";
import { useQueryClient } from "@tanstack/react-query";
import { getQueryKey } from "@trpc/react-query";
import { useMe } from "@/components/auth/use-me.ts";
import { type Outputs, trpc } from "@/components/trpc/client.tsx";
import { messageOf } from "@/components/trpc/errors.ts";
import { formatExact } from "@/components/ui/format.ts";
import { toast } from "@/components/ui/toaster.tsx";
import { useZone } from "@/components/ui/zone.tsx";
import type { TaskPriority } from "@/server/tasks/kinds.ts";
import type { Task } from "@/server/tasks/schema.ts";

type Person = { id: number; name: string };

/**
 * The actions on a task. Assignee, priority, and snooze are updated optimistically and rolled back on failure;
 * resolving waits for the server.
 */
export function useTaskActions({ id, name }: Pick<Task, "id" | "name">) {
  const { user } = useMe();
  const zone = useZone();
  const utils = trpc.useUtils();
  const queryClient = useQueryClient();
  const assign = trpc.tasks.assign.useMutation();
  const snooze = trpc.tasks.snooze.useMutation();
  const prioritize = trpc.tasks.prioritise.useMutation();
  const resolve = trpc.tasks.resolve.useMutation();

  /** Applies a change wherever the task is shown. */
  const show = (change: Partial<Task>) => {
    utils.tasks.get.setData({ id }, (task) => task && { ...task, ...change });
    queryClient.setQueriesData<Outputs["tasks"]["list"]>(
      { queryKey: getQueryKey(trpc.tasks.list) },
      (page) =>
        page && {
          ...page,
          items: page.items.map((task) => (task.id === id ? { ...task, ...change } : task)),
        },
    );
  };
  const attempt = async (what: string, change: Partial<Task>, act: () => Promise<Task>) => {
    await Promise.all([utils.tasks.get.cancel({ id }), utils.tasks.list.cancel()]);
    show(change);
    try {
      show(await act());
    } catch (error) {
      toast.error(what, { description: messageOf(error) });
    } finally {
      // The filters may match differently now, or the change was rejected.
      await utils.tasks.invalidate();
    }
  };

  const snoozeUntil = async (until: Date | null) => {
    show(await snooze.mutateAsync({ id, until: until?.toISOString() ?? null }));
    toast.success(until ? "The task is snoozed" : "The task is no longer snoozed", {
      ...(until && { description: `Until ${formatExact(until, zone)}.` }),
    });
    await utils.tasks.invalidate();
  };

  return {
    assignTo: (person: Person | null) =>
      attempt("The task could not be assigned", { assignee: person }, () =>
        assign.mutateAsync({ id, userId: person?.id ?? null }),
      ),
    takeIt: () =>
      attempt("The task could not be assigned to you", { assignee: user }, () =>
        assign.mutateAsync({ id, userId: user.id }),
      ),
    setPriority: (priority: TaskPriority) =>
      attempt("The priority could not be set", { priority }, () => prioritize.mutateAsync({ id, priority })),
    snooze: (until: Date) =>
      attempt("The task could not be snoozed", { snoozedUntil: until.toISOString() }, () =>
        snooze.mutateAsync({ id, until: until.toISOString() }),
      ),
    wake: () =>
      attempt("The snooze could not be ended", { snoozedUntil: null }, () =>
        snooze.mutateAsync({ id, until: null }),
      ),
    /** Throws on failure, for a dialog to show. */
    snoozeUntil,
    /** Throws on failure, for a dialog to show. */
    resolve: async (resolutionNotes: string) => {
      show(await resolve.mutateAsync({ id, resolutionNotes: resolutionNotes.trim() || null }));
      toast.success(`The task of “${name}” is resolved`);
      await utils.tasks.invalidate();
    },
  };
}

export type TaskActions = ReturnType<typeof useTaskActions>;
