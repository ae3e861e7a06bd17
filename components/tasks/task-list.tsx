"use client";
import { useMay, useMe } from "@/components/auth/use-me.ts";
import { useBulk } from "@/components/bulk/use-bulk.tsx";
import { useProject, useProjectInput } from "@/components/projects/use-project.ts";
import { trpc } from "@/components/trpc/client.tsx";
import { Button, ButtonLink } from "@/components/ui/button.tsx";
import { ChartSpline, ListChecks } from "@/components/ui/icons.tsx";
import { actionsColumn, type Columns } from "@/components/ui/list.tsx";
import { ListPage } from "@/components/ui/list-page.tsx";
import { useListFilters } from "@/components/ui/use-list-filters.ts";
import { ViewsMenu } from "@/components/views/views-menu.tsx";
import { inItsProject } from "../auth/in-project.tsx";
import { BulkActions } from "./bulk-actions.tsx";
import { shownFilters, taskListInput, taskParameters } from "./list-input.ts";
import { TaskFilters } from "./task-filters.tsx";
import { TaskRow } from "./task-row.tsx";

/** Tasks from what subscriptions have found, most urgent open ones first. */
export function TaskList() {
  const { href } = useProject();
  const { user } = useMe();
  const project = useProjectInput();
  const list = useListFilters(taskParameters, (filters) => taskListInput(project, filters, user.id));
  const [page] = trpc.tasks.list.useSuspenseQuery(list.input, { refetchInterval: 30_000 });
  const mayWork = useMay("tasks:work");
  const utils = trpc.useUtils();
  const bulk = useBulk({
    input: list.input,
    things: ["task", "tasks"],
    total: page.totalCount,
    loadIds: async (most) => {
      const all = await utils.tasks.list.fetch({ ...list.input, page: 0, pageSize: most });
      return all.items.map(({ id }) => id);
    },
  });
  const { isDefault } = shownFilters(list.filters);
  const showAll = (
    <>
      <Button onClick={() => list.set({ status: "Open" })}>All open tasks</Button>
      <Button variant="ghost" onClick={() => list.set({ status: "all" })}>
        Resolved too
      </Button>
    </>
  );
  const columns: Columns = [
    { title: "Priority", sort: list.sortBy("urgency", "desc") },
    { title: "Task", sort: list.sortBy("name") },
    { title: "Rows", numeric: true, sort: list.sortBy("rows", "desc") },
    { title: "Found", from: "md", sort: list.sortBy("found", "desc") },
    { title: "Opened", from: "md", sort: list.sortBy("opened", "desc") },
    { title: "Assignee", from: "md" },
    actionsColumn(),
  ];
  const hrefOf = ({ id }: { id: number }) => href(`/tasks/${id}`);
  return (
    <ListPage
      title="Tasks"
      things="tasks"
      columns={columns}
      around={inItsProject}
      rows={page.items}
      page={page}
      list={list}
      keepsFilters
      selection={
        mayWork
          ? {
              of: bulk.selection,
              nameOf: ({ name }) => name,
              bar: bulk.barWith(<BulkActions bulk={bulk} />),
            }
          : undefined
      }
      notices={
        <>
          {isDefault && page.totalCount > 0 && (
            <p className="flex flex-wrap items-center gap-2 pb-3 text-ink-2">
              Open tasks that are assigned to you. {showAll}
            </p>
          )}
          {bulk.outcome}
        </>
      }
      keyOf={({ id }) => id}
      hrefOf={hrefOf}
      filters={<TaskFilters list={list} />}
      actions={
        <>
          <ViewsMenu page="tasks" />
          <ButtonLink href={href("/anomalies")} icon={ChartSpline}>
            Anomalies
          </ButtonLink>
        </>
      }
      empty={{
        icon: ListChecks,
        title: "No open tasks are assigned to you",
        action: showAll,
        children:
          "A subscription opens a task when rows meet its condition, and a contract when its score is below the threshold, if they are set to. A task counts what later runs find and resolves automatically when a run finds nothing.",
      }}
    >
      {(task, row) => <TaskRow task={task} href={hrefOf(task)} {...row} />}
    </ListPage>
  );
}
