"use client";
import { roles } from "@/server/auth/kinds.ts";
import { useProjects } from "../projects/use-project.ts";
import type { User } from "./use-users.ts";

/** A user's role or, if they are limited to projects, their role in each; of several, only the first unless `isWhole`. */
export function AccessWords({
  user: { role, projectRoles },
  isWhole = false,
}: {
  user: Pick<User, "role" | "projectRoles">;
  isWhole?: boolean;
}) {
  const { nameOf } = useProjects();
  if (projectRoles === null) return role;
  if (projectRoles.length === 0) return <span className="text-ink-3">No project</span>;
  const highestFirst = projectRoles.toSorted((a, b) => roles.indexOf(b.role) - roles.indexOf(a.role));
  const words = highestFirst.map((each) => `${each.role} in ${nameOf(each.projectId)}`);
  if (isWhole) return words.join(", ");
  return (
    <span title={words.join(", ")} className="break-words">
      {words[0]}
      {words.length > 1 && <span className="whitespace-nowrap text-ink-3"> + {words.length - 1} more</span>}
    </span>
  );
}
