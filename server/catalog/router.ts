import { procedureFor, router } from "../trpc.ts";
import { browseProcedures } from "./browse-procedures.ts";
import { overviewText } from "./overview-text.ts";
import {
  markdownSchema,
  overviewInput,
  overviewSchema,
  type ProjectOverview,
  pageInput,
  projectDocumentationInput,
  sourceDocumentationInput,
  sourceDocumentationSchema,
} from "./schema.ts";
import { searchProcedures } from "./search-procedures.ts";
import { documentDataSource, documentProject } from "./service/document-sources.ts";
import { getProjectOverview } from "./service/project-overview.ts";
import { getPage } from "./service/project-pages.ts";
import { toldOverview } from "./tool-answers.ts";

export const catalogRouter = router({
  ...searchProcedures,
  overview: procedureFor("everything:read")
    .meta({
      tool: {
        name: "get_context",
        title: "Overview",
        description:
          "Start here: the project, its data sources, their tables, and each table's quality score (0-100) and trend.",
        annotations: { readOnlyHint: true },
        answer: toldOverview,
        text: (overview: ProjectOverview) => overviewText(overview),
      },
    })
    .input(overviewInput)
    .output(overviewSchema)
    .query(({ ctx, input }) => getProjectOverview(ctx, input.projectId)),

  documentation: procedureFor("everything:read")
    .meta({
      rest: {
        method: "GET",
        path: "/data-sources/{id}/documentation",
        tag: "Data sources",
        summary: "Tables, columns, and quality scores, in Markdown",
        description:
          "Optionally one schema or one table. With very many tables, only the first include columns.",
        problems: ["rejected", "source_unreachable", "source_timeout"],
      },
    })
    .input(sourceDocumentationInput)
    .output(sourceDocumentationSchema)
    .query(({ ctx, input }) => documentDataSource(ctx, input)),

  projectDocumentation: procedureFor("everything:read")
    .meta({
      tool: {
        name: "get_documentation",
        title: "Documentation",
        description:
          "Columns, types, keys, comments, row estimates, and quality of tables, in Markdown. Read it before writing SQL.",
        annotations: { readOnlyHint: true },
        answer: markdownSchema,
        text: ({ markdown }: { markdown: string }) => markdown,
      },
    })
    .input(projectDocumentationInput)
    .output(markdownSchema)
    .query(({ ctx, input }) => documentProject(ctx, input)),

  /** The content of MCP resources. */
  page: procedureFor("everything:read")
    .input(pageInput)
    .output(markdownSchema)
    .query(({ ctx, input }) => getPage(ctx, input.projectId, input.page)),

  ...browseProcedures,
});
