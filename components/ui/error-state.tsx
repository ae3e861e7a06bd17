"use client";
import type { ReactNode } from "react";
import { Button } from "./button.tsx";
/** ErrorState: what happened, what it means, the request ID to quote, and a retry button. */
import { RotateCw } from "./icons.tsx";
import { StatusIcon } from "./status.tsx";

export function ErrorState({
  title = "This could not be loaded",
  message,
  requestId,
  onRetry,
  pending = false,
  children,
}: {
  title?: ReactNode;
  message?: ReactNode;
  requestId?: string | undefined;
  onRetry?: () => void;
  pending?: boolean;
  /** Other actions. */
  children?: ReactNode;
}) {
  return (
    <div role="alert" className="flex flex-col items-start gap-2 border-t py-6">
      <div className="flex items-center gap-2 font-medium">
        <StatusIcon kind="critical" />
        {title}
      </div>
      {message && <div className="max-w-prose break-words text-ink-2">{message}</div>}
      {requestId && (
        <div className="text-xs text-ink-3">
          Request <code className="font-mono select-all">{requestId}</code>
        </div>
      )}
      <div className="flex flex-wrap gap-2 pt-2">
        {onRetry && (
          <Button icon={RotateCw} pending={pending} onClick={onRetry}>
            Try again
          </Button>
        )}
        {children}
      </div>
    </div>
  );
}
