"use client";
import { encode } from "uqr";
import { trpc } from "../../trpc/client.tsx";
import { messageOf } from "../../trpc/errors.ts";
import { ErrorState } from "../../ui/error-state.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { ConfirmedDialog } from "./confirmed-dialog.tsx";
import type { AddFactorProps } from "./use-factors.ts";

/** Sets up an authenticator app: a code of it confirms that the app has the secret. */
export function AuthenticatorDialog({ needsPassword, onClose, onAdded }: AddFactorProps) {
  const utils = trpc.useUtils();
  // Each reading is a new secret, so nothing may read it again while someone types.
  const begun = trpc.session.newTotp.useQuery(undefined, {
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  const add = trpc.session.addTotp.useMutation();
  return (
    <ConfirmedDialog
      title="Add an authenticator app"
      description="Scan the code with the app, or type the key into it. Then enter the six digits that it shows."
      confirm="Add authenticator app"
      field={{ label: "Code", hint: "Six digits, new every 30 seconds", value: "", isCode: true }}
      needsPassword={needsPassword}
      onClose={onClose}
      onConfirm={async ({ text: code, password }) => {
        if (!begun.data) return "The key has not been loaded yet. Try again in a moment.";
        const { recoveryCodes } = await add.mutateAsync({ ticket: begun.data.ticket, code, password });
        await utils.session.secondFactors.invalidate();
        onAdded(recoveryCodes);
        return null;
      }}
    >
      {begun.data ? (
        <div className="flex flex-wrap items-center gap-4">
          <QrCode text={begun.data.uri} />
          <div className="min-w-0 flex-1 basis-40">
            <p className="text-ink-2">Key</p>
            <p className="font-mono text-sm break-all" data-testid="totp-key">
              {begun.data.secret.replaceAll(/(.{4})(?=.)/g, "$1 ")}
            </p>
          </div>
        </div>
      ) : begun.error ? (
        <ErrorState message={messageOf(begun.error)} onRetry={() => void begun.refetch()} />
      ) : (
        <Skeleton className="h-40" />
      )}
    </ConfirmedDialog>
  );
}

/** Dark on white in both themes: some apps do not read the reverse. */
function QrCode({ text }: { text: string }) {
  const { data, size } = encode(text, { border: 2 });
  const path = data
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : "")))
    .join("");
  return (
    <svg
      role="img"
      aria-label="QR code with the key"
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="size-40 shrink-0 rounded-md"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
