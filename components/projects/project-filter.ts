import { createLoader, parseAsInteger } from "nuqs/server";

/** `?project=3`: the project the lists show; all projects without it. */
export const projectParameter = { project: parseAsInteger };

/** The URL's project, in a server page: `const { project } = await loadProject(searchParams)`. */
export const loadProject = createLoader(projectParameter);

/** The list procedures' input for the selected project. */
export function inProject(project: number | null): { projectId?: number } {
  return project === null ? {} : { projectId: project };
}

/** Adds the selected project to a path. */
export function withProject(href: string, project: number | null): string {
  if (project === null) return href;
  const [path = "", ...hash] = href.split(/(?=#)/);
  return `${path}${path.includes("?") ? "&" : "?"}project=${project}${hash.join("")}`;
}
