import { mcpConfiguration } from "./configurations.ts";

/** A ready-to-paste example of using a key. */
export type Snippet = { name: string; label: string; text: string };

const variable = "PLUMBLINE_API_KEY";

/** All examples, for the origin this page was loaded from (`https://…`, no trailing slash). */
export function snippetsFor(rawKey: string, origin: string): Snippet[] {
  const overview = `${origin}/svc/api/data-quality/overview`;
  return [
    {
      name: "curl",
      label: "In a shell",
      text: [`curl --fail-with-body '${overview}' \\`, `  --header 'Authorization: Bearer ${rawKey}'`].join(
        "\n",
      ),
    },
    {
      name: "MCP client",
      label: "An assistant's mcp.json; it holds the key",
      text: JSON.stringify(mcpConfiguration(rawKey, origin), null, 2),
    },
    {
      name: "CI",
      label: "A GitHub Actions job; other systems are similar",
      text: [
        `# First store the key as the secret ${variable} of the repository.`,
        "jobs:",
        "  data-quality:",
        "    runs-on: ubuntu-latest",
        "    env:",
        `      ${variable}: \${{ secrets.${variable} }}`,
        "    steps:",
        "      - name: Scores of every table",
        "        run: |",
        `          curl --fail-with-body '${overview}' \\`,
        `            --header "Authorization: Bearer $${variable}"`,
      ].join("\n"),
    },
    {
      name: "JavaScript",
      label: `scores.mjs, which reads the key from the environment: ${variable}=… node scores.mjs`,
      text: [
        `const response = await fetch("${overview}", {`,
        `  headers: { Authorization: \`Bearer \${process.env.${variable}}\` },`,
        "});",
        "if (!response.ok) throw new Error(await response.text());",
        "const { items } = await response.json();",
        "for (const source of items) console.log(source.dataSourceName, source.averageScore);",
      ].join("\n"),
    },
  ];
}
