import { expect, test } from "vitest";
import { snippetsFor } from "./snippets.ts";

const rawKey = `sk-svc_${"x".repeat(43)}`;
const snippets = Object.fromEntries(
  snippetsFor(rawKey, "https://plumbline.example").map(({ name, text }) => [name, text]),
);

test("the curl command can be pasted and run as is", () => {
  expect(snippets.curl).toBe(
    `curl --fail-with-body 'https://plumbline.example/svc/api/data-quality/overview' \\\n  --header 'Authorization: Bearer ${rawKey}'`,
  );
});

test("the MCP client configuration is JSON with the endpoint and the key", () => {
  expect(JSON.parse(snippets["MCP client"] ?? "")).toEqual({
    mcpServers: {
      plumbline: {
        type: "http",
        url: "https://plumbline.example/svc/mcp",
        headers: { Authorization: `Bearer ${rawKey}` },
      },
    },
  });
});

test("files meant for a repository do not contain the key", () => {
  expect(snippets.CI).toMatch(/PLUMBLINE_API_KEY: \$\{\{ secrets\.PLUMBLINE_API_KEY \}\}/);
  expect(snippets.CI).toContain('"Authorization: Bearer $PLUMBLINE_API_KEY"');
  expect(snippets.CI).not.toContain("sk-svc_");
  expect(snippets.JavaScript).not.toContain("sk-svc_");
});
