"use client";
import { ChartSpline, ListChecks } from "lucide-react";
import { useRouter } from "next/navigation";
import { useDeferredValue } from "react";
import { useMe } from "@/components/auth/use-me.ts";
import { useProject, useProjectInput } from "@/components/projects/use-project.ts";
import { trpc } from "@/components/trpc/client.tsx";
import { Button, ButtonLink } from "@/components/ui/button.tsx";
import { Empty } from "@/components/ui/empty.tsx";
import { formatNumber } from "@/components/ui/format.ts";
import { PageHeader } from "@/components/ui/page-header.tsx";
import { Pager } from "@/components/ui/pager.tsx";
import { Table, Th, Thead } from "@/components/ui/table.tsx";
import { useRowKeys } from "@/components/ui/use-row-keys.ts";
import { taskListInput, taskPageSize } from "./list-input.ts";
import { TaskFilters } from "./task-filters.tsx";
import { TaskRow } from "./task-row.tsx";
import { useTaskFilters } from "./use-task-filters.ts";

/** What is to be done about what the subscriptions have found: the most urgent open tasks first. */
export function TaskList() {
  const { href } = useProject();
  const router = useRouter();
  const { user } = useMe();
  const filters = useTaskFilters();
  const projectInput = useProjectInput();
  // The rows stay until the next ones are there.
  const asked = {
    status: useDeferredValue(filters.status),
    assignee: useDeferredValue(filters.assignee),
    subscription: useDeferredValue(filters.subscription),
    page: useDeferredValue(filters.page),
  };
  const [{ items, totalCount }] = trpc.tasks.list.useSuspenseQuery(
    taskListInput(projectInput, asked, user.id),
    { refetchInterval: 30_000 },
  );
  const isFiltered = filters.status !== null || filters.assignee !== null || filters.subscription !== null;
  const hrefOf = (id: number) => href(`/tasks/${id}`);
  const keys = useRowKeys({
    count: items.length,
    onOpen: (index) => {
      const opened = items[index];
      if (opened) router.push(hrefOf(opened.id));
    },
  });
  const isEmpty = totalCount === 0 && !isFiltered;

  return (
    <>
      <PageHeader
        title="Tasks"
        count={isEmpty ? undefined : formatNumber(totalCount)}
        filters={!isEmpty && <TaskFilters filters={filters} />}
        actions={
          <ButtonLink href={href("/anomalies")} icon={ChartSpline}>
            Anomalies
          </ButtonLink>
        }
      />
      {isEmpty ? (
        <Empty
          icon={ListChecks}
          title="There is nothing to do"
          action={<ButtonLink href={href("/subscriptions")}>Subscriptions</ButtonLink>}
        >
          A subscription that opens tasks opens one here when its condition is met by rows. It counts what
          later runs find, and resolves itself when a run finds nothing.
        </Empty>
      ) : items.length === 0 ? (
        <Empty
          title="No task matches"
          action={
            <Button onClick={() => filters.set({ status: null, assignee: null, subscription: null })}>
              Show all tasks
            </Button>
          }
        >
          None has all of what the filters ask for.
        </Empty>
      ) : (
        <Table label="Tasks">
          <Thead>
            <tr>
              <Th>Priority</Th>
              <Th>Task</Th>
              <Th numeric>Rows</Th>
              <Th className="hidden md:table-cell">Found</Th>
              <Th className="hidden md:table-cell">Opened</Th>
              <Th className="hidden md:table-cell">Assignee</Th>
              <Th>
                <span className="sr-only">Actions</span>
              </Th>
            </tr>
          </Thead>
          <tbody>
            {items.map((task, index) => (
              <TaskRow key={task.id} task={task} href={hrefOf(task.id)} {...keys.row(index)} />
            ))}
          </tbody>
        </Table>
      )}
      <Pager
        page={Math.max(filters.page, 1) - 1}
        pageSize={taskPageSize}
        total={totalCount}
        onPageChange={(page) => filters.setPage(page + 1)}
      />
    </>
  );
}
