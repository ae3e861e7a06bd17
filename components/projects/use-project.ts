"use client";
import { useQueryStates } from "nuqs";
import { useDeferredValue, useMemo } from "react";
import { trpc } from "../trpc/client.tsx";
import { inProject, projectParameter, withProject } from "./project-filter.ts";

/** The project that the lists show (null for all), and the way to choose another. */
export function useProject() {
  const [{ project }, setParameters] = useQueryStates(projectParameter, { history: "push" });
  return {
    project,
    setProject: (next: number | null) => setParameters({ project: next }),
    /** Keeps the choice on the way to another page. */
    href: (path: string) => withProject(path, project),
  };
}

/**
 * The input for a list of the chosen project. It follows the choice a moment later, so that a suspending list
 * keeps its rows until the next ones are there.
 */
export function useProjectInput(): { projectId?: number } {
  const { project } = useProject();
  const settled = useDeferredValue(project);
  return useMemo(() => inProject(settled), [settled]);
}

/** Projects by id, for lists that show where a thing lives. */
export function useProjects() {
  const [{ items }] = trpc.projects.list.useSuspenseQuery(undefined, { staleTime: 60_000 });
  return { projects: items, nameOf: (id: number) => items.find((each) => each.id === id)?.name ?? "" };
}

/** Where a new thing goes unless said otherwise: the chosen project, or the only one there is. */
export function useLikelyProject(): number | null {
  const { project } = useProject();
  const { projects } = useProjects();
  return project ?? (projects.length === 1 ? (projects[0]?.id ?? null) : null);
}
