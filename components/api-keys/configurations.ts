/** How to add the service to one AI assistant: a command to run, or a file's content. */
export type Configuration = {
  /** The client's name. */
  name: string;
  /** Where it goes; shown above the text. */
  label: string;
  text: string;
  /** A note shown next to it. */
  note?: string;
  /** Whether the text contains the key. */
  holdsKey: boolean;
};

/** Placeholder until there is a key. */
export const keyPlaceholder = "sk-svc_YOUR_API_KEY";

/** The format most clients use for an HTTP server. */
export const mcpConfiguration = (rawKey: string, origin: string) => ({
  mcpServers: {
    plumbline: {
      type: "http",
      url: `${origin}/svc/mcp`,
      headers: { Authorization: `Bearer ${rawKey}` },
    },
  },
});

const json = (value: unknown) => JSON.stringify(value, null, 2);

/** Configurations for well-known assistants, for the service's origin (`https://…`, no trailing slash). */
export function configurationsFor(rawKey: string, origin: string): Configuration[] {
  const url = `${origin}/svc/mcp`;
  const authorization = `Bearer ${rawKey}`;
  return [
    {
      name: "Claude Code",
      label: "In a shell",
      text: `claude mcp add --transport http plumbline '${url}' \\\n  --header 'Authorization: ${authorization}'`,
      note: "To share the setup in a repository, put the JSON from “Other clients” into its .mcp.json, with an environment variable in place of the key.",
      holdsKey: true,
    },
    {
      name: "Claude Desktop",
      label: "claude_desktop_config.json",
      text: json({ mcpServers: { plumbline: byProgram(url, authorization) } }),
      note: "Claude Desktop starts a local bridge, which needs Node.js.",
      holdsKey: true,
    },
    {
      name: "VS Code",
      label: ".vscode/mcp.json",
      text: json({
        inputs: [
          { type: "promptString", id: "plumbline-key", description: "API key of Plumbline", password: true },
        ],
        servers: {
          plumbline: { type: "http", url, headers: { Authorization: `Bearer \${input:plumbline-key}` } },
        },
      }),
      note: "VS Code asks for the key once and stores it, so the file can be shared.",
      holdsKey: false,
    },
    {
      name: "Cursor",
      label: ".cursor/mcp.json, or ~/.cursor/mcp.json for every project",
      text: json({ mcpServers: { plumbline: { url, headers: { Authorization: authorization } } } }),
      holdsKey: true,
    },
    {
      name: "Other clients",
      label: "mcp.json",
      text: json(mcpConfiguration(rawKey, origin)),
      note: "Streamable HTTP. Gemini CLI says httpUrl in place of url, Windsurf serverUrl, both without type; a client that can only start a program takes what Claude Desktop does.",
      holdsKey: true,
    },
    {
      name: "Try it",
      label: "In a shell: the tools the key can use",
      text: [
        "npx @modelcontextprotocol/inspector --cli \\",
        `  '${url}' --transport http \\`,
        `  --header 'Authorization: ${authorization}' \\`,
        "  --method tools/list",
      ].join("\n"),
      note: "The protocol's own inspector, which needs Node.js 22.",
      holdsKey: true,
    },
  ];
}

/** The header comes from the environment, since some systems split arguments at spaces. */
const byProgram = (url: string, authorization: string) => ({
  command: "npx",
  args: [
    ...["-y", "mcp-remote", url, "--transport", "http-only"],
    ...["--header", `Authorization:\${PLUMBLINE_AUTHORIZATION}`],
    ...(isPlainAndFar(url) ? ["--allow-http"] : []),
  ],
  env: { PLUMBLINE_AUTHORIZATION: authorization },
});

/** By default, the program allows plain HTTP only to the local machine. */
function isPlainAndFar(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === "http:" && !["localhost", "127.0.0.1", "[::1]"].includes(hostname);
}
