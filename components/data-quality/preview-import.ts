import type { z } from "zod";
import type { importPreviewSchema } from "@/server/data-quality/odcs/schema.ts";

export type ImportPreview = z.output<typeof importPreviewSchema>;

/** Why a file can't be read, with each problem's location in it. */
export class PreviewFailure extends Error {
  readonly errors: { path: string; message: string }[];
  constructor(message: string, errors: { path: string; message: string }[] = []) {
    super(message);
    this.errors = errors;
  }
}

type ProblemBody = { detail?: string; title?: string; errors?: { path: string; message: string }[] };

/** What a file would create. Uses REST with the file as the body: it would not fit in a tRPC query's URL. */
export async function previewImport(dataSourceId: number, yaml: string): Promise<ImportPreview> {
  const path = `/svc/api/data-quality/contracts/import/preview?dataSourceId=${dataSourceId}`;
  return (await postForPreview(path, "application/yaml", yaml)) as ImportPreview;
}

/** Throws PreviewFailure. */
export async function postForPreview(path: string, type: string, body: string): Promise<unknown> {
  const response = await fetch(path, { method: "POST", headers: { "content-type": type }, body }).catch(
    () => null,
  );
  if (response === null)
    throw new PreviewFailure("The service did not answer. Check the connection, then try again.");
  const answer: unknown = await response.json().catch(() => null);
  if (response.ok && answer !== null) return answer;
  if (response.status === 413)
    throw new PreviewFailure("The files are too large to send. Use npx plumbline import instead.");
  const { detail, title, errors } = (answer ?? {}) as ProblemBody;
  throw new PreviewFailure(detail ?? title ?? `The service answered ${response.status}.`, errors);
}
