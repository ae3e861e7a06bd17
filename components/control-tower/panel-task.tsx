"use client";
import { useMay } from "@/components/auth/use-me.ts";
import { useProject } from "@/components/projects/use-project.ts";
import { Priority } from "@/components/tasks/priority.tsx";
import { TaskControls } from "@/components/tasks/task-controls.tsx";
import { foundWords, isSnoozed } from "@/components/tasks/task-words.ts";
import { Count } from "@/components/ui/count.tsx";
import { Link } from "@/components/ui/link.tsx";
import { Moment, useNow } from "@/components/ui/moment.tsx";
import type { Task } from "@/server/tasks/schema.ts";

/** An open task with its actions. */
export function PanelTask({ task }: { task: Task }) {
  const { href } = useProject();
  const mayWork = useMay("tasks:work");
  const snoozed = isSnoozed(task, useNow());
  const { latestRowCount, executionCount, createdAt, assignee, snoozedUntil } = task;
  return (
    <div className="flex flex-col gap-2 border-y py-2">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Priority priority={task.priority} />
        <Link href={href(`/tasks/${task.id}`)} className="font-medium hover:underline">
          <Count value={latestRowCount} /> {latestRowCount === 1 ? "row" : "rows"}
        </Link>
        <span className="text-ink-2">found {foundWords(executionCount)}</span>
        <span className="text-ink-3">
          opened <Moment at={createdAt} />
        </span>
        {!mayWork && <span className="text-ink-2">{assignee?.name ?? "Unassigned"}</span>}
      </p>
      {snoozed && (
        <p className="text-xs text-ink-2">
          Snoozed until <Moment at={snoozedUntil} exact />
        </p>
      )}
      {mayWork && (
        <div className="flex flex-wrap gap-2">
          <TaskControls task={task} snoozed={snoozed} />
        </div>
      )}
    </div>
  );
}
