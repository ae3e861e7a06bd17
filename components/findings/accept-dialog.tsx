"use client";
import { useState } from "react";
import { trpc } from "@/components/trpc/client.tsx";
import { Button } from "@/components/ui/button.tsx";
import { ChoiceList } from "@/components/ui/choice-list.tsx";
import { Code } from "@/components/ui/code.tsx";
import { Dialog, DialogClose, DialogFooter } from "@/components/ui/dialog.tsx";
import { Field, FormError } from "@/components/ui/field.tsx";
import { plural } from "@/components/ui/format.ts";
import { Select } from "@/components/ui/select.tsx";
import { Skeleton } from "@/components/ui/skeleton.tsx";
import { ruleSentence } from "@/server/data-quality/rules/rule-sentence.ts";
import { ruleDefinition } from "@/server/data-quality/rules/rules.ts";
import type { Finding } from "@/server/findings/schema.ts";
import { useDecideFinding } from "./use-decide-finding.ts";

const newContract = "new";

/** Asks which contract takes a finding's rule. */
export function AcceptDialog({ finding, onClose }: { finding: Finding; onClose: () => void }) {
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title="Make it a rule">
      <AcceptForm finding={finding} onClose={onClose} />
    </Dialog>
  );
}

function AcceptForm({ finding, onClose }: { finding: Finding; onClose: () => void }) {
  const { dataSourceId, schemaName, tableName, rule } = finding;
  const { data, isPending: isLoading } = trpc.dataQuality.contracts.useQuery({ dataSourceId });
  const { accept, isPending, failure } = useDecideFinding(finding);
  const [chosen, setChosen] = useState<string | null>(null);
  const contracts = (data?.items ?? [])
    .filter((each) => each.schemaName === schemaName && each.tableName === tableName)
    .sort((a, b) => a.id - b.id);
  const target = chosen ?? (contracts[0] ? String(contracts[0].id) : newContract);
  const send = async () => {
    if (isLoading) return;
    const done = await accept(
      target === newContract ? { newContract: true } : { contractId: Number(target) },
    );
    if (done) onClose();
  };
  if (rule === null)
    return (
      <>
        <p>No type of rule can describe this finding.</p>
        <DialogFooter>
          <DialogClose>
            <Button>Close</Button>
          </DialogClose>
        </DialogFooter>
      </>
    );
  const options = [
    ...contracts.map(({ id, name, rules }) => ({
      value: String(id),
      label: name,
      hint: plural(rules.length, "rule"),
    })),
    {
      value: newContract,
      label: "A new contract",
      hint: "Runs daily at 06:00 UTC; you can change it afterwards",
    },
  ];
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <p>{finding.statement}</p>
      <div className="flex flex-col gap-1">
        <h3 className="text-xs font-medium text-ink-2">Rule</h3>
        <p>{rule.type === "CustomSql" ? ruleDefinition(rule.type).label : ruleSentence(rule)}</p>
        {rule.type === "CustomSql" && (
          <Code className="max-h-40 overflow-auto whitespace-pre-wrap">
            {String(rule.configuration.sql ?? "")}
          </Code>
        )}
        <p className="text-xs text-ink-3">It fails until these rows are fixed.</p>
      </div>
      {isLoading ? (
        <Skeleton className="h-16 w-full" />
      ) : contracts.length === 0 ? (
        <p className="text-ink-2">
          No contract watches{" "}
          <span className="font-mono text-[13px]">
            {schemaName}.{tableName}
          </span>{" "}
          yet. A new one is created that runs daily at 06:00 UTC; you can change it afterwards.
        </p>
      ) : options.length <= 4 ? (
        <ChoiceList label="Contract" value={target} onValueChange={setChosen} options={options} />
      ) : (
        <Field label="Contract">
          <Select value={target} onValueChange={setChosen} options={options} />
        </Field>
      )}
      <FormError>{failure}</FormError>
      <DialogFooter>
        <DialogClose>
          <Button>Cancel</Button>
        </DialogClose>
        <Button type="submit" variant="primary" pending={isPending} data-autofocus>
          {target === newContract ? "Create contract" : "Add rule"}
        </Button>
      </DialogFooter>
    </form>
  );
}
