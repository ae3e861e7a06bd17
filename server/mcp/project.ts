import type { SignedIn } from "../auth/principal.ts";
import { Problem } from "../errors.ts";
import { listProjects } from "../projects/service.ts";

const noProject = () => new Problem("not_found", "No project found");

/**
 * The context of a call within its one project: whatever the caller sees elsewhere is not there for it. The project
 * is the one that is asked for, or else the only one that the caller may see. Throws not_found where there is none,
 * or none of that id, and invalid, with a list, where there are several to choose from.
 */
export async function inProject(
  ctx: SignedIn,
  asked: number | undefined,
): Promise<{ projectId: number; ctx: SignedIn }> {
  const projectId = asked === undefined ? await onlyProject(ctx) : await visibleProject(ctx, asked);
  return { projectId, ctx: { ...ctx, principal: { ...ctx.principal, projectIds: [projectId] } } };
}

async function onlyProject(ctx: SignedIn): Promise<number> {
  // Those of a limited key are known to be there.
  const known = ctx.principal.projectIds;
  if (known?.length === 1) return known[0] as number;
  const { items } = await listProjects(ctx);
  const [project, ...others] = items;
  if (!project) throw noProject();
  if (others.length > 0)
    throw new Problem("invalid", `There are several projects: give project_id. ${choices(items)}`);
  return project.id;
}

async function visibleProject(ctx: SignedIn, id: number): Promise<number> {
  const { items } = await listProjects(ctx);
  if (!items.some((project) => project.id === id)) throw noProject();
  return id;
}

const most = 50;

function choices(projects: readonly { id: number; name: string }[]): string {
  const named = projects.slice(0, most).map(({ id, name }) => `${id} (${name})`);
  const more = projects.length > most ? `, and ${projects.length - most} more` : "";
  return `You can see ${named.join(", ")}${more}.`;
}
