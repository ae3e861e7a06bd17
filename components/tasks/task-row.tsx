"use client";
import type { ComponentProps } from "react";
import { Badge } from "@/components/ui/badge.tsx";
import { cn } from "@/components/ui/class-names.ts";
import { Link } from "@/components/ui/link.tsx";
import { Moment, useNow } from "@/components/ui/moment.tsx";
import { Name } from "@/components/ui/name.tsx";
import { Status } from "@/components/ui/status.tsx";
import { Td, Tr } from "@/components/ui/table.tsx";
import type { Task } from "@/server/tasks/schema.ts";
import { FoundFigure } from "./found-figure.tsx";
import { Priority } from "./priority.tsx";
import { TaskMenu } from "./task-menu.tsx";
import { foundWords, isSnoozed } from "./task-words.ts";

/** One task: its priority, what was found, and its assignee. */
export function TaskRow({
  task,
  href,
  ...row
}: { task: Task; href: string } & Omit<ComponentProps<"tr">, "children">) {
  const snoozed = isSnoozed(task, useNow());
  const isOpen = task.status === "Open";
  return (
    <Tr {...row} className={cn((snoozed || !isOpen) && "text-ink-3")}>
      <Td className="whitespace-nowrap">
        {isOpen ? <Priority priority={task.priority} /> : <Status kind="ok">Resolved</Status>}
      </Td>
      <Td className="w-full max-w-0 md:min-w-48">
        <span className="flex flex-wrap items-baseline gap-x-2 md:flex-nowrap">
          <Link
            href={href}
            className={cn("max-w-full truncate hover:underline", isOpen && !snoozed && "font-medium")}
            title={task.name}
          >
            {task.name}
          </Link>
          {snoozed && (
            <Badge>
              snoozed, wakes <Moment at={task.snoozedUntil} />
            </Badge>
          )}
        </span>
        <span className="block truncate text-xs text-ink-3 md:hidden">
          {isOpen ? (
            <>
              opened <Moment at={task.createdAt} />,{" "}
              {task.assignee ? <Name>{task.assignee.name}</Name> : "Unassigned"}
            </>
          ) : (
            <>
              {task.resolvedBy ? (
                <>
                  by <Name>{task.resolvedBy.name}</Name>
                </>
              ) : (
                "automatically"
              )}
              , <Moment at={task.resolvedAt} />
            </>
          )}
        </span>
      </Td>
      <Td numeric>
        <FoundFigure task={task} />
      </Td>
      <Td className="hidden whitespace-nowrap text-ink-2 md:table-cell">{foundWords(task.executionCount)}</Td>
      <Td className="hidden whitespace-nowrap text-ink-2 md:table-cell">
        <Moment at={task.createdAt} />
      </Td>
      <Td className="hidden whitespace-nowrap md:table-cell">
        {isOpen ? (
          (task.assignee?.name ?? <span className="text-ink-3">nobody</span>)
        ) : (
          <span className="text-ink-3">
            {task.resolvedBy ? (
              <>
                resolved by <Name>{task.resolvedBy.name}</Name>
              </>
            ) : (
              "resolved automatically"
            )}
            , <Moment at={task.resolvedAt} />
          </span>
        )}
      </Td>
      <Td className="w-8 px-0">
        <TaskMenu task={task} snoozed={snoozed} />
      </Td>
    </Tr>
  );
}
