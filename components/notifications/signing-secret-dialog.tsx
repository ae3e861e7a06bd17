"use client";
import { Button } from "../ui/button.tsx";
import { CodeBlock } from "../ui/code.tsx";
import { Dialog, DialogFooter } from "../ui/dialog.tsx";

/** Shows a webhook's signing secret, this once. The only way out is to say that it has been stored. */
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
      description="Your endpoint needs it to check that a request comes from here (Standard Webhooks). It is shown this once and cannot be looked up later."
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
