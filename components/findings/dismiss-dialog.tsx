"use client";
import { useState } from "react";
import { Button } from "@/components/ui/button.tsx";
import { Dialog, DialogClose, DialogFooter } from "@/components/ui/dialog.tsx";
import { Field, FormError } from "@/components/ui/field.tsx";
import { Textarea } from "@/components/ui/textarea.tsx";
import type { Finding } from "@/server/findings/schema.ts";
import { useDecideFinding } from "./use-decide-finding.ts";

/** Says that a finding is no problem, and why. */
export function DismissDialog({ finding, onClose }: { finding: Finding; onClose: () => void }) {
  const { dismiss, isPending, failure } = useDecideFinding(finding);
  const [reason, setReason] = useState(finding.reason ?? "");
  const send = async () => {
    if (await dismiss(reason)) onClose();
  };
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title="Not a problem">
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
          event.preventDefault();
          void send();
        }}
      >
        <p>{finding.statement}</p>
        <Field label="Reason" optional hint="For those who wonder later, such as “Test orders”">
          <Textarea
            data-autofocus
            rows={2}
            maxLength={1000}
            value={reason}
            onChange={(event) => setReason(event.target.value)}
          />
        </Field>
        <p className="text-xs text-ink-3">
          Later scans do not open it again while it is the same fault. New faults in the same column are still
          found.
        </p>
        <FormError>{failure}</FormError>
        <DialogFooter>
          <DialogClose>
            <Button>Cancel</Button>
          </DialogClose>
          <Button type="submit" variant="primary" pending={isPending}>
            Not a problem
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}
