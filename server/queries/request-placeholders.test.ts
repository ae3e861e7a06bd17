import { describe, expect, test } from "vitest";
import type { SourceRequest } from "../data-sources/engines/engine.ts";
import { bindRequest } from "./request-placeholders.ts";
import type { ParameterValue } from "./schema.ts";

const request = (more: Partial<SourceRequest>): SourceRequest => ({
  method: "POST",
  path: "/orders",
  ...more,
});

function errorsOf(given: SourceRequest, parameters: Record<string, ParameterValue>): unknown {
  try {
    bindRequest(given, parameters);
  } catch (problem) {
    const { code, more } = problem as { code: string; more: { errors: unknown } };
    expect(code).toBe("invalid");
    return more.errors;
  }
  return "no error";
}

test("values are encoded in the path, text in the query, and typed in the body", () => {
  const bound = bindRequest(
    request({
      path: "/shops/{{ shop }}/orders-{{n}}",
      query: { from: "{{from}}", note: "n={{n}}", gone: "{{nothing}}", fixed: "x" },
      body: { n: "{{n}}", yes: ["{{yes}}", "{{ nothing }}", "{{n}} of {{from}}{{nothing}}", 1.5, null] },
      rowsPath: "data.items",
    }),
    { shop: "a/b ü?#&", n: 7, from: "2024-01-01&x=1", yes: true, nothing: null },
  );
  expect(bound).toEqual({
    method: "POST",
    path: "/shops/a%2Fb%20%C3%BC%3F%23%26/orders-7",
    query: { from: "2024-01-01&x=1", note: "n=7", fixed: "x" },
    body: { n: 7, yes: [true, null, "7 of 2024-01-01&x=1", 1.5, null] },
    rowsPath: "data.items",
  });
});

test("values that look like placeholders or patterns are taken literally", () => {
  const bound = bindRequest(request({ body: ["{{a}}", "{{a}} {{b}}"] }), { a: "{{b}}", b: "$& $1" });
  expect(bound.body).toEqual(["{{b}}", "{{b}} $& $1"]);
});

describe("a value that is invalid in a path", () => {
  test.each([
    ["/a/{{x}}", ".."],
    ["/a/{{x}}", "."],
    ["/a/.{{x}}", "."],
    ["/a/{{x}}", "../admin"],
    ["/a/{{x}}", "b/../../admin"],
    ["/a/{{x}}", "%2e%2e"],
    ["/a/{{x}}", "..\\admin"],
    ["/a/{{x}}", "//evil.example"],
    ["/a/{{x}}", "a\nb"],
    ["/a/{{x}}", ""],
    ["/a/{{x}}/b", null],
  ])("%s with %j", (path, x) => {
    expect(errorsOf(request({ path }), { x })).toEqual([
      { path: "parameters.x", message: expect.stringMatching(/^must /) },
    ]);
  });

  test("a value may be empty within a longer segment, and dots are allowed within a name", () => {
    expect(bindRequest(request({ path: "/a/v{{x}}/{{y}}" }), { x: "", y: "a..b" }).path).toBe("/a/v/a..b");
  });
});

test("missing and unknown values are each named once", () => {
  const given = request({ path: "/{{a}}/{{a}}", query: { x: "{{toString}}" }, body: "{{a}}" });
  expect(errorsOf(given, { b: 1, constructor: 2 })).toEqual([
    { path: "parameters.a", message: "is required by the request" },
    { path: "parameters.toString", message: "is required by the request" },
    { path: "parameters.b", message: "is not in the request" },
    { path: "parameters.constructor", message: "is not in the request" },
  ]);
});

test.each([
  [{ path: "/{{a" }, "request.path", "contains {{ without"],
  [{ path: "/../{{a}}" }, "request.path", "must not contain . or .."],
  [{ query: { x: "{{a b}}" } }, "request.query.x", "contains {{ without"],
  [{ query: { "{{a}}": "x" } }, "request.query", "in a name"],
  [{ body: { list: [{ x: "{{1}}" }] } }, "request.body.list.0.x", "contains {{ without"],
  [{ body: { "{{a}}": 1 } }, "request.body", "in a name"],
  [{ rowsPath: "data.{{a}}" }, "request.rowsPath", "in a name"],
] as [Partial<SourceRequest>, string, string][])("%j cannot be bound", (given, path, message) => {
  expect(errorsOf(request(given), { a: "v" })).toContainEqual({
    path,
    message: expect.stringContaining(message),
  });
});

test("names of built-in object properties work like any other", () => {
  const body = JSON.parse('{"__proto__": "{{a}}", "constructor": 1}');
  const bound = bindRequest(request({ body }), { a: 1 });
  expect(JSON.stringify(bound.body)).toBe('{"__proto__":1,"constructor":1}');
});
