import type { z } from "zod";
import type { SignedIn } from "../../auth/principal.ts";
import { listProjects } from "../../projects/service.ts";
import { type Listed, pageOfRows } from "../page-of-rows.ts";
import type { projectsPageInput } from "../schema.ts";
import type { SortOf } from "../sorts.ts";

type Project = Awaited<ReturnType<typeof listProjects>>["items"][number];

const listed: Listed<Project, SortOf<"projects">> = {
  text: ({ name, description }) => `${name} ${description ?? ""}`,
  sorts: {
    Name: { by: ({ name }) => name },
    Description: { by: ({ description }) => description },
    Created: { by: ({ createdAt }) => createdAt, natural: "Desc" },
  },
};

/** A page of the projects visible to the caller. */
export async function projectsPage(ctx: SignedIn, asked: z.output<typeof projectsPageInput>) {
  return pageOfRows((await listProjects(ctx)).items, asked, listed);
}

/** The names of the projects visible to the caller, by ID. */
export async function projectNamesOf(ctx: SignedIn): Promise<(id: number) => string> {
  const { items } = await listProjects(ctx);
  const names = new Map(items.map(({ id, name }) => [id, name]));
  return (id) => names.get(id) ?? "";
}
