import { z } from "zod";
import type { ZodOpenApiPathsObject } from "zod-openapi";
import { problemResponses } from "./problems.ts";

/** Probes and metrics, for the OpenAPI document; these are not procedures. Also served at the root. */
const tags = ["Operating"];
const jobs = z.enum(["running", "stuck", "inngest"]).meta({
  description: "Whether background jobs run in this process, or on Inngest",
});

export const processPaths: ZodOpenApiPathsObject = {
  "/health": {
    get: {
      operationId: "process.health",
      tags,
      summary: "Whether the process is alive",
      description: "Also at /health. Does not use the database.",
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
      summary: "Whether this process is ready for requests",
      description: "Also at /ready. The result is cached for up to a second.",
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
      summary: "Metrics of this process and the backlog in the database",
      description:
        "Also at /metrics, in Prometheus text format. For Admins, or with METRICS_TOKEN as a bearer token.",
      security: [{ session: [] }, { bearer: [] }],
      responses: {
        "200": { description: "OK", content: { "text/plain": { schema: z.string() } } },
        ...problemResponses(["unauthenticated", "forbidden", "rate_limited"]),
      },
    },
  },
};
