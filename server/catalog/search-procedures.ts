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
import { toldHits } from "./tool-answers.ts";

export const searchProcedures = {
  search: procedureFor("everything:read")
    .meta({
      rest: {
        method: "GET",
        path: "/search",
        tag: "Search",
        summary: "Tables, columns, queries, contracts, and AI actors by name or description",
        description:
          "Best match first: the exact name, then names that start with the text or contain its words, then " +
          "misspelled names, then descriptions. All words must match. `%` and `_` match themselves.",
      },
    })
    .input(searchInput)
    .output(searchPageSchema)
    .query(({ ctx, input }) => searchCatalog(ctx, input)),

  /** The same for MCP, limited to one project. */
  find: procedureFor("everything:read")
    .meta({
      tool: {
        name: "search",
        title: "Search",
        description: "Find tables, columns, queries, contracts, or actors by name or description",
        annotations: { readOnlyHint: true },
        answer: toldHits,
        text: (found: Found) => foundText(found),
      },
    })
    .input(findInput)
    .output(foundSchema)
    .query(({ ctx, input }) => findInProject(ctx, input)),

  /** For search as you type: the best results of each kind. */
  glance: procedureFor("everything:read")
    .input(glanceInput)
    .output(glanceSchema)
    .query(({ ctx, input }) => glanceAtCatalog(ctx, input)),
};
