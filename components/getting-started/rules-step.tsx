"use client";
import { useQueryStates } from "nuqs";
import { useState } from "react";
import { Link } from "@/components/ui/link.tsx";
import type { ContractDryRun } from "@/server/data-quality/dry-run-schema.ts";
import { ruleSentence } from "@/server/data-quality/rules/rule-sentence.ts";
import { contractInputOf } from "../data-quality/contract-form.ts";
import { emptyContract } from "../data-quality/new-values.ts";
import { formatScore } from "../data-quality/score.tsx";
import { scoreStatusOf } from "../data-quality/score-status.ts";
import {
  failingWords,
  formOfSuggestion,
  keyOfSuggestion,
  type LeftOut,
  leavingOut,
  leftOutOf,
  type Suggestion,
  withoutValues,
} from "../data-quality/suggested-rules.ts";
import { SuggestedValues } from "../data-quality/suggested-values.tsx";
import { TableField } from "../data-quality/table-field.tsx";
import { contractDraftOf } from "../data-quality/trial.ts";
import { useDatabaseSchema } from "../data-quality/use-database-schema.ts";
import { useProject } from "../projects/use-project.ts";
import { useRun } from "../runs/use-run.ts";
import { trpc } from "../trpc/client.tsx";
import { messageOf } from "../trpc/errors.ts";
import { Button, ButtonLink } from "../ui/button.tsx";
import { Checkbox } from "../ui/checkbox.tsx";
import { Field, FormError } from "../ui/field.tsx";
import { formatDuration, plural } from "../ui/format.ts";
import { FlaskConical, Sparkles } from "../ui/icons.tsx";
import { Input } from "../ui/input.tsx";
import { asSentence } from "../ui/sentence.ts";
import { SkeletonRows } from "../ui/skeleton.tsx";
import { Status } from "../ui/status.tsx";
import { toast } from "../ui/toaster.tsx";
import { guideParameters } from "./guide-parameters.ts";
import type { StepProps } from "./step-props.ts";

type Named = { schemaName: string; tableName: string };
const none: Named = { schemaName: "", tableName: "" };

/** Rules for one table: suggested from what is in it, chosen, tried, and saved as a contract. */
export function RulesStep({ guide, proceed, open }: StepProps) {
  const { href } = useProject();
  const { source, contract } = guide;
  if (source === null)
    return (
      <Button variant="primary" onClick={() => open("Connect")}>
        Connect a database
      </Button>
    );
  return (
    <>
      {contract && (
        <p className="pb-4">
          <Link href={href(`/data-quality/contracts/${contract.id}`)} className="text-accent underline">
            {contract.name}
          </Link>{" "}
          is there. You can write another one.
        </p>
      )}
      <ChooseTable guide={guide} source={source} proceed={proceed} />
    </>
  );
}

function ChooseTable({
  guide,
  source,
  proceed,
}: {
  guide: StepProps["guide"];
  source: NonNullable<StepProps["guide"]["source"]>;
  proceed: StepProps["proceed"];
}) {
  const [{ inSchema, ofTable }, setParameters] = useQueryStates(guideParameters);
  const schema = useDatabaseSchema(source.id);
  const likely = useLikelyTable(source.id);
  const table: Named = ofTable !== "" ? { schemaName: inSchema, tableName: ofTable } : likely;
  const suggest = trpc.dataQuality.suggestRules.useMutation();
  const [asked, setAsked] = useState<Named | null>(null);
  const isAsked = asked?.schemaName === table.schemaName && asked.tableName === table.tableName;
  const ask = () => {
    setAsked(table);
    suggest.mutate({
      dataSourceId: source.id,
      tableName: table.tableName,
      ...(table.schemaName !== "" && { schemaName: table.schemaName }),
    });
  };
  return (
    <div className="flex flex-col gap-4">
      <div className="flex max-w-xl flex-col gap-3">
        <TableField
          label="Table"
          schema={schema}
          value={table}
          schemaHint="The data source's default when empty"
          onChange={({ schemaName, tableName }) =>
            void setParameters({ inSchema: schemaName, ofTable: tableName })
          }
        />
        {!(isAsked && suggest.isSuccess) && (
          <Button
            icon={Sparkles}
            variant="primary"
            className="self-start"
            disabled={table.tableName === ""}
            pending={suggest.isPending && isAsked}
            onClick={ask}
          >
            Suggest rules
          </Button>
        )}
      </div>
      {isAsked && suggest.isPending && (
        <>
          <p role="status" className="text-sm text-ink-2">
            Reading the table and trying rules on it. This can take up to 30 seconds.
          </p>
          <SkeletonRows rows={4} columns={2} />
        </>
      )}
      {isAsked && suggest.error && (
        <FormError>Rules could not be suggested: {asSentence(messageOf(suggest.error))}</FormError>
      )}
      {isAsked && suggest.data && (
        <ChooseRules
          key={JSON.stringify(table)}
          table={table}
          suggestions={suggest.data.items}
          note={suggest.data.note}
          guide={guide}
          source={source}
          proceed={proceed}
        />
      )}
    </div>
  );
}

