"use client";
import { useMe } from "@/components/auth/use-me.ts";
import { useProject, useProjectInput } from "@/components/projects/use-project.ts";
import { trpc } from "@/components/trpc/client.tsx";
import { ButtonLink } from "@/components/ui/button.tsx";
import { ChartSpline, ListChecks } from "@/components/ui/icons.tsx";
import { actionsColumn, type Columns } from "@/components/ui/list.tsx";
import { ListPage } from "@/components/ui/list-page.tsx";
import { useListFilters } from "@/components/ui/use-list-filters.ts";
import { taskListInput, taskParameters } from "./list-input.ts";
import { TaskFilters } from "./task-filters.tsx";
import { TaskRow } from "./task-row.tsx";

const columns: Columns = [
  { title: "Priority" },
  { title: "Task" },
  { title: "Rows", numeric: true },
  { title: "Found", from: "md" },
  { title: "Opened", from: "md" },
  { title: "Assignee", from: "md" },
  actionsColumn(),
];

/** Tasks from what subscriptions have found, most urgent open ones first. */
export function TaskList() {
  const { href } = useProject();
  const { user } = useMe();
  const project = useProjectInput();
  const list = useListFilters(taskParameters, (filters) => taskListInput(project, filters, user.id));
  const [page] = trpc.tasks.list.useSuspenseQuery(list.input, { refetchInterval: 30_000 });
  const hrefOf = ({ id }: { id: number }) => href(`/tasks/${id}`);
  return (
    <ListPage
      title="Tasks"
      things="tasks"
      columns={columns}
      rows={page.items}
      page={page}
      list={list}
      keyOf={({ id }) => id}
      hrefOf={hrefOf}
      filters={<TaskFilters list={list} />}
      actions={
        <ButtonLink href={href("/anomalies")} icon={ChartSpline}>
          Anomalies
        </ButtonLink>
      }
      empty={{
        icon: ListChecks,
        title: "No open tasks",
        action: <ButtonLink href={href("/subscriptions")}>Subscriptions</ButtonLink>,
        children:
          "A subscription that opens tasks opens one here when rows meet its condition. The task counts what later runs find and resolves automatically when a run finds nothing.",
      }}
    >
      {(task, row) => <TaskRow task={task} href={hrefOf(task)} {...row} />}
    </ListPage>
  );
}
