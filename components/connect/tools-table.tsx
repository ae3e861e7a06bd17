import type { Scope } from "@/server/auth/schema.ts";
import { Badge } from "../ui/badge.tsx";
import { Table, Td, Th, Thead, Tr } from "../ui/table.tsx";

export type ListedTool = { name: string; title: string; description: string; scope: Scope };

/** The tools an assistant gets with the current user's key: the same list that the MCP server returns. */
export function ToolsTable({ tools }: { tools: readonly ListedTool[] }) {
  return (
    <section aria-labelledby="connect-tools" className="min-w-0">
      <h2
        id="connect-tools"
        className="flex items-baseline gap-3 pb-2 text-base font-semibold tracking-tight"
      >
        What it can do then
        <span className="text-sm font-normal text-ink-3 tabular-nums">{tools.length} tools</span>
      </h2>
      <Table label="Tools">
        <Thead>
          <tr>
            <Th>Tool</Th>
            <Th className="hidden sm:table-cell">Description given to the assistant</Th>
            <Th>Scope</Th>
          </tr>
        </Thead>
        <tbody>
          {tools.map(({ name, title, description, scope }) => (
            <Tr key={name}>
              <Td className="align-top whitespace-normal">
                <span className="font-mono text-[13px]">{name}</span>
                <span className="block text-xs text-ink-3">{title}</span>
              </Td>
              <Td className="hidden py-1.5 align-top whitespace-normal text-ink-2 sm:table-cell">
                {description}
              </Td>
              <Td className="align-top">
                <Badge tone={scope === "Read" ? "neutral" : "accent"}>{scope}</Badge>
              </Td>
            </Tr>
          ))}
        </tbody>
      </Table>
      <p className="pt-2 text-ink-2">
        It can also read each project’s documentation, schema, quality, and report as resources, and it has
        prompts for common questions. No tool changes data or decides on a plan or change.
      </p>
    </section>
  );
}