/** The table with the most findings among those without a contract, or else the largest. */
function useLikelyTable(dataSourceId: number): Named {
  const { data } = trpc.catalog.tables.useQuery(
    { dataSourceId, watched: "no", sortBy: "rows", sortDirection: "desc", page: 0, pageSize: 100 },
    { staleTime: 60_000 },
  );
  const tables = data?.items ?? [];
  const most = Math.max(0, ...tables.map(({ openFindings }) => openFindings));
  return tables.find(({ openFindings }) => openFindings === most) ?? none;
}

function ChooseRules({
  table,
  suggestions,
  note,
  guide,
  source,
  proceed,
}: {
  table: Named;
  suggestions: readonly Suggestion[];
  note: string | null;
  guide: StepProps["guide"];
  source: NonNullable<StepProps["guide"]["source"]>;
  proceed: StepProps["proceed"];
}) {
  const { href } = useProject();
  const utils = trpc.useUtils();
  const create = trpc.dataQuality.createContract.useMutation();
  const accept = trpc.findings.accept.useMutation();
  const { run, start } = useRun<ContractDryRun & { of: string }>();
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [name, setName] = useState(table.tableName);
  const [leftOut, setLeftOut] = useState<LeftOut>({});
  const chosen = suggestions
    .filter((each) => !left.has(keyOfSuggestion(each)))
    .map((each) => withoutValues(each, leftOut));
  const { recipient } = guide;
  const form = emptyContract({
    ...table,
    name,
    dataSourceId: source.id,
    recipientIds: recipient && recipient.projectId === source.projectId ? [recipient.id] : [],
    rules: chosen.map(formOfSuggestion),
  });
  const draft = contractDraftOf(form);
  const of = JSON.stringify(draft.rules);
  const tried = run?.state === "done" && run.result.of === of ? run.result : null;
  const tryThem = () =>
    void start(async ({ signal }) => ({
      ...(await utils.client.dataQuality.dryRunContract.mutate(draft, { signal })),
      of,
    }));
  const choose = (some: readonly Suggestion[], isChosen: boolean) =>
    setLeft((before) => {
      const next = new Set(before);
      for (const each of some)
        isChosen ? next.delete(keyOfSuggestion(each)) : next.add(keyOfSuggestion(each));
      return next;
    });
  const save = async () => {
    const saved = await create.mutateAsync(contractInputOf(form)).catch(() => null);
    if (saved === null) return;
    toast.success(`Created “${saved.name}”`);
    // What became a rule is decided. A finding that cannot be marked stays open, and can be accepted there.
    const decided = chosen.flatMap(({ finding }) => (finding?.id == null ? [] : [finding.id]));
    await Promise.allSettled(decided.map((id) => accept.mutateAsync({ id, contractId: saved.id })));
    await Promise.all([
      utils.dataQuality.invalidate(),
      utils.findings.invalidate(),
      utils.catalog.invalidate(),
    ]);
    await proceed();
  };
  const editor = href(
    `/data-quality/contracts/new?${new URLSearchParams({ source: String(source.id), schema: table.schemaName, table: table.tableName })}`,
  );
  if (suggestions.length === 0)
    return (
      <div className="flex flex-col items-start gap-3">
        <p>No useful rules to suggest; an empty table gives nothing to go by.</p>
        <ButtonLink href={editor}>Write rules in the editor</ButtonLink>
      </div>
    );
  const groups = [
    { title: "Fails today", items: suggestions.filter(({ passes }) => !passes) },
    { title: "Passes today", items: suggestions.filter(({ passes }) => passes) },
  ].filter(({ items }) => items.length > 0);
  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      {groups.map(({ title, items }) => (
        <RuleGroup
          key={title}
          title={title}
          items={items}
          isChosen={(each) => !left.has(keyOfSuggestion(each))}
          onChoose={choose}
          leftOut={leftOut}
          onLeaveOut={(item, value, isLeftOut) =>
            setLeftOut((before) => leavingOut(before, item, value, isLeftOut))
          }
        />
      ))}
      {note && <p className="text-xs break-words text-ink-3">{note}</p>}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button
          icon={FlaskConical}
          pending={run?.state === "running"}
          disabled={chosen.length === 0}
          onClick={tryThem}
        >
          Try the chosen rules
        </Button>
        <div role="status" className="flex min-w-0 flex-wrap items-center gap-x-4 gap-y-1 text-sm">
          {run?.state === "failed" && (
            <Status kind="critical" className="whitespace-normal">
              {run.message}
            </Status>
          )}
          {tried && (
            <>
              <Status kind={scoreStatusOf(tried.overallScore, 80).kind}>
                Would score {formatScore(tried.overallScore)}
              </Status>
              <span className="text-ink-2 tabular-nums">
                {tried.passedCount} passed, {tried.failedCount} failed, in{" "}
                {formatDuration(tried.executionTimeMs)}
              </span>
            </>
          )}
        </div>
      </div>
      <Field label="Name" className="max-w-xl" hint="Runs daily at 06:00 UTC; you can change it afterwards">
        <Input value={name} maxLength={200} onChange={(event) => setName(event.target.value)} />
      </Field>
      <FormError>{create.error && asSentence(messageOf(create.error))}</FormError>
      <div className="flex flex-wrap gap-2">
        <Button
          type="submit"
          variant="primary"
          pending={create.isPending}
          disabled={chosen.length === 0 || name.trim() === ""}
        >
          Create contract with {plural(chosen.length, "rule")}
        </Button>
        <ButtonLink href={editor} variant="ghost">
          Write it in the editor instead
        </ButtonLink>
      </div>
    </form>
  );
}

