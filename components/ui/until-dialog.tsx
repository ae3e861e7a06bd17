"use client";
/**
 * UntilDialog: asks for a future time. `onConfirm` may return a promise: the dialog closes on success and shows the
 * error on failure.
 */
import { type FormEvent, type ReactNode, useState } from "react";
import { Button } from "./button.tsx";
import { Dialog, DialogClose, DialogFooter } from "./dialog.tsx";
import { Field, FormError } from "./field.tsx";
import { Input } from "./input.tsx";
import { suggestedTimes } from "./later.ts";
import { MomentInput } from "./moment-input.tsx";
import { useZone } from "./zone.tsx";

export function UntilDialog({
  open,
  onOpenChange,
  title,
  description,
  confirm,
  reason: wantsReason,
  onConfirm,
  explain,
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: ReactNode;
  description: ReactNode;
  /** The button's text: the action. */
  confirm: string;
  /** Whether it also asks why. */
  reason?: "optional" | "required" | undefined;
  onConfirm: (until: Date, reason: string) => unknown;
  explain: (error: unknown) => string;
}) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={title} description={description} size="sm">
      <UntilForm
        confirm={confirm}
        wantsReason={wantsReason}
        explain={explain}
        onConfirm={onConfirm}
        onDone={() => onOpenChange(false)}
      />
    </Dialog>
  );
}

function UntilForm({
  confirm,
  wantsReason,
  onConfirm,
  onDone,
  explain,
}: {
  confirm: string;
  wantsReason: "optional" | "required" | undefined;
  onConfirm: (until: Date, reason: string) => unknown;
  onDone: () => void;
  explain: (error: unknown) => string;
}) {
  const zone = useZone();
  const [until, setUntil] = useState<Date | null>(() => suggestedTimes(new Date(), zone)[1]?.until ?? null);
  const [reason, setReason] = useState("");
  const [problem, setProblem] = useState<string | null>(null);
  const [missing, setMissing] = useState<string | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [pending, setPending] = useState(false);
  const act = async (event: FormEvent) => {
    event.preventDefault();
    if (pending) return;
    if (until === null || until.getTime() <= Date.now())
      return setProblem(until === null ? "is required" : "must be in the future");
    if (wantsReason === "required" && reason.trim() === "") return setMissing("is required");
    setPending(true);
    setFailure(null);
    try {
      await onConfirm(until, reason.trim());
      onDone();
    } catch (error) {
      setFailure(explain(error));
    } finally {
      setPending(false);
    }
  };
  return (
    <form onSubmit={act} noValidate className="flex flex-col gap-4">
      <Field label="Until" error={problem} hint={`In your time zone, ${zone}`}>
        <MomentInput
          data-autofocus
          value={until}
          onMomentChange={(moment) => {
            setUntil(moment);
            setProblem(null);
          }}
        />
      </Field>
      {wantsReason && (
        <Field
          label="Reason"
          optional={wantsReason === "optional"}
          error={missing}
          hint="Shown to everyone while it lasts"
        >
          <Input
            maxLength={500}
            value={reason}
            onChange={(event) => {
              setReason(event.target.value);
              setMissing(null);
            }}
          />
        </Field>
      )}
      <FormError>{failure}</FormError>
      <DialogFooter>
        <DialogClose>
          <Button>Cancel</Button>
        </DialogClose>
        <Button type="submit" variant="primary" pending={pending}>
          {confirm}
        </Button>
      </DialogFooter>
    </form>
  );
}
