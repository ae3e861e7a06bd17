import { expect, test } from "vitest";
import { exampleCall, exampleOf } from "./example-call.ts";
import type { Call, Document, Schema } from "./open-api.ts";
import { restPages } from "./rest-page.ts";
import { schemaTable, typeOf } from "./schema-table.ts";

/** The reference of the REST API. */
const problem = {
  description: "Not found",
  content: { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } },
};
const document: Document = {
  info: { description: "Watches." },
  paths: {
    "/things/{id}": {
      put: {
        operationId: "things.update",
        tags: ["Some things"],
        summary: "Update a thing",
        description: "Keeps `name`.",
        "x-permission": "things:write",
        security: [{ session: [] }, { bearer: [] }],
        parameters: [
          { in: "path", name: "id", required: true, schema: { type: "integer", minimum: 1 } },
          {
            in: "query",
            name: "force",
            description: "Even if it is used",
            schema: { type: "boolean", default: false },
          },
        ],
        requestBody: {
          content: {
            "application/json": {
              schema: {
                type: "object",
                required: ["name"],
                properties: {
                  name: { type: "string", minLength: 1, maxLength: 200 },
                  note: { type: "string" },
                },
              },
            },
          },
        },
        responses: {
          "200": {
            description: "OK",
            content: { "application/json": { schema: { $ref: "#/components/schemas/Thing" } } },
          },
          "404": problem,
        },
      },
    },
  },
  components: {
    schemas: {
      Thing: { type: "object", required: ["id"], properties: { id: { type: "integer" } } },
      Problem: { type: "object", properties: {} },
    },
  },
};
const call: Call = {
  path: "/things/{id}",
  method: "PUT",
  operation: document.paths["/things/{id}"]?.put as Call["operation"],
};

test("an overview, a page for each tag, and the schemas", () => {
  const pages = restPages(document, "/svc/api");
  expect(pages.map(({ page }) => page)).toEqual([
    "rest-api.html",
    "rest-api-some-things.html",
    "rest-api-schemas.html",
  ]);
  const [overview, things] = pages.map(({ content }) => content.text);
  expect(overview).toContain('href="rest-api-some-things.html#things.update"');
  expect(overview).toContain("<td><code>404</code></td><td>Not found</td>");
  expect(things).toContain('<h2 id="things.update">Update a thing');
  expect(things).toContain("Keeps <code>name</code>.");
  expect(things).toContain("<code>things:write</code>");
  expect(things).toContain('<a href="rest-api.html#errors">404</a> Not found');
  expect(things).toContain("Even if it is used. Default: <code>false</code>");
});

test("the example takes the key, the path filled in, and only what is required", () => {
  expect(exampleCall(call, "/svc/api", document)).toBe(
    [
      'curl -sS -X PUT "$URL/svc/api/things/1"',
      '-H "Authorization: Bearer $KEY"',
      "-H 'Content-Type: application/json'",
      `-d '{"name":"text"}'`,
    ].join(" \\\n  "),
  );
});

test("where keys are not accepted, the example takes the session", () => {
  const own = { ...call, operation: { ...call.operation, security: [{ session: [] }] } };
  expect(exampleCall(own, "/svc/api", document)).toContain("-b cookies.txt");
  const open = { ...call, operation: { ...call.operation, security: [] } };
  expect(exampleCall(open, "/svc/api", document)).not.toMatch(/-b |Bearer/);
});

test("values of schemas", () => {
  const value = (schema: Schema) => exampleOf(schema, document);
  expect(value({ anyOf: [{ type: "null" }, { type: "integer", minimum: 5 }] })).toBe(5);
  expect(value({ type: "array", items: { type: "string" } })).toEqual([]);
  expect(value({ type: "array", minItems: 1, items: { $ref: "#/components/schemas/Thing" } })).toEqual([
    { id: 1 },
  ]);
  expect(value({ type: "string", enum: ["A", "B"] })).toBe("A");
  // What contains itself ends.
  const circular: Document = {
    ...document,
    components: { schemas: { Loop: { $ref: "#/components/schemas/Loop" } } },
  };
  expect(exampleOf({ $ref: "#/components/schemas/Loop" }, circular)).toBeNull();
});

test("fields of fields are listed with their path, bounds in words, and variants apart", () => {
  const table = schemaTable({
    type: "object",
    required: ["rules"],
    properties: {
      rules: {
        type: "array",
        minItems: 1,
        maxItems: 200,
        items: { type: "object", properties: { weight: { type: "number", minimum: 0, default: 1 } } },
      },
      target: {
        anyOf: [
          { type: "object", properties: { kind: { const: "A" }, a: { type: "string" } } },
          { type: "object", properties: { kind: { const: "B" }, b: { type: "string" } } },
        ],
      },
    },
  }).text.replaceAll(/<\/?(code|td|tr|span)[^>]*>/g, "");
  expect(table).toContain("rules requiredarray of object1 to 200 elements");
  expect(table).toContain("rules[].weightnumberAt least 0. Default: 1");
  expect(table).toContain("Variant of target with kind = &quot;A&quot;");
  expect(table).toContain("target.bstring");
});

test("of an answer, what may be missing is marked", () => {
  const schema: Schema = { type: "object", required: ["a"], properties: { a: {}, b: {} } };
  expect(schemaTable(schema, true).text.match(/required">\w+/g)).toEqual(['required">optional']);
  expect(schemaTable(schema).text.match(/required">\w+/g)).toEqual(['required">required']);
});

test("types in words", () => {
  const words = (schema: Schema) => typeOf(schema).text.replaceAll(/<[^>]+>/g, "");
  expect(words({ anyOf: [{ $ref: "#/components/schemas/Thing" }, { type: "null" }] })).toBe("Thing or null");
  expect(words({ type: "string", format: "date-time" })).toBe("string (date-time)");
  expect(words({ type: "object", additionalProperties: { type: "number" } })).toBe("map of number");
  expect(words({})).toBe("any JSON");
});
