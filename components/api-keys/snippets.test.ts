import { expect, test } from "vitest";
import { snippetsFor } from "./snippets.ts";

const rawKey = `sk-svc_${"x".repeat(43)}`;
const snippets = Object.fromEntries(
  snippetsFor(rawKey, "https://plumbline.example").map(({ name, text }) => [name, text]),
);

test("the curl line is complete: it can be pasted and run", () => {
  expect(snippets.curl).toBe(
    `curl --fail-with-body 'https://plumbline.example/svc/api/data-quality/overview' \\\n  --header 'Authorization: Bearer ${rawKey}'`,
  );
});

test("the MCP client's configuration is JSON that names the door and the key", () => {
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

test("what ends up in a repository does not hold the key", () => {
  expect(snippets.CI).toMatch(/PLUMBLINE_API_KEY: \$\{\{ secrets\.PLUMBLINE_API_KEY \}\}/);
  expect(snippets.CI).toContain('"Authorization: Bearer $PLUMBLINE_API_KEY"');
  expect(snippets.CI).not.toContain("sk-svc_");
  expect(snippets.JavaScript).not.toContain("sk-svc_");
});
