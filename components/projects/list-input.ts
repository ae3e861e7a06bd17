import { createLoader } from "nuqs/server";
import { sortsOf } from "@/server/lists/sorts.ts";
import { listParameters } from "../ui/list-input.ts";

/** Filters of the list of projects, in the URL. */
export const projectParameters = listParameters(sortsOf.projects);

export const loadProjectFilters = createLoader(projectParameters);
