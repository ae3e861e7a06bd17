"use client";
import { useQueryErrorResetBoundary } from "@tanstack/react-query";
import { useEffect, useEffectEvent } from "react";
import { factsOf } from "@/components/trpc/errors.ts";
import { ErrorState } from "@/components/ui/error-state.tsx";

/** How long to wait between checks whether the service is back. */
const pauseMs = 3_000;

/**
 * Shown when a page could not be rendered: why, and a retry button. If the service did not respond, the page
 * reloads by itself as soon as it does.
 */
export default function PageError({ error, retry }: { error: unknown; retry: () => void }) {
  const { reset } = useQueryErrorResetBoundary();
  const { code, message, requestId, mayPass } = factsOf(error);
  const digest = error instanceof Error && "digest" in error ? String(error.digest) : undefined;
  const isUnreachable = code === null && mayPass;
  const again = () => {
    reset();
    retry();
  };
  const onAnswer = useEffectEvent(again);
  useEffect(() => {
    if (!isUnreachable) return;
    const timer = setInterval(async () => {
      const answer = await fetch(window.location.href, { method: "HEAD" }).catch(() => null);
      if (answer?.ok) onAnswer();
    }, pauseMs);
    return () => clearInterval(timer);
  }, [isUnreachable]);
  return (
    <ErrorState
      title={
        code === "NOT_FOUND"
          ? "Not found"
          : isUnreachable
            ? "The service is not responding"
            : "This page could not be loaded"
      }
      message={
        code === "NOT_FOUND"
          ? `${message}. It may have been deleted, or you may not have access to it.`
          : isUnreachable
            ? "Retrying. The page loads as soon as the service responds."
            : message
      }
      requestId={requestId ?? digest}
      onRetry={again}
    />
  );
}
