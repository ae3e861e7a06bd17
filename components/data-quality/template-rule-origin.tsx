"use client";
import { type FormEvent, useState } from "react";
import { useMay } from "@/components/auth/use-me.ts";
import { useProject } from "@/components/projects/use-project.ts";
import { trpc } from "@/components/trpc/client.tsx";
import { messageOf } from "@/components/trpc/errors.ts";
import { Button } from "@/components/ui/button.tsx";
import { Dialog, DialogClose, DialogFooter } from "@/components/ui/dialog.tsx";
import { Field, FormError } from "@/components/ui/field.tsx";
import { Input } from "@/components/ui/input.tsx";
import { Link } from "@/components/ui/link.tsx";
import { toast } from "@/components/ui/toaster.tsx";
import type { ContractTemplateRule } from "@/server/data-quality/templates/schema.ts";

type Act = "leaveOut" | "detach";

const words = {
  leaveOut: {
    title: "Leave out",
    description:
      "The contract goes without this rule. The template does not add it again until you take it back.",
  },
  detach: {
    title: "Detach",
    description: "It becomes the contract's own rule. Changes of the template no longer reach it.",
  },
} as const;

/** Which template a rule comes from, with what can be done about it here. */
export function TemplateRuleOrigin({ contractId, of }: { contractId: number; of: ContractTemplateRule }) {
  const { href } = useProject();
  const mayChange = useMay("contracts:configure");
  const [asked, setAsked] = useState<Act | null>(null);
  return (
    <>
      <Link href={href(`/data-quality/templates/${of.templateId}`)} className="text-accent underline">
        {of.templateName}
      </Link>
      {mayChange && (
        <span className="flex flex-wrap gap-1 pt-1">
          <Button size="sm" onClick={() => setAsked("leaveOut")}>
            Leave out…
          </Button>
          <Button size="sm" onClick={() => setAsked("detach")}>
            Detach…
          </Button>
        </span>
      )}
      <Dialog
        open={asked !== null}
        onOpenChange={(open) => !open && setAsked(null)}
        title={`${words[asked ?? "leaveOut"].title} “${of.ruleName}”`}
        description={words[asked ?? "leaveOut"].description}
        size="sm"
      >
        {asked && <ReasonForm contractId={contractId} of={of} act={asked} onDone={() => setAsked(null)} />}
      </Dialog>
    </>
  );
}

function ReasonForm({
  contractId,
  of,
  act,
  onDone,
}: {
  contractId: number;
  of: ContractTemplateRule;
  act: Act;
  onDone: () => void;
}) {
  const [reason, setReason] = useState("");
  const [missing, setMissing] = useState<string | null>(null);
  const utils = trpc.useUtils();
  const settled = { onSuccess: () => utils.dataQuality.invalidate() };
  const leaveOut = trpc.dataQuality.leaveOutRule.useMutation(settled);
  const detach = trpc.dataQuality.detachRule.useMutation(settled);
  const change = act === "leaveOut" ? leaveOut : detach;
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (reason.trim() === "") return setMissing("is required");
    const { templateId, column } = of;
    // A failure is shown below.
    const done = await change.mutateAsync({ id: contractId, templateId, column, reason }).catch(() => null);
    if (!done) return;
    toast.success(act === "leaveOut" ? `Left out “${of.ruleName}”` : `Detached “${of.ruleName}”`);
    onDone();
  };
  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-4">
      <Field label="Reason" error={missing} hint="Shown on the contract">
        <Input
          data-autofocus
          maxLength={1000}
          value={reason}
          onChange={(event) => {
            setReason(event.target.value);
            setMissing(null);
          }}
        />
      </Field>
      <FormError>{change.error && messageOf(change.error)}</FormError>
      <DialogFooter>
        <DialogClose>
          <Button>Cancel</Button>
        </DialogClose>
        <Button type="submit" variant="primary" pending={change.isPending}>
          {words[act].title}
        </Button>
      </DialogFooter>
    </form>
  );
}
