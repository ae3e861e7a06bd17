"use client";
import { useRouter } from "next/navigation";
import { useMemo, useRef } from "react";
import { FormProvider, useForm, useWatch } from "react-hook-form";
import { FormDraft } from "@/components/drafts/form-draft.tsx";
import { type Edition, useEditBase } from "@/components/edits/use-edit-base.ts";
import { useProject } from "@/components/projects/use-project.ts";
import { EditorFooter } from "@/components/shell/editor-footer.tsx";
import { LeaveGuard } from "@/components/shell/leave-guard.tsx";
import { trpc } from "@/components/trpc/client.tsx";
import { toast } from "@/components/ui/toaster.tsx";
import type { Contract } from "@/server/data-quality/schema.ts";
import type { DataSource } from "@/server/data-sources/schema.ts";
import { type ContractForm, contractInputOf, emptyContract, formOf } from "./contract-form.ts";
import { EditorAlerts } from "./editor-alerts.tsx";
import { EditorRules } from "./editor-rules.tsx";
import { EditorSamples } from "./editor-samples.tsx";
import { EditorSchedule } from "./editor-schedule.tsx";
import { EditorTarget } from "./editor-target.tsx";
import { placeProblems, readForm, rulesWithProblems } from "./form-problems.ts";
import { MeanwhileContract } from "./meanwhile-contract.tsx";
import { useDatabaseSchema } from "./use-database-schema.ts";
import { useUnfoldedRules } from "./use-unfolded-rules.ts";

const editionOf = (contract: Contract): Edition<ContractForm> => ({
  revision: contract.revision,
  values: formOf(contract),
});

/** Writes a contract, or changes the one that is given. */
export function ContractEditor({
  contract,
  sources,
  start = {},
}: {
  contract?: Contract;
  sources: readonly DataSource[];
  /** What a new contract begins with. */
  start?: Partial<ContractForm>;
}) {
  const { href } = useProject();
  const router = useRouter();
  const utils = trpc.useUtils();
  const create = trpc.dataQuality.createContract.useMutation();
  const update = trpc.dataQuality.updateContract.useMutation();
  const form = useForm<ContractForm>({
    defaultValues: contract ? formOf(contract) : emptyContract(start),
    resolver: readForm,
    mode: "onSubmit",
    // The first problem may stand in a folded rule: it is unfolded before it is focused.
    shouldFocusError: false,
  });
  const element = useRef<HTMLFormElement>(null);
  const unfolded = useUnfoldedRules();
  const dataSourceId = useWatch({ control: form.control, name: "dataSourceId" });
  const source = sources.find(({ id }) => id === dataSourceId);
  const schema = useDatabaseSchema(dataSourceId);
  const back = href(contract ? `/data-quality/contracts/${contract.id}` : "/data-quality/contracts");

  const engine = source?.kind ?? null;
  const context = useMemo(() => ({ schema, engine }), [schema, engine]);

  const showProblems = (inRules: readonly number[]) => {
    unfolded.open(inRules);
    // After the unfolding is drawn.
    setTimeout(() => element.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus(), 50);
  };
  const current = useMemo(() => contract && editionOf(contract), [contract]);
  const edit = useEditBase(form, current ?? null, async () =>
    editionOf(await utils.dataQuality.contract.fetch({ id: contract?.id ?? 0 }, { staleTime: 0 })),
  );

  const save = async (values: ContractForm): Promise<void> => {
    const input = contractInputOf(values);
    try {
      const saved = contract
        ? await update.mutateAsync({ id: contract.id, baseRevision: edit.revision(), ...input })
        : await create.mutateAsync(input);
      // What is saved is no longer a change that leaving would lose.
      form.reset(values);
      utils.dataQuality.contract.setData({ id: saved.id }, saved);
      void utils.dataQuality.invalidate();
      toast.success(contract ? `Saved “${saved.name}”` : `Created “${saved.name}”`);
      router.push(href(`/data-quality/contracts/${saved.id}`));
    } catch (error) {
      const refused = await edit.onRefused(error);
      if (refused === "again") return save(values);
      if (refused === null) showProblems(placeProblems(form, error));
    }
  };
  const submit = form.handleSubmit(save, (errors) => showProblems(rulesWithProblems(errors)));

  return (
    <FormProvider {...form}>
      <form ref={element} onSubmit={submit} noValidate>
        {contract && (
          <MeanwhileContract id={contract.id} edit={edit} sources={sources} onSave={() => void submit()} />
        )}
        <FormDraft of="contract" id={contract?.id} edit={edit} />
        <EditorTarget sources={sources} schema={schema} />
        <EditorRules context={context} unfolded={unfolded} />
        <EditorSamples />
        <EditorSchedule />
        <EditorAlerts projectId={source?.projectId ?? null} />
        <EditorFooter
          isNew={contract === undefined}
          cancelHref={back}
          submit={contract ? "Save contract" : "Create contract"}
          note={
            contract
              ? "Saving replaces the contract's rules, and removes the results per rule of past evaluations. Their scores and counts stay."
              : "It is evaluated at its next run; you can also evaluate it by hand at once."
          }
        />
      </form>
      <LeaveGuard />
    </FormProvider>
  );
}
