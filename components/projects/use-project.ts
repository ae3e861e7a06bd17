"use client";
import { useQueryStates } from "nuqs";
import { useDeferredValue, useMemo } from "react";
import { trpc } from "../trpc/client.tsx";
import { inProject, projectParameter, withProject } from "./project-filter.ts";

/** The project the lists show (null for all), with a setter. */
export function useProject() {
  const [{ project }, setParameters] = useQueryStates(projectParameter, { history: "push" });
  return {
    project,
    setProject: (next: number | null) => setParameters({ project: next }),
    /** Keeps the selection when going to another page. */
    href: (path: string) => withProject(path, project),
  };
}

/**
 * The list procedures' input for the selected project. Deferred, so that a suspending list keeps its rows until the
 * next ones have loaded.
 */
export function useProjectInput(): { projectId?: number } {
  const { project } = useProject();
  const settled = useDeferredValue(project);
  return useMemo(() => inProject(settled), [settled]);
}

/** Projects by ID, for lists that show where a thing belongs. */
export function useProjects() {
  const [{ items }] = trpc.projects.list.useSuspenseQuery(undefined, { staleTime: 60_000 });
  return { projects: items, nameOf: (id: number) => items.find((each) => each.id === id)?.name ?? "" };
}

/** The default project of a new thing: the selected one, or the only one. */
export function useLikelyProject(): number | null {
  const { project } = useProject();
  const { projects } = useProjects();
  return project ?? (projects.length === 1 ? (projects[0]?.id ?? null) : null);
}
