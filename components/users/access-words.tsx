"use client";
import { useProjects } from "../projects/use-project.ts";
import type { User } from "./use-users.ts";

/** A user's role or, if they are limited to projects, their role in each. */
export function AccessWords({ user: { role, projectRoles } }: { user: User }) {
  const { nameOf } = useProjects();
  if (projectRoles === null) return role;
  if (projectRoles.length === 0) return <span className="text-ink-3">No project</span>;
  const words = projectRoles.map((each) => `${each.role} in ${nameOf(each.projectId)}`);
  return (
    <span title={words.join(", ")} className="break-words">
      {words[0]}
      {words.length > 1 && <span className="whitespace-nowrap text-ink-3"> + {words.length - 1} more</span>}
    </span>
  );
}
