"use client";
import { useEffect, useState } from "react";
import { useMay, useMe } from "@/components/auth/use-me.ts";
import { trpc } from "@/components/trpc/client.tsx";
import { Button } from "@/components/ui/button.tsx";
import { Combobox } from "@/components/ui/combobox.tsx";
import { Menu, MenuContent, MenuTrigger } from "@/components/ui/dropdown-menu.tsx";
import { AlarmClock, CircleCheck } from "@/components/ui/icons.tsx";
import { isTypingElsewhere } from "@/components/ui/keyboard.ts";
import { Select } from "@/components/ui/select.tsx";
import { taskPriorities } from "@/server/tasks/kinds.ts";
import type { Task } from "@/server/tasks/schema.ts";
import { Priority } from "./priority.tsx";
import { SnoozeItems } from "./snooze-items.tsx";
import { type Asking, TaskDialogs } from "./task-dialogs.tsx";
import { useTaskActions } from "./use-task-actions.ts";

const nobody = "nobody";

/** An open task's assignee and priority, with buttons to snooze and resolve it. */
export function TaskControls({ task, snoozed }: { task: Task; snoozed: boolean }) {
  const mayWork = useMay("tasks:work");
  const { user } = useMe();
  const actions = useTaskActions(task);
  const [asking, setAsking] = useState<Asking>(null);
  const isWorkable = mayWork && task.status === "Open";
  const people = trpc.tasks.assignees.useQuery(undefined, { enabled: isWorkable, staleTime: 60_000 });

  useEffect(() => {
    if (!isWorkable) return;
    const act = (event: KeyboardEvent) => {
      if (event.key !== "r" || isTypingElsewhere(event)) return;
      event.preventDefault();
      setAsking("resolve");
    };
    document.addEventListener("keydown", act);
    return () => document.removeEventListener("keydown", act);
  }, [isWorkable]);

  const known = people.data?.items ?? [];
  const others = known.filter(({ id }) => id !== user.id);
  const { assignee } = task;
  const isGone = assignee !== null && assignee.id !== user.id && !others.some(({ id }) => id === assignee.id);
  const choose = (value: string) => {
    if (value === nobody) return void actions.assignTo(null);
    const person = [user, ...others].find(({ id }) => String(id) === value);
    if (person) void actions.assignTo({ id: person.id, name: person.name });
  };
  return (
    <>
      {isWorkable && (
        <>
          <Combobox
            aria-label="Assignee"
            className="w-44"
            value={assignee === null ? nobody : String(assignee.id)}
            onValueChange={choose}
            loading={people.isLoading}
            searchPlaceholder="Search people…"
            groups={[
              {
                items: [
                  { value: nobody, label: "Nobody" },
                  { value: String(user.id), label: user.name, hint: "you" },
                  ...(isGone ? [{ value: String(assignee.id), label: assignee.name, disabled: true }] : []),
                ],
              },
              { items: others.map(({ id, name }) => ({ value: String(id), label: name })) },
            ]}
          />
          <Select
            aria-label="Priority"
            className="w-32"
            value={task.priority}
            onValueChange={(priority) => void actions.setPriority(priority)}
            options={taskPriorities
              .toReversed()
              .map((value) => ({ value, label: <Priority priority={value} /> }))}
          />
          <Menu>
            <MenuTrigger>
              <Button icon={AlarmClock}>{snoozed ? "Snoozed" : "Snooze"}</Button>
            </MenuTrigger>
            <MenuContent>
              <SnoozeItems snoozed={snoozed} actions={actions} onAskUntil={() => setAsking("snooze")} />
            </MenuContent>
          </Menu>
          <Button
            variant="primary"
            icon={CircleCheck}
            aria-keyshortcuts="r"
            title="Key r"
            onClick={() => setAsking("resolve")}
          >
            Resolve
          </Button>
        </>
      )}
      <TaskDialogs task={task} actions={actions} asking={asking} onAsk={setAsking} />
    </>
  );
}
