import type { Metadata } from "next";
import type { SearchParams } from "nuqs/server";
import { inProject, loadProject } from "@/components/projects/project-filter.ts";
import { loadTaskFilters, taskListInput } from "@/components/tasks/list-input.ts";
import { TaskList } from "@/components/tasks/task-list.tsx";
import { api, HydrateClient, isSignedIn } from "@/components/trpc/server.tsx";

export const metadata: Metadata = { title: "Tasks" };

export default async function TasksPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  // The console layout redirects to the sign-in page.
  if (!(await isSignedIn())) return null;
  const [{ project }, filters, me] = await Promise.all([
    loadProject(searchParams),
    loadTaskFilters(searchParams),
    api.session.me(),
  ]);
  await api.tasks.list.prefetch(taskListInput(inProject(project), filters, me.user.id));
  return (
    <HydrateClient>
      <TaskList />
    </HydrateClient>
  );
}
