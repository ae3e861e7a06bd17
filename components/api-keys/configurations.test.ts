import { expect, test } from "vitest";
import { configurationsFor, keyPlaceholder } from "./configurations.ts";

const rawKey = `sk-svc_${"x".repeat(43)}`;
const textsFor = (key: string, origin: string) =>
  Object.fromEntries(configurationsFor(key, origin).map(({ name, text }) => [name, text]));
const texts = textsFor(rawKey, "https://plumbline.example");
const read = (name: string) => JSON.parse(texts[name] ?? "");

test("commands can be pasted and run as is", () => {
  expect(texts["Claude Code"]).toBe(
    `claude mcp add --transport http plumbline 'https://plumbline.example/svc/mcp' \\\n  --header 'Authorization: Bearer ${rawKey}'`,
  );
  expect(texts["Try it"]?.replaceAll(/\s*\\\n\s*/g, " ")).toBe(
    `npx @modelcontextprotocol/inspector --cli 'https://plumbline.example/svc/mcp' --transport http --header 'Authorization: Bearer ${rawKey}' --method tools/list`,
  );
});

test("files are JSON with the endpoint and the key, in each client's format", () => {
  const url = "https://plumbline.example/svc/mcp";
  const headers = { Authorization: `Bearer ${rawKey}` };
  expect(read("Other clients")).toEqual({ mcpServers: { plumbline: { type: "http", url, headers } } });
  expect(read("Cursor")).toEqual({ mcpServers: { plumbline: { url, headers } } });
  expect(read("VS Code")).toMatchObject({
    inputs: [{ id: "plumbline-key", password: true }],
    servers: {
      plumbline: { type: "http", url, headers: { Authorization: `Bearer \${input:plumbline-key}` } },
    },
  });
  expect(read("Claude Desktop")).toEqual({
    mcpServers: {
      plumbline: {
        command: "npx",
        args: [
          ...["-y", "mcp-remote", url, "--transport", "http-only"],
          ...["--header", `Authorization:\${PLUMBLINE_AUTHORIZATION}`],
        ],
        env: { PLUMBLINE_AUTHORIZATION: `Bearer ${rawKey}` },
      },
    },
  });
});

test("plain HTTP to another machine must be allowed explicitly", () => {
  const allows = (origin: string) => textsFor(rawKey, origin)["Claude Desktop"]?.includes("--allow-http");
  expect(["http://192.0.2.1:3000", "http://plumbline.local"].map(allows)).toEqual([true, true]);
  expect(["http://localhost:3000", "http://[::1]:3000", "https://plumbline.example"].map(allows)).toEqual([
    ...[false, false, false],
  ]);
});

test("each says whether it contains the key", () => {
  for (const { name, text, holdsKey } of configurationsFor(rawKey, "https://plumbline.example"))
    expect(text.includes(rawKey), name).toBe(holdsKey);
  expect(keyPlaceholder).toMatch(/^sk-svc_[A-Z_]+$/);
});
