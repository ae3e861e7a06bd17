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
 * Redocly's recommended rules find one thing, which cannot be otherwise: the interface has `/ai-actors/{id}/pause`
 * beside `/ai-actors/plans/{id}`. No request fits both, because an id is digits.
 */
const alike = /^\/ai-actors\/(\{id\}\/[a-z-]+|(plans|executions)\/\{id\})$/;

test("Redocly's recommended rules find nothing else", async () => {
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
  expect(problems).toHaveLength(3);
});

test("a path that two of them seem to fit is neither", () => {
  for (const path of ["/ai-actors/plans/pause", "/ai-actors/executions/pause"])
    expect(findRoute("POST", path)).toMatchObject({ match: null, methods: [] });
});

test("every route stands in the document, with its own operation id, permission and tag", () => {
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

test("timestamps, ids in paths and query defaults are described as they are on the wire", () => {
  const document = JSON.parse(JSON.stringify(openApiDocument()));
  expect(document.components.schemas.Project.properties.createdAt).toMatchObject({
    type: "string",
    format: "date-time",
  });
  expect(document.paths["/projects/{id}"].get.parameters).toMatchObject([
    { in: "path", name: "id", required: true, schema: { type: "integer" } },
  ]);
});

test("of every path that is no procedure's the door knows the methods", () => {
  // What the process answers before the door sees it.
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
