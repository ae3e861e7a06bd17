import { redirect } from "next/navigation";
import type { SearchParams } from "nuqs/server";
import { loadProject, withProject } from "@/components/projects/project-filter.ts";

export default async function StartPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const { project } = await loadProject(searchParams);
  redirect(withProject("/home", project));
}
