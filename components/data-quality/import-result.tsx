"use client";
import { scheduleWords } from "@/components/cron/schedule-words.ts";
import { EditorSection } from "@/components/editors/editor-section.tsx";
import { useProject } from "@/components/projects/use-project.ts";
import { Button } from "@/components/ui/button.tsx";
import { plural } from "@/components/ui/format.ts";
import { Upload } from "@/components/ui/icons.tsx";
import { Link } from "@/components/ui/link.tsx";
import { Status } from "@/components/ui/status.tsx";
import type { ImportedContracts } from "@/server/data-quality/odcs/schema.ts";
import { ruleDefinition } from "@/server/data-quality/rules/rules.ts";
import type { ImportPreview } from "./preview-import.ts";

/** Preview of the contracts in a file, with their rules. */
export function ImportedRules({ preview: { contracts } }: { preview: ImportPreview }) {
  if (contracts.length === 0)
    return (
      <p role="status" className="text-ink-2">
        Nothing: the file has no table with rules that can be measured here.
      </p>
    );
  return (
    <>
      <p role="status" className="text-ink-2">
        {plural(contracts.length, "contract")}, each with the rules that can be measured here:
      </p>
      <ul aria-label="Contracts of the file" className="border-t text-sm">
        {contracts.map(({ name, schemaName, tableName, cronExpression, rules }) => (
          <li key={`${schemaName}.${tableName}.${name}`} className="border-b py-2">
            <div className="flex flex-wrap items-baseline gap-x-3">
              <span className="font-medium break-words">{name}</span>
              <span className="font-mono text-[0.8125rem] break-all text-ink-2">
                {[schemaName, tableName].filter(Boolean).join(".")}
              </span>
              <span className="text-xs text-ink-3">{scheduleWords(cronExpression) ?? cronExpression}</span>
            </div>
            <ul className="pt-1 text-xs text-ink-2">
              {rules.map((rule, place) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: rules in a file may be equal, and don't move
                <li key={place}>
                  {rule.name} <span className="text-ink-3">{ruleDefinition(rule.type).label}</span>
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
    </>
  );
}

/** Parts of the file that can't be imported, by their location in it. */
export function UnmappedParts({ unmapped }: { unmapped: ImportPreview["unmapped"] }) {
  if (unmapped.length === 0) return <p className="text-xs text-ink-3">Everything in the file is imported.</p>;
  return (
    <details className="text-sm" open={unmapped.length <= 8}>
      <summary className="cursor-pointer">
        <Status kind="warning">{plural(unmapped.length, "part")} in the file not supported here</Status>
      </summary>
      <dl className="mt-2 max-h-80 overflow-y-auto border-t">
        {unmapped.map(({ path, reason }) => (
          <div
            key={`${path} ${reason}`}
            className="grid gap-x-4 border-b py-1 sm:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]"
          >
            <dt className="font-mono text-[0.8125rem] break-all">{path}</dt>
            <dd className="text-ink-2">{reason}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

/** What an import created. */
export function CreatedContracts({ result, onAgain }: { result: ImportedContracts; onAgain: () => void }) {
  const { href } = useProject();
  const { contracts, unmapped } = result;
  return (
    <EditorSection
      title="Created"
      explanation="They are evaluated at their next scheduled run, or when you start an evaluation."
    >
      <p role="status">
        <Status kind="ok">{plural(contracts.length, "contract")} created</Status>
      </p>
      <ul aria-label="Created contracts" className="border-t text-sm">
        {contracts.map(({ id, name, schemaName, tableName, rules }) => (
          <li key={id} className="flex min-h-8 flex-wrap items-baseline gap-x-3 border-b py-1">
            <Link
              href={href(`/data-quality/contracts/${id}`)}
              className="font-medium break-words text-accent hover:underline"
            >
              {name}
            </Link>
            <span className="font-mono text-[0.8125rem] break-all text-ink-2">
              {schemaName}.{tableName}
            </span>
            <span className="text-xs text-ink-3">{plural(rules.length, "rule")}</span>
          </li>
        ))}
      </ul>
      <UnmappedParts unmapped={unmapped} />
      <Button icon={Upload} className="self-start" onClick={onAgain}>
        Import another file
      </Button>
    </EditorSection>
  );
}
