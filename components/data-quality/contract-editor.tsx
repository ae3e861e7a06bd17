"use client";
import { useMemo, useRef } from "react";
import { useWatch } from "react-hook-form";
import { useMay } from "@/components/auth/use-me.ts";
import { FormEditor } from "@/components/editors/form-editor.tsx";
import type { Edition } from "@/components/edits/use-edit-base.ts";
import { trpc } from "@/components/trpc/client.tsx";
import type { Contract } from "@/server/data-quality/schema.ts";
import type { DataSource } from "@/server/data-sources/schema.ts";
import type { Finding } from "@/server/findings/schema.ts";
import { type ContractForm, contractInputOf, emptyContract, formOf } from "./contract-form.ts";
import { problemsOf } from "./contract-problems.ts";
import { EditorAlerts } from "./editor-alerts.tsx";
import { EditorRules } from "./editor-rules.tsx";
import { EditorSamples } from "./editor-samples.tsx";
import { EditorSchedule } from "./editor-schedule.tsx";
import { EditorTarget } from "./editor-target.tsx";
import { evaluateOnArrival } from "./evaluate-on-arrival.ts";
import { hasRule, ruleOfFinding } from "./finding-rule.ts";
import { placeProblems, rulesWithProblems } from "./form-problems.ts";
import { MeanwhileContract } from "./meanwhile-contract.tsx";
import { useDatabaseSchema } from "./use-database-schema.ts";
import { type UnfoldedRules, useUnfoldedRules } from "./use-unfolded-rules.ts";

const editionOf = (contract: Contract): Edition<ContractForm> => ({
  revision: contract.revision,
  values: formOf(contract),
});

/** Creates a contract, or edits an existing one. */
export function ContractEditor({
  contract,
  sources,
  start = {},
}: {
  contract?: Contract;
  sources: readonly DataSource[];
  /** Initial values of a new contract. */
  start?: Partial<ContractForm>;
}) {
  const utils = trpc.useUtils();
  const create = trpc.dataQuality.createContract.useMutation();
  const update = trpc.dataQuality.updateContract.useMutation();
  const mayEvaluate = useMay("evaluations:run");
  const unfolded = useUnfoldedRules();
  const accept = trpc.findings.accept.useMutation({ onSettled: () => utils.findings.invalidate() });
  const taken = useRef<Finding[]>([]);
  /** What was taken as a rule, and is still there as it was taken, is decided. */
  const acceptTaken = (saved: Contract) => {
    const { rules } = formOf(saved);
    for (const finding of taken.current.splice(0)) {
      const rule = ruleOfFinding(finding);
      if (rule && hasRule(rules, rule)) accept.mutate({ id: finding.id, contractId: saved.id });
    }
  };
  const current = useMemo(() => (contract ? editionOf(contract) : null), [contract]);
  return (
    <FormEditor<ContractForm, Contract>
      kind="contract"
      id={contract?.id}
      start={contract ? formOf(contract) : emptyContract(start)}
      problemsOf={problemsOf}
      revisions={{
        current,
        load: async () =>
          editionOf(await utils.dataQuality.contract.fetch({ id: contract?.id ?? 0 }, { staleTime: 0 })),
      }}
      meanwhile={(edit, save) =>
        contract && <MeanwhileContract id={contract.id} edit={edit} sources={sources} onSave={save} />
      }
      save={(values, baseRevision) => {
        const input = contractInputOf(values);
        return contract
          ? update.mutateAsync({ id: contract.id, baseRevision, ...input })
          : create.mutateAsync(input);
      }}
      saved={(saved) => {
        utils.dataQuality.contract.setData({ id: saved.id }, saved);
        void utils.dataQuality.invalidate();
        acceptTaken(saved);
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
        onTakeFinding={(finding) => taken.current.push(finding)}
      />
    </FormEditor>
  );
}

function ContractFields({
  contractId,
  sources,
  unfolded,
  onTakeFinding,
}: {
  contractId: number | undefined;
  sources: readonly DataSource[];
  unfolded: UnfoldedRules;
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
      <EditorRules {...{ contractId, context, unfolded, onTakeFinding }} />
      <EditorSamples />
      <EditorSchedule />
      <EditorAlerts projectId={source?.projectId ?? null} />
    </>
  );
}
