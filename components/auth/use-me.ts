"use client";
import { useQueryStates } from "nuqs";
import { useState } from "react";
import { grants, grantsIn, type Permission } from "@/server/auth/permissions.ts";
import { projectParameter } from "../projects/project-filter.ts";
import { trpc } from "../trpc/client.tsx";
import { useProjectAround } from "./in-project.tsx";

/** The signed-in user; the console's layout prefetches it for every page. */
export function useMe() {
  const [me] = trpc.session.me.useSuspenseQuery(undefined, { staleTime: 60_000 });
  return me;
}

/** The user the page was loaded for, even if someone else signs in from another tab. */
export function usePageOwner() {
  const [owner] = useState(useMe().user);
  return owner;
}

/**
 * Whether the user has this permission, to hide what they can't do. The procedures enforce it. In the project that is
 * given, that the surrounding page or row belongs to, or that is chosen for the lists; otherwise in any.
 */
export function useMay(permission: Permission, projectId?: number): boolean {
  const me = useMe();
  const around = useProjectAround();
  const [{ project: chosen }] = useQueryStates(projectParameter);
  const project = projectId ?? around ?? chosen;
  return project === null ? grants(permission, me) : grantsIn(permission, me, project);
}

/** The same for the rows of a list, each in its own project. */
export function useMayIn(permission: Permission): (projectId: number) => boolean {
  const me = useMe();
  return (projectId) => grantsIn(permission, me, projectId);
}
