import type { Metadata } from "next";
import {
  createLoader,
  parseAsInteger,
  parseAsString,
  parseAsStringLiteral,
  type SearchParams,
} from "nuqs/server";
import { inProject, loadProject } from "@/components/projects/project-filter.ts";
import { taskListInput } from "@/components/tasks/list-input.ts";
import { TaskList } from "@/components/tasks/task-list.tsx";
import { api, HydrateClient, isSignedIn } from "@/components/trpc/server.tsx";
import { taskStatuses } from "@/server/tasks/schema.ts";

export const metadata: Metadata = { title: "Tasks" };

const loadFilters = createLoader({
  status: parseAsStringLiteral(taskStatuses),
  assignee: parseAsString,
  subscription: parseAsInteger,
  page: parseAsInteger.withDefault(1),
});

export default async function TasksPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  // The console leads to the sign-in page.
  if (!(await isSignedIn())) return null;
  const [{ project }, filters, me] = await Promise.all([
    loadProject(searchParams),
    loadFilters(searchParams),
    api.session.me(),
  ]);
  await api.tasks.list.prefetch(taskListInput(inProject(project), filters, me.user.id));
  return (
    <HydrateClient>
      <TaskList />
    </HydrateClient>
  );
}
