import { z } from "zod";
import { text } from "../../db/schema-parts.ts";
import { baseUrl } from "./parts.ts";

const projectId = text(100)
  .trim()
  .regex(/^([a-z0-9.-]+:)?[a-z][a-z0-9-]*$/, "must be the ID of a project, such as acme-analytics");

export const bigQueryConnection = z.strictObject({
  billingProject: projectId.meta({
    description: "The project in which queries run, and which pays for them",
  }),
  dataProject: projectId
    .optional()
    .meta({ description: "The project whose datasets are read, if it is another one" }),
  dataset: text(1024).trim().regex(/^\w+$/, "must be the name of a dataset").optional().meta({
    description: "The only dataset that is listed, and the one of tables that are named without one",
  }),
  location: text(40)
    .trim()
    .regex(/^[A-Za-z][A-Za-z0-9-]+$/, "must be a location, such as EU or europe-west3")
    .optional()
    .meta({ description: "Where the datasets are. Without it, BigQuery finds out for each query" }),
  maxBytesBilled: z
    .int()
    .min(100_000_000)
    .max(1_000_000_000_000_000)
    .default(10_000_000_000)
    .meta({ description: "The most bytes that one statement may bill; one that would read more is not run" }),
  endpoint: baseUrl.optional().meta({
    description:
      "Another address of the API: a private or regional endpoint of Google, or an emulator, which is never sent a token of Google",
  }),
});
/** The key file of a service account, or where it is kept. What else is in it is checked when it is used. */
function isKeyOrReference(text: string): boolean {
  if (text === "" || /^\{\{(env|file|vault):[^{}]*\}\}$/.test(text)) return true;
  try {
    return (JSON.parse(text) as { type?: unknown } | null)?.type === "service_account";
  } catch {
    return false;
  }
}

const serviceAccountKey = text(20_000)
  .trim()
  .refine(isKeyOrReference, "must be the content of a service account's JSON key file, or where it is kept");
export const bigQueryConnectionInput = bigQueryConnection.extend({
  serviceAccountKey: serviceAccountKey.optional().meta({
    description: "The key file of a service account, as JSON. Not needed by an emulator",
  }),
});
export type BigQueryConnection = z.output<typeof bigQueryConnection>;
