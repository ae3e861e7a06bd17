"use client";
import { useState } from "react";
import { trpc } from "@/components/trpc/client.tsx";
import { Button } from "@/components/ui/button.tsx";
import { Checkbox } from "@/components/ui/checkbox.tsx";
import { plural } from "@/components/ui/format.ts";
import { Input } from "@/components/ui/input.tsx";
import { Moment } from "@/components/ui/moment.tsx";
import { Select } from "@/components/ui/select.tsx";
import type { Lineage, LineageNode } from "@/server/lineage/schema.ts";
import { LineageGraph } from "./lineage-graph.tsx";
import { LineageFacts, LineageList } from "./lineage-list.tsx";
import { fitsSearch } from "./lineage-words.ts";

type Named = { dataSourceId: number; schemaName: string; tableName: string };

const depths = [1, 2, 3, 5].map((depth) => ({
  value: String(depth),
  label: depth === 1 ? "1 step" : `${depth} steps`,
}));

/** What a table is made from, and what is made from it: a picture, and the same as a list. */
export function TableLineage(name: Named) {
  const [depth, setDepth] = useState("2");
  const [foreignKeys, setForeignKeys] = useState(true);
  const [search, setSearch] = useState("");
  const [isList, setList] = useState(false);
  const [selected, setSelected] = useState<string | null>(null);
  const { data } = trpc.catalog.lineage.useQuery(
    { ...name, depth: Number(depth), foreignKeys },
    { refetchInterval: 60_000, placeholderData: (before) => before },
  );
  if (!data) return null;
  const isAlone = data.nodes.length <= 1;
  const fits = (node: LineageNode) => fitsSearch(node, data.edges, search);
  const chosen = data.nodes.find(({ key }) => key === selected);
  return (
    <section aria-labelledby="lineage" className="pt-8">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2 pb-2">
        <h2 id="lineage" className="text-base font-semibold tracking-tight">
          Lineage
        </h2>
        <span className="text-ink-3 tabular-nums">{countsOf(data)}</span>
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2 sm:ml-auto">
          <Checkbox checked={foreignKeys} onCheckedChange={setForeignKeys} label="Foreign keys" />
          <Select
            aria-label="How far"
            value={depth}
            onValueChange={setDepth}
            options={depths}
            size="sm"
            className="w-24"
          />
          {!isAlone && (
            <>
              <Input
                type="search"
                aria-label="Search lineage"
                placeholder="Table or column"
                value={search}
                onChange={(event) => setSearch(event.target.value)}
                className="w-40"
              />
              <Button
                size="sm"
                className="hidden md:inline-flex"
                aria-pressed={isList}
                onClick={() => setList(!isList)}
              >
                {isList ? "Show as picture" : "Show as list"}
              </Button>
            </>
          )}
        </div>
      </div>
      {isAlone ? (
        <p className="border-t py-3 text-ink-2">
          {foreignKeys
            ? "Nothing is known to lead to this table or away from it."
            : "Nothing but foreign keys is known."}{" "}
          Views, queries, dbt projects, and loads that are reported by OpenLineage or{" "}
          <code className="font-mono">POST /svc/api/events</code> say what is made from what.
        </p>
      ) : (
        <>
          {!isList && (
            <div className="hidden md:block">
              <LineageGraph
                lineage={data}
                selected={selected}
                onSelect={(key) => setSelected(key === selected ? null : key)}
                isFaint={(node) => !fits(node)}
              />
              <div aria-live="polite" className="min-h-16 pt-2">
                {chosen ? (
                  <LineageFacts node={chosen} lineage={data} />
                ) : (
                  <p className="text-xs text-ink-3">
                    Select a table to see its columns. Dotted lines are foreign keys; dashed ones come from
                    SQL that could not be fully read.
                  </p>
                )}
              </div>
            </div>
          )}
          <div className={isList ? undefined : "md:hidden"}>
            <LineageList lineage={data} fits={fits} />
          </div>
        </>
      )}
      <Notes lineage={data} />
    </section>
  );
}

function countsOf({ nodes }: Lineage): string {
  const up = nodes.filter(({ step }) => step < 0).length;
  const down = nodes.filter(({ step }) => step > 0).length;
  return `${up} upstream, ${down} downstream`;
}

function Notes({ lineage: { omitted, readAt, problem, nodes } }: { lineage: Lineage }) {
  const unread = nodes.filter((node) => node.problem !== null).length;
  return (
    <p className="pt-2 text-xs text-ink-3">
      {omitted > 0 && <>{plural(omitted, "other")} not shown, further away. </>}
      {unread > 0 && <>The SQL of {unread} of them could not be fully read. </>}
      {problem !== null && <span className="text-warning">Views could not be read: {problem}. </span>}
      {readAt === null ? (
        "Views have not been read yet."
      ) : (
        <>
          Views read <Moment at={readAt} />.
        </>
      )}
    </p>
  );
}
