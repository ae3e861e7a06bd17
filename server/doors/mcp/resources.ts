import type { SignedIn } from "../../auth/principal.ts";
import { answeredProblem } from "../answered-problem.ts";
import { callProcedure } from "../call-procedure.ts";
import { ProtocolFault } from "./protocol-fault.ts";

/** A project's pages, in Markdown. */
const pages = {
  documentation: { title: "Documentation", description: "Tables, columns, keys, comments, and quality" },
  schema: { title: "Schema", description: "Every table with its columns and types" },
  quality: { title: "Quality", description: "The latest score and trend of every table" },
  report: { title: "Quality report", description: "Scores, contracts (worst first), and failing rules" },
};
const mimeType = "text/markdown";

export const resourceTemplates = Object.entries(pages).map(([page, { title, description }]) => ({
  uriTemplate: `svc://project/{id}/${page}`,
  name: `project-${page}`,
  ...{ title, description, mimeType },
}));

/** The pages of every project that the caller can see. */
export async function listResources(ctx: SignedIn) {
  const { items } = (await callProcedure(ctx, "projects.list", undefined)) as {
    items: { id: number; name: string }[];
  };
  return items.flatMap(({ id, name }) =>
    Object.entries(pages).map(([page, { title, description }]) => ({
      uri: `svc://project/${id}/${page}`,
      name: `project-${id}-${page}`,
      title: `${name}: ${title}`,
      ...{ description, mimeType },
    })),
  );
}

/** Throws ProtocolFault for unknown and invisible resources. */
export async function readResource(ctx: SignedIn, uri: string) {
  const [, id, page] = /^svc:\/\/project\/([1-9]\d{0,9})\/([a-z]+)$/.exec(uri) ?? [];
  if (id === undefined || page === undefined || !Object.hasOwn(pages, page))
    throw new ProtocolFault("resourceNotFound", "Resource not found", { uri });
  try {
    const input = { projectId: Number(id), page };
    const { markdown } = (await callProcedure(ctx, "catalog.page", input)) as { markdown: string };
    return [{ uri, mimeType, text: markdown }];
  } catch (error) {
    if (isOutOfRange(Number(id))) throw new ProtocolFault("resourceNotFound", "No project found", { uri });
    throw faultOf(error, ctx.requestId, uri);
  }
}

function faultOf(error: unknown, requestId: string, uri: string): ProtocolFault {
  const { code, detail } = answeredProblem(error, {
    requestId,
    failed: "A resource could not be read",
    about: { uri },
  });
  if (code === "not_found") return new ProtocolFault("resourceNotFound", "No project found", { uri });
  if (code === "internal") return new ProtocolFault("bug", detail, { requestId });
  return new ProtocolFault("refused", detail, { uri });
}

const isOutOfRange = (id: number) => id > 2_147_483_647;