function RuleGroup({
  title,
  items,
  isChosen,
  onChoose,
  leftOut,
  onLeaveOut,
}: {
  title: string;
  items: readonly Suggestion[];
  isChosen: (item: Suggestion) => boolean;
  onChoose: (some: readonly Suggestion[], isChosen: boolean) => void;
  leftOut: LeftOut;
  onLeaveOut: (item: Suggestion, value: string, isLeftOut: boolean) => void;
}) {
  const count = items.filter(isChosen).length;
  return (
    <fieldset className="min-w-0">
      <legend className="float-left w-full pb-2 text-sm font-medium">
        {title}{" "}
        <span className="font-normal text-ink-3 tabular-nums">
          {count} of {items.length} chosen
        </span>
      </legend>
      <div className="clear-both">
        {items.length > 1 && (
          <Button size="sm" variant="ghost" onClick={() => onChoose(items, count < items.length)}>
            {count < items.length ? "Choose all" : "Choose none"}
          </Button>
        )}
        <ul className="border-t">
          {items.map((item) => {
            const key = keyOfSuggestion(item);
            const chosen = withoutValues(item, leftOut);
            const fails = failingWords(chosen);
            return (
              <li key={key} className="flex flex-wrap items-start gap-x-4 gap-y-1 border-b py-2">
                <Checkbox
                  className="min-w-0 flex-1 basis-56"
                  checked={isChosen(item)}
                  onCheckedChange={(checked) => onChoose([item], checked)}
                  label={<span className="break-words">{chosen.rule.name}</span>}
                  hint={
                    <>
                      <span className="break-words">{asSentence(item.evidence)}</span>{" "}
                      {/* SQL can be long: the editor shows all of it. */}
                      <span className="line-clamp-2 break-words">{ruleSentence(chosen.rule)}</span>
                    </>
                  }
                />
                {fails && <Status kind="warning">{fails}</Status>}
                {item.values && (
                  <SuggestedValues
                    values={item.values}
                    leftOut={leftOutOf(item, leftOut)}
                    disabled={!isChosen(item)}
                    label={`Values of ${item.rule.column}`}
                    onLeaveOut={(value, isLeftOut) => onLeaveOut(item, value, isLeftOut)}
                  />
                )}
              </li>
            );
          })}
        </ul>
      </div>
    </fieldset>
  );
}
