"use client";
import { useMemo, useRef, useState } from "react";
import { useWatch } from "react-hook-form";
import { useMay } from "@/components/auth/use-me.ts";
import { FormEditor } from "@/components/editors/form-editor.tsx";
import type { Edition } from "@/components/edits/use-edit-base.ts";
import { trpc } from "@/components/trpc/client.tsx";
import { useLatePart, useWhenIdle } from "@/components/ui/late-part.ts";
import { NotLoaded } from "@/components/ui/not-loaded.ts";
import type { Contract } from "@/server/data-quality/schema.ts";
import type { DataSource } from "@/server/data-sources/schema.ts";
import type { Finding } from "@/server/findings/schema.ts";
import type { ContractForm } from "./contract-form.ts";
import { EditorAlerts } from "./editor-alerts.tsx";
import { EditorRules } from "./editor-rules.tsx";
import { EditorSamples } from "./editor-samples.tsx";
import { EditorSchedule } from "./editor-schedule.tsx";
import { EditorTarget } from "./editor-target.tsx";
import { evaluateOnArrival } from "./evaluate-on-arrival.ts";
import { placeProblems, rulesWithProblems } from "./form-problems.ts";
import { lateRules } from "./late-rules.ts";
import { emptyContract } from "./new-values.ts";
import { type ToldRules, toldRules } from "./told-rules.ts";
import { useDatabaseSchema } from "./use-database-schema.ts";
import { type UnfoldedRules, useUnfoldedRules } from "./use-unfolded-rules.ts";

/** The schema is loaded when the form is checked. Where it cannot be, the service checks the form. */
const problemsOf = async (values: ContractForm) => {
  try {
    return (await lateRules.load()).problemsOf(values);
  } catch (error) {
    if (error instanceof NotLoaded) return [];
    throw error;
  }
};

/** What the server has prepared of a form, so that the page shows it before it knows rules. */
export type ContractStart = {
  values: Partial<ContractForm>;
  /** The revision that they are of; omitted for a new contract. */
  revision?: number;
  /** The rules in words, in their order. */
  sentences: readonly string[];
};

/** Creates a contract, or edits an existing one. */
export function ContractEditor({
  contract,
  sources,
  start,
}: {
  contract?: Contract;
  sources: readonly DataSource[];
  start: ContractStart;
}) {
  const utils = trpc.useUtils();
  const create = trpc.dataQuality.createContract.useMutation();
  const update = trpc.dataQuality.updateContract.useMutation();
  const mayEvaluate = useMay("evaluations:run");
  const unfolded = useUnfoldedRules();
  const accept = trpc.findings.accept.useMutation({ onSettled: () => utils.findings.invalidate() });
  const taken = useRef<Finding[]>([]);
  /** What was taken as a rule, and is still there as it was taken, is decided. */
  const acceptTaken = async (saved: Contract) => {
    const { formOf, hasRule, ruleOfFinding } = await lateRules.load();
    const { rules } = formOf(saved);
    for (const finding of taken.current.splice(0)) {
      const rule = ruleOfFinding(finding);
      if (rule && hasRule(rules, rule)) accept.mutate({ id: finding.id, contractId: saved.id });
    }
  };
  useWhenIdle(lateRules);
  const { part } = useLatePart(lateRules);
  const [first] = useState(() => ({ revision: start.revision ?? 0, values: emptyContract(start.values) }));
  const sentences = useMemo(() => toldRules(first.values.rules, start.sentences), [first, start.sentences]);
  const current = useMemo((): Edition<ContractForm> | null => {
    if (!contract) return null;
    return part ? { revision: contract.revision, values: part.formOf(contract) } : first;
  }, [contract, part, first]);
  return (
    <FormEditor<ContractForm, Contract>
      kind="contract"
      id={contract?.id}
      start={first.values}
      problemsOf={problemsOf}
      revisions={{
        current,
        load: async () => {
          const { formOf } = await lateRules.load();
          const newest = await utils.dataQuality.contract.fetch({ id: contract?.id ?? 0 }, { staleTime: 0 });
          return { revision: newest.revision, values: formOf(newest) };
        },
      }}
      meanwhile={(edit, save) =>
        contract &&
        part && <part.MeanwhileContract id={contract.id} edit={edit} sources={sources} onSave={save} />
      }
      save={async (values, baseRevision) => {
        const input = (await lateRules.load()).contractInputOf(values);
        return contract
          ? update.mutateAsync({ id: contract.id, baseRevision, ...input })
          : create.mutateAsync(input);
      }}
      saved={(saved) => {
        utils.dataQuality.contract.setData({ id: saved.id }, saved);
        void utils.dataQuality.invalidate();
        void acceptTaken(saved);
        return `${contract ? "Saved" : "Created"} “${saved.name}”`;
      }}
      hrefOf={({ id }) => `/data-quality/contracts/${id}`}
      placeErrors={(form, error) => unfolded.open(placeProblems(form, error))}
      onInvalid={(errors) => unfolded.open(rulesWithProblems(errors))}
      cancelHref={contract ? `/data-quality/contracts/${contract.id}` : "/data-quality/contracts"}
      submit={contract ? "Save contract" : "Create contract"}
      submitAlso={
        mayEvaluate
          ? {
              label: contract ? "Save and evaluate" : "Create and evaluate",
              onSaved: ({ id }) => evaluateOnArrival(id),
            }
          : undefined
      }
      note={
        contract
          ? "Saving makes a new version. Rules that you did not change keep their results; scores and counts stay."
          : "It is evaluated at its next scheduled run, or when you choose “Evaluate now”."
      }
    >
      <ContractFields
        contractId={contract?.id}
        sources={sources}
        unfolded={unfolded}
        sentences={sentences}
        onTakeFinding={(finding) => taken.current.push(finding)}
      />
    </FormEditor>
  );
}

function ContractFields({
  contractId,
  sources,
  unfolded,
  sentences,
  onTakeFinding,
}: {
  contractId: number | undefined;
  sources: readonly DataSource[];
  unfolded: UnfoldedRules;
  sentences: ToldRules;
  onTakeFinding: (finding: Finding) => void;
}) {
  const dataSourceId = useWatch<ContractForm, "dataSourceId">({ name: "dataSourceId" });
  const source = sources.find(({ id }) => id === dataSourceId);
  const schema = useDatabaseSchema(dataSourceId);
  const engine = source?.kind ?? null;
  const context = useMemo(() => ({ schema, engine }), [schema, engine]);
  return (
    <>
      <EditorTarget sources={sources} schema={schema} />
      <EditorRules {...{ contractId, context, unfolded, sentences, onTakeFinding }} />
      <EditorSamples />
      <EditorSchedule />
      <EditorAlerts projectId={source?.projectId ?? null} />
    </>
  );
}
