"use client";
import { useCallback, useEffect, useEffectEvent, useId, useMemo, useRef, useState } from "react";
import { Button } from "@/components/ui/button.tsx";
import { ConfirmDialog } from "@/components/ui/confirm-dialog.tsx";
import { FormError } from "@/components/ui/field.tsx";
import { Play, Workflow } from "@/components/ui/icons.tsx";
import { Kbd } from "@/components/ui/kbd.tsx";
import type { DataSource } from "@/server/data-sources/schema.ts";
import type { ParameterValue, Preview } from "@/server/queries/schema.ts";
import { parametersOf } from "@/server/queries/step-parameters.ts";
import { failedPlace } from "./error-position.ts";
import { draftsOf, type ParameterDrafts, readParameters } from "./parameter-values.ts";
import { ParametersForm } from "./parameters-form.tsx";
import { PlanDialog, type SqlToExplain } from "./plan-dialog.tsx";
import {
  addedStep,
  changedStep,
  type Draft,
  type DraftProblem,
  type KindOf,
  movedStep,
  nameOfStep,
  stepWrites,
  withoutStep,
} from "./query-draft.ts";
import { ResultPanel, wordsOfPath } from "./result-panel.tsx";
import type { SelectedSql, SqlEditorHandle } from "./sql-editor.tsx";
import { StepPanel } from "./step-panel.tsx";
import { stepsWithProblems } from "./step-problems.ts";
import { inputOfRun, resultsFor } from "./step-runs.ts";
import { StepTabs } from "./step-tabs.tsx";
import { usePageKeys } from "./use-page-keys.ts";
import { type PreviewInput, type RunTarget, useQueryRun } from "./use-query-run.ts";

const noParameters: ParameterDrafts = {};
const noValues = {};

