"use client";
import { useProject } from "@/components/projects/use-project.ts";
import { plural } from "@/components/ui/format.ts";
import { Link } from "@/components/ui/link.tsx";
import { Name } from "@/components/ui/name.tsx";
import type { Lineage, LineageEdge, LineageNode } from "@/server/lineage/schema.ts";
import { columnWords, stepWords, viaWords } from "./lineage-words.ts";
import { NodeState } from "./node-state.tsx";

/** The same as the picture, in words: step by step, each table with how it is known and its columns. */
export function LineageList({ lineage, fits }: { lineage: Lineage; fits: (node: LineageNode) => boolean }) {
  const shown = lineage.nodes.filter((node) => node.step !== 0 && fits(node));
  const steps = [...new Set(shown.map(({ step }) => step))].sort((a, b) => a - b);
  if (shown.length === 0) return <p className="border-t py-3 text-ink-2">No table or query matches.</p>;
  return (
    <div className="grid gap-4">
      {steps.map((step) => (
        <section key={step} aria-label={stepWords(step)}>
          <h3 className="pb-1 text-xs font-medium text-ink-2">{stepWords(step)}</h3>
          <ul className="border-t">
            {shown
              .filter((node) => node.step === step)
              .map((node) => (
                <li key={node.key} className="border-b py-1.5">
                  <LineageFacts node={node} lineage={lineage} />
                </li>
              ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

/** One table or query: its state, and what connects it to the others. */
export function LineageFacts({ node, lineage }: { node: LineageNode; lineage: Lineage }) {
  const { href } = useProject();
  const nameOf = (key: string) => lineage.nodes.find((each) => each.key === key)?.name ?? "";
  const edges = lineage.edges.filter(({ from, to }) => from === node.key || to === node.key);
  return (
    <>
      <div className="flex flex-wrap items-baseline gap-x-3">
        <Link
          href={href(node.path)}
          className="inline-block py-0.5 wrap-anywhere font-medium underline underline-offset-2"
        >
          <Name>{node.name}</Name>
        </Link>
        <span className="text-xs text-ink-3">
          {node.kind ?? "Table"}
          {node.dataSourceName !== null && ` in ${node.dataSourceName}`}
          {node.isWatched && ", watched"}
          {node.hasMore && ", and more beyond it"}
        </span>
        <NodeState node={node} />
      </div>
      {node.incident && (
        <p className="text-xs wrap-anywhere text-ink-2">
          <Link
            href={href(`/incidents/${node.incident.id}`)}
            className="inline-block py-1 underline underline-offset-2"
          >
            {node.incident.title}
          </Link>
        </p>
      )}
      {node.problem !== null && <p className="text-xs wrap-anywhere text-warning">{node.problem}</p>}
      <ul>
        {edges.map((edge) => (
          <li
            key={`${edge.from} ${edge.to} ${edge.via} ${edge.origin}`}
            className="text-xs wrap-anywhere text-ink-2"
          >
            {edge.to === node.key ? "from " : "into "}
            <Name>{nameOf(edge.to === node.key ? edge.from : edge.to)}</Name>
            <span className="text-ink-3">, {viaWords(edge)}</span>
            <Columns edge={edge} />
          </li>
        ))}
      </ul>
    </>
  );
}

const few = 4;

function Columns({ edge }: { edge: LineageEdge }) {
  const { made, deciding } = columnWords(edge.columns);
  const all = [...made, ...deciding.map((name) => `${name} (decides which rows)`)];
  if (all.length === 0) return null;
  const list = (names: readonly string[]) => <span className="font-mono">{names.join(", ")}</span>;
  if (all.length <= few) return <>: {list(all)}</>;
  return (
    <details>
      <summary className="cursor-pointer">{plural(all.length, "column")}</summary>
      {list(all)}
    </details>
  );
}
