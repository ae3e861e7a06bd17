"use client";
import { Button } from "../ui/button.tsx";
import { CodeBlock } from "../ui/code.tsx";
import { Dialog, DialogFooter } from "../ui/dialog.tsx";

/** Shows a webhook's signing secret, only once. It closes only by confirming that the secret is stored. */
export function SigningSecretDialog({
  name,
  secret,
  onStored,
}: {
  name: string;
  secret: string;
  onStored: () => void;
}) {
  return (
    <Dialog
      open
      locked
      onOpenChange={() => {}}
      title={`The signing secret of “${name}”`}
      description="Your endpoint uses it to verify that a request comes from here (Standard Webhooks). It is shown only once."
    >
      <CodeBlock label="Signing secret">{secret}</CodeBlock>
      <DialogFooter>
        <Button variant="primary" onClick={onStored}>
          I have stored the secret
        </Button>
      </DialogFooter>
    </Dialog>
  );
}
