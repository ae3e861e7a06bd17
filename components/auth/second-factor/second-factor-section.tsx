"use client";
import { useState } from "react";
import { trpc } from "../../trpc/client.tsx";
import { Button } from "../../ui/button.tsx";
import { plural } from "../../ui/format.ts";
import { Moment } from "../../ui/moment.tsx";
import { toast } from "../../ui/toaster.tsx";
import { AddFactors } from "./add-factors.tsx";
import { ConfirmedDialog } from "./confirmed-dialog.tsx";
import { RecoveryCodes } from "./recovery-codes.tsx";
import { type Factors, useFactors } from "./use-factors.ts";

type Task = { kind: "app" | "codes" } | { kind: "passkey"; id: number; name: string };

/** What the user presents besides the password. */
export function SecondFactorSection() {
  const factors = useFactors();
  const [codes, setCodes] = useState<string[] | null>(null);
  const [task, setTask] = useState<Task | null>(null);
  const hasAny = factors.totp !== null || factors.passkeys.length > 0;
  return (
    <section aria-labelledby="profile-factors" className="max-w-3xl border-t pt-4 pb-8">
      <h2 id="profile-factors" className="text-base font-semibold tracking-tight">
        Second factor
      </h2>
      {factors.hasPassword ? (
        <>
          <p className="pt-1 pb-3 text-ink-2">
            {hasAny
              ? "Sign-in asks for one of these besides the password. Changing them ends your other sessions."
              : "With an authenticator app or a passkey, a stolen password is not enough to sign in as you."}
            {factors.isRequired && " Your role needs one."} API keys are not affected.
          </p>
          {hasAny && <FactorList factors={factors} onTask={setTask} />}
          <AddFactors
            factors={factors}
            onAdded={(made) => {
              setCodes(made);
              toast.success("Second factor added");
            }}
          />
        </>
      ) : (
        <p className="pt-1 text-ink-2">
          You sign in with your organization's provider, which is where you set up a second factor.
        </p>
      )}
      {task && (
        <TaskDialog
          task={task}
          needsPassword={factors.needsPassword}
          onClose={() => setTask(null)}
          onCodes={setCodes}
        />
      )}
      {codes && <RecoveryCodes codes={codes} onClose={() => setCodes(null)} />}
    </section>
  );
}

function FactorList({ factors, onTask }: { factors: Factors; onTask: (task: Task) => void }) {
  return (
    <ul aria-label="Second factors" className="mb-4 divide-y border-y">
      {factors.totp && (
        <Row title="Authenticator app" action="Remove" onAct={() => onTask({ kind: "app" })}>
          added <Moment at={factors.totp.createdAt} />
        </Row>
      )}
      {factors.passkeys.map(({ id, name, createdAt, lastUsedAt }) => (
        <Row key={id} title={name} action="Remove" onAct={() => onTask({ kind: "passkey", id, name })}>
          passkey, added <Moment at={createdAt} /> ·{" "}
          {lastUsedAt ? (
            <>
              last used <Moment at={lastUsedAt} />
            </>
          ) : (
            "not used yet"
          )}
        </Row>
      ))}
      <Row title="Recovery codes" action="Replace" onAct={() => onTask({ kind: "codes" })}>
        {plural(factors.recoveryCodesLeft, "code")} left
      </Row>
    </ul>
  );
}

function Row({
  title,
  action,
  onAct,
  children,
}: {
  title: string;
  action: string;
  onAct: () => void;
  children: React.ReactNode;
}) {
  return (
    <li className="flex items-center gap-3 py-2">
      <div className="min-w-0 flex-1">
        <p className="font-medium break-words">{title}</p>
        <p className="text-xs text-ink-3">{children}</p>
      </div>
      <Button size="sm" aria-label={`${action} ${title}`} onClick={onAct}>
        {action}
      </Button>
    </li>
  );
}

function TaskDialog({
  task,
  needsPassword,
  onClose,
  onCodes,
}: {
  task: Task;
  needsPassword: boolean;
  onClose: () => void;
  onCodes: (codes: string[] | null) => void;
}) {
  const utils = trpc.useUtils();
  const removeTotp = trpc.session.removeTotp.useMutation();
  const removePasskey = trpc.session.removePasskey.useMutation();
  const replace = trpc.session.newRecoveryCodes.useMutation();
  const run = async (password: string | undefined) => {
    if (task.kind === "app") await removeTotp.mutateAsync({ password });
    else if (task.kind === "passkey") await removePasskey.mutateAsync({ id: task.id, password });
    else onCodes((await replace.mutateAsync({ password })).recoveryCodes);
    await utils.session.secondFactors.invalidate();
    onClose();
    return null;
  };
  const words =
    task.kind === "codes"
      ? {
          title: "Replace recovery codes?",
          description: "The former codes no longer work. Your other sessions end.",
          confirm: "Replace recovery codes",
        }
      : {
          title: task.kind === "passkey" ? `Remove passkey ${task.name}?` : "Remove authenticator app?",
          description: "It no longer works for signing in. Your other sessions end.",
          confirm: task.kind === "passkey" ? "Remove passkey" : "Remove authenticator app",
        };
  return (
    <ConfirmedDialog
      {...words}
      danger={task.kind !== "codes"}
      needsPassword={needsPassword}
      onClose={onClose}
      onConfirm={({ password }) => run(password)}
    />
  );
}
