"use client";
import { useState } from "react";
import { contractInputOf, formOf } from "../data-quality/contract-form.ts";
import { type Recipient, RecipientForm } from "../notifications/recipient-dialog.tsx";
import { RecipientTestOutcome } from "../notifications/recipient-test-outcome.tsx";
import { recipientTypes } from "../notifications/recipient-types.ts";
import { SigningSecretDialog } from "../notifications/signing-secret-dialog.tsx";
import { useRecipientTests } from "../notifications/use-recipient-tests.ts";
import { inProject } from "../projects/project-filter.ts";
import { trpc } from "../trpc/client.tsx";
import { messageOf } from "../trpc/errors.ts";
import { Button } from "../ui/button.tsx";
import { Plus, Send } from "../ui/icons.tsx";
import { toast } from "../ui/toaster.tsx";
import type { StepProps } from "./step-props.ts";

/** Names a recipient, sends it a test message, and has the contract notify it. */
export function RecipientStep({ guide, refresh }: StepProps) {
  const projectId = guide.source?.projectId ?? guide.projectId;
  const [{ items }] = trpc.recipients.list.useSuspenseQuery(inProject(projectId));
  const [wantsMore, setWantsMore] = useState(false);
  const [made, setMade] = useState<{ name: string; secret: string } | null>(null);
  const writes = wantsMore || items.length === 0;
  return (
    <div className="flex max-w-2xl flex-col gap-4">
      {items.length > 0 && <Recipients items={items} guide={guide} refresh={refresh} />}
      {writes ? (
        <RecipientForm
          {...(projectId !== null && { projectId })}
          onSecret={setMade}
          onDone={() => {
            setWantsMore(false);
            void refresh();
          }}
          actions={
            items.length > 0 && (
              <Button variant="ghost" onClick={() => setWantsMore(false)}>
                Cancel
              </Button>
            )
          }
        />
      ) : (
        <div>
          <Button size="sm" icon={Plus} onClick={() => setWantsMore(true)}>
            New recipient
          </Button>
        </div>
      )}
      {made && <SigningSecretDialog {...made} onStored={() => setMade(null)} />}
    </div>
  );
}

function Recipients({
  items,
  guide: { contract },
  refresh,
}: Pick<StepProps, "guide" | "refresh"> & { items: readonly Recipient[] }) {
  const { testOf, test } = useRecipientTests();
  const { notify, isPending } = useNotify(refresh);
  return (
    <ul aria-label="Recipients" className="border-t">
      {items.map(({ id, name, type, destination }) => (
        <li key={id} className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b py-2">
          <span className="min-w-0 flex-1 basis-56">
            <span className="block font-medium break-words">{name}</span>
            <span className="block text-xs break-all text-ink-3">
              {recipientTypes[type].label}, {destination}
            </span>
            <RecipientTestOutcome test={testOf(id)} />
          </span>
          {contract && contract.recipientCount === 0 && (
            <Button size="sm" pending={isPending} onClick={() => void notify(contract.id, { id, name })}>
              Notify when “{contract.name}” fails
            </Button>
          )}
          <Button
            size="sm"
            icon={Send}
            variant="primary"
            pending={testOf(id)?.state === "running"}
            aria-label={`Send a test to ${name}`}
            onClick={async () => {
              await test(id);
              await refresh();
            }}
          >
            Send test
          </Button>
        </li>
      ))}
    </ul>
  );
}

/** Adds a recipient to a contract that was created before it. */
function useNotify(refresh: () => Promise<void>) {
  const utils = trpc.useUtils();
  const update = trpc.dataQuality.updateContract.useMutation();
  return {
    isPending: update.isPending,
    notify: async (contractId: number, { id, name }: Pick<Recipient, "id" | "name">) => {
      try {
        const contract = await utils.dataQuality.contract.fetch({ id: contractId }, { staleTime: 0 });
        const form = formOf(contract);
        await update.mutateAsync({
          id: contractId,
          baseRevision: contract.revision,
          ...contractInputOf({ ...form, recipientIds: [...form.recipientIds, id] }),
        });
        toast.success(`“${contract.name}” notifies “${name}” when it fails`);
        await Promise.all([utils.dataQuality.invalidate(), refresh()]);
      } catch (error) {
        toast.error("The contract could not be changed", { description: messageOf(error) });
      }
    },
  };
}