/** A query's steps: edited one at a time, run alone or together, with the result below. */
export function StepsSection({
  draft,
  sources,
  problems,
  readOnly,
  mayRun,
  isShown,
  given = noValues,
  onDraft,
}: {
  draft: Draft;
  sources: readonly DataSource[];
  problems: readonly DraftProblem[];
  readOnly: boolean;
  mayRun: boolean;
  /** Whether keyboard shortcuts apply to it. */
  isShown: boolean;
  /** Values that the parameters begin with. */
  given?: Readonly<Record<string, ParameterValue>> | undefined;
  onDraft: (change: (draft: Draft) => Draft) => void;
}) {
  const panelId = useId();
  const [activeKey, setActiveKey] = useState(draft.steps[0]?.key);
  const [removing, setRemoving] = useState<number | null>(null);
  const [typed, setTyped] = useState(noParameters);
  /** Values are validated only after the first attempt to run. */
  const [judged, setJudged] = useState(false);
  const [unrunnable, setUnrunnable] = useState<DraftProblem[]>([]);
  const [columns, setColumns] = useState<ReadonlyMap<number, Preview["columns"]>>(new Map());
  const [shown, setShown] = useState<{ label: string; preview: Preview } | null>(null);
  const [selected, setSelected] = useState<(SelectedSql & { stepKey: number }) | null>(null);
  const [explained, setExplained] = useState<SqlToExplain | null>(null);
  const { run, start, cancel } = useQueryRun();
  const editor = useRef<SqlEditorHandle>(null);

  const { steps } = draft;
  const found = steps.findIndex(({ key }) => key === activeKey);
  const active = Math.max(found, 0);
  const step = steps[active];
  const kindOf: KindOf = useCallback((id) => sources.find((source) => source.id === id)?.kind, [sources]);
  const writes = useMemo(() => stepWrites(steps, kindOf), [steps, kindOf]);
  const names = useMemo(() => parametersOf(writes.steps), [writes]);
  const values = useMemo(() => ({ ...draftsOf(given), ...typed }), [given, typed]);
  const reading = readParameters(names, values);
  const results = useMemo(() => resultsFor({ steps, index: active, columns }), [steps, active, columns]);
  /** Makes sure a problem is visible: in the current step if it has one, otherwise in the first that does. */
  const showWrong = useEffectEvent(() => {
    const wrong = stepsWithProblems(problems);
    if (wrong.size > 0 && !wrong.has(active)) setActiveKey(steps[Math.min(...wrong)]?.key);
  });
  useEffect(() => {
    if (problems.length > 0) showWrong();
  }, [problems]);
  const facts = run?.state === "failed" ? run.facts : null;
  const target = run?.target;
  const failed = useMemo(() => {
    const place = facts && target ? failedPlace(facts.position, target) : null;
    return place && facts && { ...place, message: facts.message };
  }, [facts, target]);
  if (!step) throw new Error("A query has at least one step");

  const show = async (target: RunTarget, input: PreviewInput) => {
    const preview = await start(target, input);
    if (!preview) return;
    setShown({ label: target.label, preview });
    // The columns of a part are not those of the step's result.
    if (target.part) return;
    const key = target.stepKey ?? steps.at(-1)?.key;
    if (key !== undefined) setColumns((known) => new Map(known).set(key, preview.columns));
  };
  const runIt = (whole: boolean) => {
    const target: RunTarget = {
      stepKey: whole ? null : step.key,
      keys: keysOf(steps),
      label: steps.length === 1 ? "the query" : whole ? "the whole query" : `“${nameOfStep(step, active)}”`,
    };
    const prepared = inputOfRun({ writes, index: whole ? null : active, reading });
    setJudged(true);
    setUnrunnable(prepared.problems);
    if (prepared.input) void show(target, prepared.input);
  };
  const selection = selected?.stepKey === step.key ? selected : null;
  /** Runs the selected part of the step as if it were the whole: through the same checks, with the same values. */
  const runSelection = () => {
    if (!selection) return;
    const parts = steps.map((each) => (each.key === step.key ? { ...each, sql: selection.sql } : each));
    const prepared = inputOfRun({ writes: stepWrites(parts, kindOf), index: active, reading });
    setJudged(true);
    setUnrunnable(prepared.problems);
    const target = {
      stepKey: step.key,
      label: "the selection",
      keys: keysOf(steps),
      part: { from: selection.from, text: step.sql },
    };
    if (prepared.input) void show(target, prepared.input);
  };
  const kind = typeof step.source === "number" ? kindOf(step.source) : undefined;
  const toExplain = kind && hasPlans(kind) ? kind : null;
  const explain = () => {
    const { input, problems } = inputOfRun({ writes, index: active, reading });
    setJudged(true);
    setUnrunnable(problems);
    if (input?.dataSourceId === undefined || input.sql === undefined) return;
    const { dataSourceId, sql } = input;
    const used = parametersOf(writes.steps.slice(active, active + 1));
    const parameters = Object.fromEntries(used.map((name) => [name, reading.values[name] ?? null]));
    setExplained({
      dataSourceId,
      sql,
      parameters,
      label: steps.length === 1 ? "the query" : nameOfStep(step, active),
    });
  };
  const runStep = mayRun ? () => runIt(false) : undefined;
  usePageKeys({ run: isShown ? runStep : undefined });

  const goTo = (order: number) => {
    const meant = steps[order - 1];
    return meant ? () => setActiveKey(meant.key) : null;
  };
  const remove = (key: number) => {
    const next = steps[active + 1] ?? steps[active - 1];
    setActiveKey(next?.key);
    onDraft((before) => withoutStep(before, key));
  };
  const isRunning = run?.state === "running";

  return (
    <section aria-label="Steps">
      <StepTabs
        steps={steps}
        active={active}
        wrong={stepsWithProblems([...problems, ...unrunnable])}
        panelId={panelId}
        readOnly={readOnly}
        onChoose={(index) => setActiveKey(steps[index]?.key)}
        onMove={(by) => onDraft((before) => movedStep(before, step.key, by))}
        onAdd={() => {
          const next = addedStep(draft);
          setActiveKey(next.steps.at(-1)?.key);
          onDraft(() => next);
        }}
      />
      <div
        id={panelId}
        role="tabpanel"
        aria-labelledby={`${panelId}-tab-${active}`}
        className="flex flex-col gap-4 pt-3"
      >
        <StepPanel
          step={step}
          index={active}
          count={steps.length}
          sources={sources}
          problems={[...problems, ...unrunnable]}
          parameters={names}
          results={results}
          readOnly={readOnly}
          onChange={(change) => {
            setUnrunnable([]);
            onDraft((before) => changedStep(before, step.key, change));
          }}
          onMove={(by) => onDraft((before) => movedStep(before, step.key, by))}
          onRemove={() => (isWritten(step) ? setRemoving(step.key) : remove(step.key))}
          mark={failed?.stepKey === step.key ? failed : null}
          editor={editor}
          onRun={runStep}
          onRunSelection={mayRun ? runSelection : undefined}
          onSelection={(part) => setSelected(part && { ...part, stepKey: step.key })}
        />
        {mayRun && names.length > 0 && (
          <ParametersForm
            names={names}
            drafts={values}
            problems={judged ? reading.problems : {}}
            onChange={(name, value) => setTyped((before) => ({ ...before, [name]: value }))}
          />
        )}
        {mayRun && (
          <div className="flex flex-wrap items-center gap-2">
            <Button
              icon={Play}
              pending={isRunning}
              aria-keyshortcuts="Control+Enter Meta+Enter"
              onClick={() => runIt(false)}
            >
              {steps.length === 1 ? "Run" : "Run this step"}
              <Kbd>Ctrl ↵</Kbd>
            </Button>
            {selection && (
              <Button
                icon={Play}
                pending={isRunning}
                aria-keyshortcuts="Control+Shift+Enter Meta+Shift+Enter"
                onClick={runSelection}
              >
                Run the selection
                <Kbd>Ctrl ⇧ ↵</Kbd>
              </Button>
            )}
            {toExplain !== null && (
              <Button icon={Workflow} onClick={explain}>
                Explain
              </Button>
            )}
            {steps.length > 1 && (
              <Button icon={Play} pending={isRunning} onClick={() => runIt(true)}>
                Run the whole query
              </Button>
            )}
            <span className="text-xs text-ink-3">
              Read-only: at most 1,000 rows and 30 s. You do not have to save first.
            </span>
          </div>
        )}
        {unrunnable.some(({ path }) => !path.startsWith(`steps.${active}.`)) && (
          <FormError>
            It cannot run yet.{" "}
            {unrunnable.map(({ path, message }) => `${wordsOfPath(path)} ${message}`).join("; ")}
          </FormError>
        )}
      </div>
      {explained && <PlanDialog asked={explained} onClose={() => setExplained(null)} />}
      {run && (
        <ResultPanel
          run={run}
          shown={shown}
          queryName={draft.name}
          onCancel={cancel}
          onPlace={failed?.stepKey === step.key ? () => editor.current?.goTo(failed) : null}
          onStep={(order) => (order - 1 === active ? null : goTo(order))}
        />
      )}
      <ConfirmDialog
        open={removing !== null}
        onOpenChange={(open) => !open && setRemoving(null)}
        title={`Remove “${nameOfStep(step, active)}”?`}
        confirm="Remove step"
        onConfirm={() => remove(step.key)}
      >
        Its SQL is removed with it. Steps that read its result must be changed; references to other steps are
        updated automatically.
      </ConfirmDialog>
    </section>
  );
}

/** SQL Server's plans are XML. */
const hasPlans = (kind: DataSource["kind"]) => kind === "PostgreSql" || kind === "MySql";

const keysOf = (steps: Draft["steps"]) => steps.map(({ key }) => key);

const isWritten = ({ sql, request }: Draft["steps"][number]) =>
  sql.trim() !== "" || request.path.trim() !== "";
