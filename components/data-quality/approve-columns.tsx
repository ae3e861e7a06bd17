"use client";
import { useState } from "react";
import { useMay } from "@/components/auth/use-me.ts";
import { trpc } from "@/components/trpc/client.tsx";
import { messageOf } from "@/components/trpc/errors.ts";
import { Button } from "@/components/ui/button.tsx";
import { Dialog, DialogFooter } from "@/components/ui/dialog.tsx";
import { FormError } from "@/components/ui/field.tsx";
import { Columns3 } from "@/components/ui/icons.tsx";
import { asSentence } from "@/components/ui/sentence.ts";
import { Skeleton } from "@/components/ui/skeleton.tsx";
import { toast } from "@/components/ui/toaster.tsx";
import type { Rule } from "@/server/data-quality/rule-schema.ts";
import { columnChanges } from "@/server/data-quality/rules/column-changes.ts";
import type { Contract } from "@/server/data-quality/schema.ts";
import { ColumnChanges } from "./column-tables.tsx";
import { approvedColumnsIn } from "./configured-columns.ts";
import { contractInputOf, formOf } from "./contract-form.ts";

type Props = { contract: Contract; rule: Rule; onApproved: () => void };

/** "Approve as it is now" on a Schema rule's result: an edit of the contract like any other. */
export function ApproveColumns(props: Props) {
  const mayEdit = useMay("contracts:configure");
  const mayRead = useMay("evaluations:run");
  const [isOpen, setOpen] = useState(false);
  if (!mayEdit || !mayRead) return null;
  return (
    <>
      <Button size="sm" icon={Columns3} className="self-start" onClick={() => setOpen(true)}>
        Approve as it is now
      </Button>
      {isOpen && <ApproveDialog {...props} onClose={() => setOpen(false)} />}
    </>
  );
}

function ApproveDialog({ contract, rule, onApproved, onClose }: Props & { onClose: () => void }) {
  const utils = trpc.useUtils();
  // What the person decides about, even if the page has refreshed since.
  const [base] = useState(contract);
  const { dataSourceId, schemaName, tableName } = base;
  const read = trpc.dataQuality.columns.useQuery(
    { dataSourceId, schemaName, tableName },
    { staleTime: Number.POSITIVE_INFINITY, gcTime: 0, retry: false },
  );
  const update = trpc.dataQuality.updateContract.useMutation();
  const present = read.data?.items;
  const changes = present && columnChanges(approvedColumnsIn(rule.configuration.columns), present);

  const approve = () => {
    if (!present) return;
    const form = formOf(base);
    const rules = form.rules.map((each) =>
      each.key === rule.key ? { ...each, configuration: { ...each.configuration, columns: present } } : each,
    );
    update.mutate(
      { id: base.id, baseRevision: base.revision, ...contractInputOf({ ...form, rules }) },
      {
        onSuccess: (saved) => {
          onClose();
          toast.success(`Approved as version ${saved.version}`);
          utils.dataQuality.contract.setData({ id: base.id }, saved);
          void utils.dataQuality.invalidate();
          onApproved();
        },
      },
    );
  };

  return (
    <Dialog
      open
      size="lg"
      onOpenChange={(open) => !open && onClose()}
      title={`Approve the columns of ${tableName}?`}
      description="The rule then expects the columns that the table has now. This saves a new version of the contract and evaluates it."
    >
      {read.isPending && <Skeleton className="h-24" />}
      {read.error && <FormError>{asSentence(messageOf(read.error))}</FormError>}
      {changes &&
        (changes.length === 0 ? (
          <p className="text-sm">The table has exactly the approved columns again.</p>
        ) : (
          <ColumnChanges changes={changes} title="What would be approved" />
        ))}
      {update.error && <FormError>{asSentence(messageOf(update.error))}</FormError>}
      <DialogFooter>
        <Button onClick={onClose}>Cancel</Button>
        {read.error ? (
          <Button variant="primary" onClick={() => void read.refetch()}>
            Try again
          </Button>
        ) : (
          <Button
            variant="primary"
            disabled={!changes || changes.length === 0}
            pending={update.isPending}
            onClick={approve}
          >
            Approve
          </Button>
        )}
      </DialogFooter>
    </Dialog>
  );
}
