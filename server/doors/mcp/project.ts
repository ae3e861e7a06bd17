import type { SignedIn } from "../../auth/principal.ts";
import { identifier } from "../../db/schema-parts.ts";
import { Problem, problemIn } from "../../errors.ts";
import { getProject, listProjects, onlyProjectId } from "../../projects/service.ts";

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
  const only = await onlyProjectId(ctx);
  if (only !== null) return only;
  const { items } = await listProjects(ctx);
  throw items.length === 0 ? noProject() : new SeveralProjects(items);
}

async function visibleProject(ctx: SignedIn, id: number): Promise<number> {
  // A number that no identifier can be is unknown, too.
  if (!identifier.safeParse(id).success) throw noProject();
  try {
    return (await getProject(ctx, id)).id;
  } catch (error) {
    throw problemIn(error)?.code === "not_found" ? noProject() : error;
  }
}

const maxChoices = 50;

function choices(projects: readonly Choice[]): string {
  const named = projects.slice(0, maxChoices).map(({ id, name }) => `${id} (${name})`);
  const more = projects.length > maxChoices ? `, and ${projects.length - maxChoices} more` : "";
  return `You can see ${named.join(", ")}${more}.`;
}
