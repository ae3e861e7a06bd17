"use client";
import { useProject } from "@/components/projects/use-project.ts";
import { useMe } from "../auth/use-me.ts";
import { trpc } from "../trpc/client.tsx";
import { Count } from "../ui/count.tsx";
import { formatNumber } from "../ui/format.ts";
import { UserCheck } from "../ui/icons.tsx";
import { Moment } from "../ui/moment.tsx";
import { Name } from "../ui/name.tsx";
import { ConfirmPage } from "./confirm-page.tsx";

/** Assigns a task to whoever presses it, unless someone else has it. */
export function TakeTaskPage({ id }: { id: number }) {
  const { href } = useProject();
  const { user } = useMe();
  const utils = trpc.useUtils();
  const [task] = trpc.tasks.get.useSuspenseQuery({ id }, { refetchInterval: 30_000 });
  const assign = trpc.tasks.assign.useMutation();
  return (
    <ConfirmPage
      title={`Take the task of “${task.name}”`}
      about={
        <p>
          {task.latestScore === null ? (
            <>
              <Count value={task.latestRowCount} /> {task.latestRowCount === 1 ? "row" : "rows"} in the latest
              run
            </>
          ) : (
            <>Score {formatNumber(task.latestScore, 2)}</>
          )}
          , opened <Moment at={task.createdAt} />.
        </p>
      }
      consequence="The task is assigned to you, and everyone sees that you are working on it."
      confirm="Assign to me"
      icon={UserCheck}
      permission="tasks:work"
      done={standing(task, user.id)}
      open={{ href: href(`/tasks/${id}`), label: "Open the task" }}
      act={() => assign.mutateAsync({ id, userId: user.id, unlessAssigned: true })}
      refresh={() => Promise.all([utils.tasks.invalidate(), utils.needsAttention.invalidate()])}
    />
  );
}

type Person = { id: number; name: string };

function standing(
  { status, assignee, resolvedBy }: { status: string; assignee: Person | null; resolvedBy: Person | null },
  me: number,
) {
  if (status === "Resolved")
    return resolvedBy ? (
      <>
        <Name>{resolvedBy.name}</Name> resolved it.
      </>
    ) : (
      "It resolved automatically."
    );
  if (assignee === null) return null;
  if (assignee.id === me) return "The task is yours.";
  return (
    <>
      <Name>{assignee.name}</Name> has it.
    </>
  );
}
