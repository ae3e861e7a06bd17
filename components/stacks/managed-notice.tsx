"use client";
import { type ReactNode, useState } from "react";
import { useMay } from "@/components/auth/use-me.ts";
import { trpc } from "@/components/trpc/client.tsx";
import { messageOf } from "@/components/trpc/errors.ts";
import { Button } from "@/components/ui/button.tsx";
import { ConfirmDialog } from "@/components/ui/confirm-dialog.tsx";
import { FileText, LockOpen } from "@/components/ui/icons.tsx";
import { Moment } from "@/components/ui/moment.tsx";
import { toast } from "@/components/ui/toaster.tsx";
import { type ManagedKind, managedWords } from "@/server/stacks/managed-kinds.ts";
import type { ManagedThing } from "@/server/stacks/schema.ts";
import { useManagedThing } from "./use-managed.ts";

/** Says which file describes a thing, and lets an Admin take it over. Nothing for a thing that no file describes. */
export function ManagedNotice({ kind, id }: { kind: ManagedKind; id: number }) {
  const thing = useManagedThing(kind, id);
  return thing ? <Notice thing={thing} /> : null;
}

/** What edits a thing, in place of which the notice is shown while only its files change it. */
export function UnlessManaged({
  kind,
  id,
  children,
}: {
  kind: ManagedKind;
  /** undefined for a new one. */
  id: number | undefined;
  children: ReactNode;
}) {
  return id === undefined ? children : <Unless thing={{ kind, id }}>{children}</Unless>;
}

function Unless({
  thing: { kind, id },
  children,
}: {
  thing: { kind: ManagedKind; id: number };
  children: ReactNode;
}) {
  const thing = useManagedThing(kind, id);
  return (
    <>
      {thing && <Notice thing={thing} />}
      {(!thing || thing.takenOver) && children}
    </>
  );
}

function Notice({ thing }: { thing: ManagedThing }) {
  const { kind, stack, path, appliedAt, takenOver, projectId } = thing;
  const mayIn = useMay("stacks:takeover", projectId ?? undefined);
  const mayInAll = useMay("users:manage");
  const mayTakeOver = projectId === null ? mayInAll : mayIn;
  const [isAsking, setAsking] = useState(false);
  const words = managedWords[kind];
  return (
    <section
      aria-label="Managed as code"
      className="mb-4 flex flex-wrap items-center gap-x-3 gap-y-2 rounded-md border bg-sunken px-3 py-2"
    >
      <FileText aria-hidden className="size-4 shrink-0 text-ink-3" />
      <p className="min-w-0 flex-1 basis-60 wrap-anywhere">
        {takenOver ? (
          <>
            {takenOver.by} took this {words} over from <Source stack={stack} path={path} />{" "}
            <Moment at={takenOver.at} exact />. Until its file says the same, <code>plumbline apply</code>{" "}
            stops at it.
          </>
        ) : (
          <>
            This {words} is managed as code by <Source stack={stack} path={path} />, last applied{" "}
            <Moment at={appliedAt} />. Change it there.{" "}
            {!mayTakeOver && <span className="text-ink-2">An Admin can take it over.</span>}
          </>
        )}
      </p>
      {mayTakeOver && !takenOver && (
        <Button size="sm" icon={LockOpen} onClick={() => setAsking(true)}>
          Take over
        </Button>
      )}
      <TakeOver thing={thing} open={isAsking} onOpenChange={setAsking} />
    </section>
  );
}

const Source = ({ stack, path }: { stack: string; path: string }) => (
  <>
    <strong className="font-medium">{stack}</strong> in{" "}
    <code className="font-mono text-[0.8125rem]">{path}</code>
  </>
);

function TakeOver({
  thing: { kind, id, stack, path },
  open,
  onOpenChange,
}: {
  thing: ManagedThing;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}) {
  const utils = trpc.useUtils();
  const takeOver = trpc.stacks.takeOver.useMutation();
  const words = managedWords[kind];
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title={`Take this ${words} over?`}
      confirm="Take over"
      variant="primary"
      explain={messageOf}
      onConfirm={async () => {
        await takeOver.mutateAsync({ kind, id });
        await utils.stacks.invalidate();
        toast.success(`This ${words} can be edited here again`);
      }}
    >
      <p className="wrap-anywhere">
        It can be edited here again. The next <code>plumbline apply</code> of {stack} stops if it is not as{" "}
        <code>{path}</code> says: change the file to match, or leave it out.
      </p>
    </ConfirmDialog>
  );
}
