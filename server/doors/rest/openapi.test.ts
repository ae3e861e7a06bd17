import { createConfig, lintFromString } from "@redocly/openapi-core";
import { Validator } from "@seriousme/openapi-schema-validator";
import { expect, test } from "vitest";
import { openApiDocument } from "./openapi.ts";
import { withOtherMethods } from "./other-paths.ts";
import { findRoute, routes } from "./routes.ts";

test("an independent validator accepts the document as OpenAPI 3.1", async () => {
  const result = await new Validator().validate(JSON.parse(JSON.stringify(openApiDocument())));
  expect(result.errors ?? []).toEqual([]);
  expect(result.valid).toBe(true);
});

/**
 * Redocly's recommended rules report one thing, which cannot be avoided: the API has `/ai-actors/{id}/pause` as well as
 * `/ai-actors/plans/{id}`, and likewise for findings and their scans. No request matches both, because ids are digits.
 */
const alike = /^\/(ai-actors|data-quality\/findings)\/(\{id\}\/[a-z-]+|(plans|executions|scans)\/\{id\})$/;

test("Redocly's recommended rules report nothing else", async () => {
  const config = await createConfig({ extends: ["recommended"] });
  const problems = await lintFromString({
    source: JSON.stringify(openApiDocument()),
    absoluteRef: "v1.json",
    config,
  });
  const isAlike = ({ ruleId, message }: (typeof problems)[number]) =>
    ruleId === "no-ambiguous-paths" &&
    [...message.matchAll(/`([^`]+)`/g)].every(([, path = ""]) => alike.test(path));
  const found = problems.filter((problem) => !isAlike(problem));
  expect(
    found.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`),
  ).toEqual([]);
  expect(problems).toHaveLength(7);
});

test("a path that seems to match two of these templates matches neither", () => {
  for (const path of ["/ai-actors/plans/pause", "/ai-actors/executions/pause"])
    expect(findRoute("POST", path)).toMatchObject({ match: null, methods: [] });
});

test("every route is in the document, with its own operation id, permission, and tag", () => {
  const { paths } = openApiDocument();
  for (const route of routes) {
    const item = paths?.[route.path] as Record<string, Record<string, unknown>>;
    expect(item[route.method.toLowerCase()]).toMatchObject({
      operationId: route.procedure,
      "x-permission": route.permission,
      tags: [route.tag],
    });
  }
});

test("timestamps, ids in paths, and query defaults are described as they are on the wire", () => {
  const document = JSON.parse(JSON.stringify(openApiDocument()));
  expect(document.components.schemas.Project.properties.createdAt).toMatchObject({
    type: "string",
    format: "date-time",
  });
  expect(document.paths["/projects/{id}"].get.parameters).toMatchObject([
    { in: "path", name: "id", required: true, schema: { type: "integer" } },
  ]);
});

test("the REST API knows the methods of every path that is not a procedure", () => {
  // Paths that the process handles before the API does.
  const probes = ["/health", "/ready"];
  for (const [path, item] of Object.entries(openApiDocument().paths ?? {})) {
    if (probes.includes(path)) continue;
    const concrete = path.replaceAll(/\{\w+\}/g, "1");
    const { methods } = withOtherMethods(concrete, findRoute("TRACE", concrete));
    expect(methods, path).toEqual(
      expect.arrayContaining(Object.keys(item ?? {}).map((method) => method.toUpperCase())),
    );
  }
});
