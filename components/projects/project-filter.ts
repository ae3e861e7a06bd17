import { createLoader, parseAsInteger } from "nuqs/server";

/** `?project=3` in the address: which project the lists show; all of them without it. */
export const projectParameter = { project: parseAsInteger };

/** The address' project, in a server page: `const { project } = await loadProject(searchParams)`. */
export const loadProject = createLoader(projectParameter);

/** The input of every list procedure for the chosen project. */
export function inProject(project: number | null): { projectId?: number } {
  return project === null ? {} : { projectId: project };
}

/** An address that keeps the chosen project. */
export function withProject(href: string, project: number | null): string {
  if (project === null) return href;
  const [path = "", ...hash] = href.split(/(?=#)/);
  return `${path}${path.includes("?") ? "&" : "?"}project=${project}${hash.join("")}`;
}
