import type { SignedIn } from "../../auth/principal.ts";
import { Problem } from "../../errors.ts";
import { listProjects } from "../../projects/service.ts";

const noProject = () => new Problem("not_found", "No project found");

type Choice = { id: number; name: string };

/** The caller can see several projects, and none was specified. Its text is for assistants, its choices for people. */
export class SeveralProjects extends Problem {
  readonly choices: readonly Choice[];

  constructor(projects: readonly Choice[]) {
    super("invalid", `Several projects: specify project_id. ${choices(projects)}`);
    this.choices = projects;
  }
}

/**
 * The context of a call in one project: the caller sees nothing of the others. The project is the requested one, or
 * the only one that the caller can see. Throws not_found if there is none or the id is unknown, and
 * SeveralProjects if there are several.
 */
export async function inProject(
  ctx: SignedIn,
  asked: number | undefined,
): Promise<{ projectId: number; ctx: SignedIn }> {
  const projectId = asked === undefined ? await onlyProject(ctx) : await visibleProject(ctx, asked);
  return { projectId, ctx: { ...ctx, principal: { ...ctx.principal, projectIds: [projectId] } } };
}

async function onlyProject(ctx: SignedIn): Promise<number> {
  // The projects of a limited key are known to exist.
  const known = ctx.principal.projectIds;
  if (known?.length === 1) return known[0] as number;
  const { items } = await listProjects(ctx);
  const [project, ...others] = items;
  if (!project) throw noProject();
  if (others.length > 0) throw new SeveralProjects(items);
  return project.id;
}

async function visibleProject(ctx: SignedIn, id: number): Promise<number> {
  const { items } = await listProjects(ctx);
  if (!items.some((project) => project.id === id)) throw noProject();
  return id;
}

const maxChoices = 50;

function choices(projects: readonly Choice[]): string {
  const named = projects.slice(0, maxChoices).map(({ id, name }) => `${id} (${name})`);
  const more = projects.length > maxChoices ? `, and ${projects.length - maxChoices} more` : "";
  return `You can see ${named.join(", ")}${more}.`;
}
