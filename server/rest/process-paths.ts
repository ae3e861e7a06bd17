import { z } from "zod";
import type { ZodOpenApiPathsObject } from "zod-openapi";
import { problemResponses } from "./problems.ts";

/** What a platform asks the process, for the OpenAPI document; these are no procedures. The same lie at the root. */
const tags = ["Operating"];
const jobs = z.enum(["running", "stuck", "inngest"]).meta({
  description: "Whether the background work of this process goes on, or is Inngest's",
});

export const processPaths: ZodOpenApiPathsObject = {
  "/health": {
    get: {
      operationId: "process.health",
      tags,
      summary: "Whether the process lives",
      description: "Also at /health. It asks nothing of the database.",
      security: [],
      responses: {
        "200": {
          description: "OK",
          content: { "application/json": { schema: z.object({ status: z.literal("up") }) } },
        },
        ...problemResponses(["method_not_allowed"]),
      },
    },
  },
  "/ready": {
    get: {
      operationId: "process.ready",
      tags,
      summary: "Whether requests should be sent to this process",
      description: "Also at /ready. The answer may be a second old.",
      security: [],
      responses: {
        "200": {
          description: "OK",
          content: { "application/json": { schema: z.object({ status: z.literal("ready"), jobs }) } },
        },
        ...problemResponses(["method_not_allowed"]),
        "503": {
          description: "Not ready",
          content: {
            "application/problem+json": {
              schema: z.object({
                type: z.string(),
                title: z.string(),
                status: z.literal(503),
                detail: z.string(),
                reason: z.enum(["stopping", "database", "migrations"]),
                jobs,
              }),
            },
          },
        },
      },
    },
  },
  "/metrics": {
    get: {
      operationId: "process.metrics",
      tags,
      summary: "What this process has counted, and what waits in the database",
      description:
        "Also at /metrics, in Prometheus' text format. For Admins, and for whoever sends METRICS_TOKEN as a bearer.",
      security: [{ session: [] }, { bearer: [] }],
      responses: {
        "200": { description: "OK", content: { "text/plain": { schema: z.string() } } },
        ...problemResponses(["unauthenticated", "forbidden", "rate_limited"]),
      },
    },
  },
};
