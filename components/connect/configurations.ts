/** How one assistant is told of the service: what to run, or what to write into which file. */
export type Configuration = {
  /** Of the client. */
  name: string;
  /** Where it belongs; stands above the text. */
  label: string;
  text: string;
  /** What to know beside it. */
  note?: string;
  /** Whether the key stands in the text. */
  holdsKey: boolean;
};

/** Stands where the key belongs until there is one. */
export const keyPlaceholder = "sk-svc_YOUR_API_KEY";

/** How most clients are told of a server that is reached by HTTP. */
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

/** The configurations of well-known assistants, against the service at an address (`https://…`, no slash at the end). */
export function configurationsFor(rawKey: string, origin: string): Configuration[] {
  const url = `${origin}/svc/mcp`;
  const authorization = `Bearer ${rawKey}`;
  return [
    {
      name: "Claude Code",
      label: "In a shell",
      text: `claude mcp add --transport http plumbline '${url}' \\\n  --header 'Authorization: ${authorization}'`,
      note: "For everybody who works on a repository, write the JSON of “Other clients” into its .mcp.json, and name an environment variable in place of the key.",
      holdsKey: true,
    },
    {
      name: "Claude Desktop",
      label: "claude_desktop_config.json",
      text: json({ mcpServers: { plumbline: byProgram(url, authorization) } }),
      note: "Claude Desktop starts a program, which needs Node.js and calls the service in its place.",
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
      note: "VS Code asks for the key once and keeps it for itself: the file can be shared.",
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
      label: "In a shell: the tools that the key may use",
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

/** The header comes from the environment, since some systems cut arguments at a space. */
const byProgram = (url: string, authorization: string) => ({
  command: "npx",
  args: [
    ...["-y", "mcp-remote", url, "--transport", "http-only"],
    ...["--header", `Authorization:\${PLUMBLINE_AUTHORIZATION}`],
    ...(isPlainAndFar(url) ? ["--allow-http"] : []),
  ],
  env: { PLUMBLINE_AUTHORIZATION: authorization },
});

/** Over plain HTTP the program goes to this machine alone, unless it is told that it may go further. */
function isPlainAndFar(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === "http:" && !["localhost", "127.0.0.1", "[::1]"].includes(hostname);
}
