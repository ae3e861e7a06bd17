import type { Metadata } from "next";
import { InProject } from "@/components/auth/in-project.tsx";
import { loadTask } from "@/components/tasks/load-task.ts";
import { TaskPage } from "@/components/tasks/task-page.tsx";
import { api, HydrateClient } from "@/components/trpc/server.tsx";

type Props = { params: Promise<{ id: string }> };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: `Task of ${(await loadTask((await params).id)).name}` };
}

export default async function Page({ params }: Props) {
  const { id, projectId } = await loadTask((await params).id);
  await Promise.all([api.tasks.get.prefetch({ id }), api.tasks.comments.prefetch({ id })]);
  return (
    <HydrateClient>
      <InProject id={projectId}>
        <TaskPage id={id} />
      </InProject>
    </HydrateClient>
  );
}
