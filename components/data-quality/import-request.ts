import type { ImportPlan } from "@/server/data-quality/imports/schema.ts";
import type { CheckFile, FileKind } from "./import-files.ts";
import { postForPreview } from "./preview-import.ts";

/** What is sent of chosen files, by the tool that they are of. */
export type ImportRequest = { dataSourceId: number; again: boolean } & (
  | { tool: "dbt"; files: { manifest: unknown; runResults?: unknown; catalog?: unknown } }
  | { tool: "soda"; files: { path: string; yaml: string }[]; variables: Record<string, string> }
  | { tool: "gx"; files: { path: string; suite: unknown; table?: string }[] }
  | { tool: "odcs"; yaml: string }
);

const toolOf: Record<FileKind, ImportRequest["tool"]> = {
  ...{ manifest: "dbt", runResults: "dbt", catalog: "dbt" },
  ...{ soda: "soda", gx: "gx", odcs: "odcs" },
};

/** The files as one import, or why they cannot be one. */
export function requestOf(
  files: readonly CheckFile[],
  options: {
    dataSourceId: number;
    again: boolean;
    tables: Record<string, string>;
    variables: Record<string, string>;
  },
): ImportRequest | { problem: string } | null {
  const [first] = files;
  if (!first) return null;
  const { dataSourceId, again, tables, variables } = options;
  const [tool, ...others] = new Set(files.map(({ kind }) => toolOf[kind]));
  if (tool === undefined || others.length > 0)
    return { problem: "These files are of different tools. Import each tool's files on their own." };
  const one = (kind: FileKind) => files.filter((file) => file.kind === kind);
  const shared = { dataSourceId, again };
  if (tool === "dbt") {
    const [manifest, another] = one("manifest");
    if (!manifest) return { problem: "dbt's manifest.json is missing. It is in the folder target/." };
    if (another) return { problem: "There are two manifests. Import one dbt project at a time." };
    const [runResults] = one("runResults");
    const [catalog] = one("catalog");
    return {
      ...shared,
      tool,
      files: {
        manifest: manifest.content,
        ...(runResults && { runResults: runResults.content }),
        ...(catalog && { catalog: catalog.content }),
      },
    };
  }
  if (tool === "soda")
    return {
      ...shared,
      tool,
      variables,
      files: files.map(({ name, content }) => ({ path: name, yaml: String(content) })),
    };
  if (tool === "gx")
    return {
      ...shared,
      tool,
      files: files.map(({ name, content }) => {
        const table = tables[name]?.trim();
        return { path: name, suite: content, ...(table && { table }) };
      }),
    };
  if (files.length > 1) return { problem: "Import one data contract file at a time." };
  return { ...shared, tool, yaml: String(first.content) };
}

/** The body of an import of checks. */
export function bodyOf(request: Exclude<ImportRequest, { tool: "odcs" }>) {
  const { dataSourceId, again } = request;
  if (request.tool === "dbt") return { dataSourceId, again, ...request.files };
  if (request.tool === "soda")
    return { dataSourceId, again, files: request.files, variables: request.variables };
  return { dataSourceId, again, files: request.files };
}

/** What an import would change. By REST, because files do not fit in the address of a tRPC query. */
export async function previewChecks(request: Exclude<ImportRequest, { tool: "odcs" }>): Promise<ImportPlan> {
  const body = JSON.stringify(bodyOf(request));
  const path = `/svc/api/data-quality/imports/${request.tool}/preview`;
  return (await postForPreview(path, "application/json", body)) as ImportPlan;
}

/** Variables that Soda's files use, by their names. */
export function variablesOf(files: readonly CheckFile[]): string[] {
  const names = files
    .filter(({ kind }) => kind === "soda")
    .flatMap(({ content }) =>
      [...String(content).matchAll(/\$\{\s*(?:var\.)?([\w.]{1,100})\s*\}/g)].map(([, name]) => name ?? ""),
    );
  return [...new Set(names)].slice(0, 50);
}
