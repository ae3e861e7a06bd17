"use client";
import { useMemo, useState } from "react";
import { useProject } from "@/components/projects/use-project.ts";
import { Badge } from "@/components/ui/badge.tsx";
import { Button } from "@/components/ui/button.tsx";
import { Figure, Figures } from "@/components/ui/figure.tsx";
import { FilterSelect } from "@/components/ui/filter-select.tsx";
import { formatNumber, plural } from "@/components/ui/format.ts";
import { Link } from "@/components/ui/link.tsx";
import { SearchInput } from "@/components/ui/search-input.tsx";
import { Status } from "@/components/ui/status.tsx";
import type { ImportPlan, RuleFate } from "@/server/data-quality/imports/schema.ts";
import { ruleDefinition } from "@/server/data-quality/rules/rules.ts";
import { type Fate, filterPlan, type ShownTable } from "./import-plan-rows.ts";

const fateWords: Record<RuleFate, { word: string; tone: "accent" | "neutral" | "warning" | "critical" }> = {
  New: { word: "new", tone: "accent" },
  Updated: { word: "updated", tone: "accent" },
  Unchanged: { word: "unchanged", tone: "neutral" },
  Kept: { word: "left alone", tone: "warning" },
  Removed: { word: "removed", tone: "critical" },
};

/** A long plan unfolds only some tables by itself, so that the page stays quick. */
const unfolded = { tables: 12, listed: 100 };

/** What an import would change, or has changed: figures, then contracts with their rules, then what has no counterpart. */
export function ImportPlanView({ plan }: { plan: ImportPlan }) {
  const [fate, setFate] = useState<Fate | null>(null);
  const [search, setSearch] = useState("");
  const { totals } = plan;
  const found = useMemo(() => filterPlan(plan, fate, search), [plan, fate, search]);
  const share = totals.tests === 0 ? null : (100 * totals.carried) / totals.tests;
  const toggle = (wanted: Fate) => () => setFate(fate === wanted ? null : wanted);
  const left = totals.tests - totals.carried;
  return (
    <>
      {plan.warnings.map((warning) => (
        <Status key={warning} kind="warning" className="whitespace-normal">
          {warning}
        </Status>
      ))}
      <Figures>
        <Figure
          label="Carried over"
          value={share === null ? "–" : `${formatNumber(share, 1)}%`}
          detail={`${formatNumber(totals.carried)} of ${plural(totals.tests, "check")}`}
        />
        <Figure
          label="Contracts"
          value={formatNumber(plan.tables.length)}
          detail={`${totals.contracts.new} new, ${totals.contracts.updated} updated`}
        />
        <Figure
          label="New rules"
          value={formatNumber(totals.rules.new)}
          detail={`${totals.rules.unchanged} unchanged`}
          onPress={toggle("New")}
          pressed={fate === "New"}
        />
        <Figure
          label="Updated rules"
          value={formatNumber(totals.rules.updated)}
          detail={`${totals.rules.removed} removed`}
          onPress={toggle("Updated")}
          pressed={fate === "Updated"}
        />
        <Figure
          label="Left alone"
          value={formatNumber(totals.rules.kept)}
          detail="changed here"
          onPress={toggle("Kept")}
          pressed={fate === "Kept"}
        />
        <Figure
          label="Not carried over"
          value={formatNumber(left)}
          detail="with a reason"
          onPress={toggle("NotCarried")}
          pressed={fate === "NotCarried"}
        />
      </Figures>
      <div className="flex flex-wrap gap-2">
        <SearchInput value={search} onValueChange={setSearch} label="Search the plan" />
        <FilterSelect<Fate>
          label="Show"
          any="Everything"
          className="w-full sm:w-44"
          value={fate}
          onChange={setFate}
          options={[
            { value: "New", label: "New rules" },
            { value: "Updated", label: "Updated rules" },
            { value: "Unchanged", label: "Unchanged rules" },
            { value: "Kept", label: "Left alone" },
            { value: "Removed", label: "Removed rules" },
            { value: "NotCarried", label: "Not carried over" },
          ]}
        />
      </div>
      {found.tables.length === 0 && found.reasons.length === 0 && (
        <p role="status" className="text-sm text-ink-2">
          {search === "" && fate === null
            ? "There is nothing to import: the files have no checks."
            : "No checks match these filters."}
        </p>
      )}
      {found.tables.length > 0 && <PlannedTables tables={found.tables} />}
      {found.reasons.length > 0 && <NotCarriedOver reasons={found.reasons} />}
    </>
  );
}

