"use client";
import { type KeyboardEvent, useRef } from "react";
import { cn } from "@/components/ui/class-names.ts";
import { Name } from "@/components/ui/name.tsx";
import type { Lineage, LineageEdge, LineageNode } from "@/server/lineage/schema.ts";
import { boxSize, curveOf, layoutOf, nextOf, type Placed } from "./lineage-layout.ts";
import { placeWords } from "./lineage-words.ts";
import { NodeState, stateKind } from "./node-state.tsx";

/**
 * The picture: upstream on the left. A table is a button that shows what is known of it; arrow keys go from one to the next.
 * What does not fit the search is faint.
 */
export function LineageGraph({
  lineage,
  selected,
  onSelect,
  isFaint,
}: {
  lineage: Lineage;
  selected: string | null;
  onSelect: (key: string) => void;
  isFaint: (node: LineageNode) => boolean;
}) {
  const { placed, width, height } = layoutOf(lineage);
  const boxes = useRef(new Map<string, HTMLButtonElement>());
  const at = new Map(placed.map((each) => [each.node.key, each]));
  const start = placed.find(({ node }) => node.step === 0)?.node.key;
  const move = (event: KeyboardEvent, key: string) => {
    if (!event.key.startsWith("Arrow")) return;
    event.preventDefault();
    const next = nextOf(placed, key, event.key);
    if (next !== null) boxes.current.get(next)?.focus();
  };
  return (
    <section
      aria-label="Lineage as a picture; arrow keys go from table to table"
      className="overflow-auto rounded-md border bg-sunken/40 p-4"
      style={{ maxHeight: 480 }}
    >
      <div className="relative mx-auto" style={{ width, height }}>
        <svg aria-hidden width={width} height={height} className="absolute inset-0 overflow-visible">
          {lineage.edges.map((edge) => (
            <Edge
              key={`${edge.from} ${edge.to} ${edge.via} ${edge.origin}`}
              edge={edge}
              from={at.get(edge.from)}
              to={at.get(edge.to)}
              isSelected={edge.from === selected || edge.to === selected}
            />
          ))}
        </svg>
        {placed.map(({ node, x, y }) => (
          <button
            key={node.key}
            type="button"
            ref={(box) => {
              if (box) boxes.current.set(node.key, box);
              else boxes.current.delete(node.key);
            }}
            tabIndex={node.key === (selected ?? start) ? 0 : -1}
            aria-pressed={node.key === selected}
            onClick={() => onSelect(node.key)}
            onKeyDown={(event) => move(event, node.key)}
            title={node.name}
            style={{ left: x, top: y, ...boxSize }}
            className={cn(
              "absolute flex flex-col justify-center rounded-md border bg-surface px-2 text-left hover:border-accent",
              frameOf(node),
              node.step === 0 && "ring-1 ring-ink-3",
              node.key === selected && "ring-2 ring-accent",
              isFaint(node) && "opacity-35",
            )}
          >
            <span className="block w-full truncate text-[13px] font-medium">
              <Name>{node.tableName ?? node.name}</Name>
              {node.hasMore && (
                <span className="text-ink-3">
                  {" "}
                  <span aria-hidden>…</span>
                  <span className="sr-only">, and more beyond it</span>
                </span>
              )}
            </span>
            <span className="flex w-full min-w-0 items-center gap-2">
              <span className="truncate text-xs text-ink-3">{placeWords(node)}</span>
              <span className="ml-auto shrink-0">
                <NodeState node={node} />
              </span>
            </span>
          </button>
        ))}
      </div>
    </section>
  );
}

function frameOf(node: LineageNode): string {
  const kind = stateKind(node);
  if (kind === "critical") return "border-critical";
  return kind === "warning" ? "border-warning" : "border-line";
}

function Edge({
  edge,
  from,
  to,
  isSelected,
}: {
  edge: LineageEdge;
  from: Placed | undefined;
  to: Placed | undefined;
  isSelected: boolean;
}) {
  if (!from || !to) return null;
  const dashes = edge.via === "ForeignKey" ? "2 4" : edge.isCertain ? undefined : "6 4";
  return (
    <path
      d={curveOf(from, to)}
      fill="none"
      strokeWidth={isSelected ? 2 : 1.25}
      strokeDasharray={dashes}
      className={isSelected ? "stroke-accent" : "stroke-ink-3"}
    />
  );
}
