import { procedureFor } from "../trpc.ts";
import { foundText } from "./found-text.ts";
import {
  type Found,
  findInput,
  foundSchema,
  glanceInput,
  glanceSchema,
  searchInput,
  searchPageSchema,
} from "./schema.ts";
import { findInProject, glanceAtCatalog, searchCatalog } from "./service/search.ts";

export const searchProcedures = {
  search: procedureFor("everything:read")
    .meta({
      rest: {
        method: "GET",
        path: "/search",
        tag: "Search",
        summary: "Tables, columns, queries, contracts and AI actors by name or description",
        description:
          "The best first: the name itself, then names that begin with the text or hold its words, then names that " +
          "were mistyped, then descriptions. All words must fit. `%` and `_` are signs like any other.",
      },
    })
    .input(searchInput)
    .output(searchPageSchema)
    .query(({ ctx, input }) => searchCatalog(ctx, input)),

  /** The same in the words of tools, and within one project. */
  find: procedureFor("everything:read")
    .meta({
      tool: {
        name: "search",
        title: "Search",
        description: "Find tables, columns, queries, contracts, actors by name or description",
        annotations: { readOnlyHint: true },
        leavesOut: ["items.projectId"],
        text: (found: Found) => foundText(found),
      },
    })
    .input(findInput)
    .output(foundSchema)
    .query(({ ctx, input }) => findInProject(ctx, input)),

  /** While somebody types: the best few of each kind. */
  glance: procedureFor("everything:read")
    .input(glanceInput)
    .output(glanceSchema)
    .query(({ ctx, input }) => glanceAtCatalog(ctx, input)),
};