function PlannedTables({ tables }: { tables: readonly ShownTable[] }) {
  const [shown, setShown] = useState(unfolded.listed);
  return (
    <section aria-label="Contracts in the plan">
      <ul className="border-t text-sm">
        {tables.slice(0, shown).map((table) => (
          <PlannedTable key={table.id} table={table} isOpen={tables.length <= unfolded.tables} />
        ))}
      </ul>
      {tables.length > shown && (
        <Button size="sm" variant="ghost" onClick={() => setShown(shown + unfolded.listed)}>
          Show more of {formatNumber(tables.length)} contracts
        </Button>
      )}
    </section>
  );
}

function PlannedTable({ table, isOpen }: { table: ShownTable; isOpen: boolean }) {
  const [wasOpened, setWasOpened] = useState(isOpen);
  const { href } = useProject();
  const { schemaName, tableName, contractId, contractName, fate, reason, rules } = table;
  const tags = [
    table.addedTags.length > 0 && `tagged ${table.addedTags.join(", ")}`,
    table.removedTags.length > 0 && `no longer tagged ${table.removedTags.join(", ")}`,
  ].filter(Boolean);
  const place = `${schemaName}.${tableName}`;
  return (
    <li className="border-b py-1.5">
      <details open={isOpen} onToggle={() => setWasOpened(true)}>
        <summary className="cursor-pointer">
          <span className="inline-flex min-h-6 max-w-[calc(100%-1.25rem)] flex-wrap items-center gap-x-3 gap-y-1 align-middle">
            <span className="font-medium break-all">{contractName ?? place}</span>
            <span className="font-mono text-[0.8125rem] break-all text-ink-2">{place}</span>
            <span className="text-xs text-ink-3">{plural(rules.length, "rule")}</span>
            {fate !== "Unchanged" && (
              <Badge tone={fate === "Kept" ? "warning" : fate === "Archived" ? "critical" : "accent"}>
                {fate === "Kept" ? "left alone" : fate.toLowerCase()}
              </Badge>
            )}
            {reason && <span className="text-xs text-ink-2">{reason}</span>}
            {tags.length > 0 && <span className="text-xs break-words text-ink-2">{tags.join("; ")}</span>}
          </span>
        </summary>
        {wasOpened && (
          <ul className="pt-1 pl-4">
            {rules.map((rule) => (
              <li
                key={rule.id}
                className="grid gap-x-3 py-1 text-xs sm:grid-cols-[minmax(0,4fr)_8rem_minmax(0,2fr)]"
              >
                <span className="flex flex-col break-words">
                  <span>
                    {rule.name}{" "}
                    {rule.fate !== "Unchanged" && (
                      <Badge tone={fateWords[rule.fate].tone}>{fateWords[rule.fate].word}</Badge>
                    )}
                  </span>
                  <span className="line-clamp-3 text-ink-2">{rule.sentence}.</span>
                </span>
                <span className="text-ink-2">{ruleDefinition(rule.type).label}</span>
                <span className="break-words text-ink-3">
                  {[rule.reason, rule.lastStatus && `last: ${rule.lastStatus}`, ...rule.notes]
                    .filter(Boolean)
                    .join(" · ")}
                </span>
              </li>
            ))}
          </ul>
        )}
      </details>
      {contractId !== null && (
        <Link
          href={href(`/data-quality/contracts/${contractId}`)}
          className="ml-4 text-xs text-accent hover:underline"
        >
          Open {contractName ?? place}
        </Link>
      )}
    </li>
  );
}

function NotCarriedOver({ reasons }: { reasons: readonly { reason: string; paths: readonly string[] }[] }) {
  const count = reasons.reduce((sum, { paths }) => sum + paths.length, 0);
  return (
    <section aria-label="Not carried over">
      <h3 className="text-sm font-medium">
        <Status kind="warning">Not carried over: {plural(count, "check")}</Status>
      </h3>
      <ul className="mt-2 border-t text-sm">
        {reasons.slice(0, unfolded.listed).map(({ reason, paths }) => (
          <li key={reason} className="border-b py-1.5">
            <details open={reasons.length <= 3 && count <= 12}>
              <summary className="cursor-pointer break-words">
                {reason} <span className="text-xs text-ink-3">{plural(paths.length, "check")}</span>
              </summary>
              <ul className="pt-1 pl-4 font-mono text-[0.8125rem] text-ink-2">
                {paths.slice(0, unfolded.listed).map((path) => (
                  <li key={path} className="break-all">
                    {path}
                  </li>
                ))}
                {paths.length > unfolded.listed && (
                  <li className="font-sans text-xs text-ink-3">
                    and {formatNumber(paths.length - unfolded.listed)} more
                  </li>
                )}
              </ul>
            </details>
          </li>
        ))}
      </ul>
    </section>
  );
}
