import { Validator } from "@seriousme/openapi-schema-validator";
import { expect, test } from "vitest";
import { openApiDocument } from "./openapi.ts";
import { routes } from "./rest-routes.ts";

test("an independent validator accepts the document as OpenAPI 3.1", async () => {
  const result = await new Validator().validate(JSON.parse(JSON.stringify(openApiDocument())));
  expect(result.errors ?? []).toEqual([]);
  expect(result.valid).toBe(true);
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
