import { expect, test } from "vitest";
import { type ApiDocument, type JsonSchema, limitsText, schemasOf, typeText } from "./document.ts";
import { curlOf } from "./example.ts";

test.each([
  [{ type: "integer" }, "integer"],
  [{ $ref: "#/components/schemas/Rule" }, "Rule"],
  [{ type: "array", items: { $ref: "#/components/schemas/Rule" } }, "Rule[]"],
  [{ anyOf: [{ type: "string", format: "date-time" }, { type: "null" }] }, "string (date-time) or null"],
  [{ type: "string", enum: ["Low", "High"] }, '"Low" | "High"'],
  [{ type: "array", items: { enum: ["Low", "High"] } }, '("Low" | "High")[]'],
])("%j reads as %s", (schema, text) => {
  expect(typeText(schema)).toBe(text);
});

test("limits and defaults are shown, but not the range of an integer type", () => {
  expect(limitsText({ type: "integer", minimum: 1, maximum: 500, default: 20 })).toBe("1 to 500, default 20");
  expect(limitsText({ type: "integer", minimum: 1, maximum: 2_147_483_647 })).toBe("");
});

test("a curl example sends the required body", () => {
  const document: ApiDocument = { info: { title: "T" }, servers: [{ url: "http://x/svc/api" }], paths: {} };
  const operation = {
    operationId: "a.b",
    responses: {},
    security: [{ bearer: [] }],
    requestBody: {
      content: {
        "application/json": {
          schema: {
            type: "object",
            properties: { name: { type: "string" }, note: { type: "string" } },
            required: ["name"],
          },
        },
      },
    },
  };
  expect(curlOf({ method: "PUT", path: "/things/{id}", operation }, document)).toBe(
    [
      'curl -X PUT -H "Authorization: Bearer $PLUMBLINE_KEY" \\',
      "  -H 'Content-Type: application/json' \\",
      "  -d '{",
      '  "name": "name"',
      "}' \\",
      "  'http://x/svc/api/things/1'",
    ].join("\n"),
  );
});

test("a tag's page shows the schemas that its endpoints use, also within others, each once, but not that of problems", () => {
  const of = (name: string) => ({ $ref: `#/components/schemas/${name}` });
  const list = { type: "array", items: of("Row") };
  const document: ApiDocument = {
    ...{ info: { title: "T" }, servers: [], paths: {} },
    components: {
      schemas: {
        ...{ Problem: { type: "object" }, Unused: { type: "object" }, Cell: { type: "string" } },
        ...{
          Table: { properties: { rows: list, next: of("Table") } },
          Row: { properties: { cells: of("Cell") } },
        },
      },
    },
  };
  const answer = (schema: JsonSchema) => ({ description: "", content: { "application/json": { schema } } });
  const operation = {
    operationId: "tables.read",
    responses: { "200": answer(of("Table")), "404": answer(of("Problem")) },
  };
  const used = schemasOf([{ method: "GET", path: "/table", operation }], document);
  expect(used.map(([name]) => name)).toEqual(["Cell", "Row", "Table"]);
});
