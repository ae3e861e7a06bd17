"use client";
import { Button } from "../../ui/button.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { Dialog, DialogFooter } from "../../ui/dialog.tsx";

/** New recovery codes, shown once. */
export function RecoveryCodes({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      size="sm"
      title="Recovery codes"
      description="Each replaces your second factor once, if you lose it. They are not shown again: store them where you find them without your phone."
    >
      <ul
        aria-label="Recovery codes"
        className="grid gap-x-4 gap-y-1 border-y py-3 font-mono text-sm sm:grid-cols-2"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <DialogFooter>
        <CopyButton text={codes.join("\n")} />
        <Button variant="primary" onClick={onClose}>
          I have stored the codes
        </Button>
      </DialogFooter>
    </Dialog>
  );
}
