"use client";
import { useState } from "react";
import { useMay, useMe } from "@/components/auth/use-me.ts";
import { MenuItem, MenuLabel, MenuRadioGroup, MenuSeparator } from "@/components/ui/dropdown-menu.tsx";
import { CircleCheck, UserMinus, UserPlus } from "@/components/ui/icons.tsx";
import { RowMenu } from "@/components/ui/row-menu.tsx";
import { taskPriorities } from "@/server/tasks/kinds.ts";
import type { Task } from "@/server/tasks/schema.ts";
import { SnoozeItems } from "./snooze-items.tsx";
import { type Asking, TaskDialogs } from "./task-dialogs.tsx";
import { priorityLooks } from "./task-words.ts";
import { useTaskActions } from "./use-task-actions.ts";

/** The actions on a row's open task. */
export function TaskMenu({ task, snoozed }: { task: Task; snoozed: boolean }) {
  const mayWork = useMay("tasks:work");
  const { user } = useMe();
  const actions = useTaskActions(task);
  const [asking, setAsking] = useState<Asking>(null);
  if (!mayWork) return null;
  return (
    <>
      {task.status === "Open" && (
        <RowMenu of={task.name}>
          <MenuItem icon={CircleCheck} onSelect={() => setAsking("resolve")}>
            Resolve…
          </MenuItem>
          {task.assignee?.id !== user.id && (
            <MenuItem icon={UserPlus} onSelect={() => void actions.takeIt()}>
              Assign to me
            </MenuItem>
          )}
          {task.assignee && (
            <MenuItem icon={UserMinus} onSelect={() => void actions.assignTo(null)}>
              Unassign {task.assignee.name}
            </MenuItem>
          )}
          <MenuSeparator />
          <SnoozeItems snoozed={snoozed} actions={actions} onAskUntil={() => setAsking("snooze")} />
          <MenuSeparator />
          <MenuLabel>Priority</MenuLabel>
          <MenuRadioGroup
            value={task.priority}
            onValueChange={(priority) => void actions.setPriority(priority)}
            options={taskPriorities.toReversed().map((value) => ({
              value,
              label: value,
              icon: priorityLooks[value].icon,
            }))}
          />
        </RowMenu>
      )}
      <TaskDialogs task={task} actions={actions} asking={asking} onAsk={setAsking} />
    </>
  );
}
