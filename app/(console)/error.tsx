"use client";
import { useQueryErrorResetBoundary } from "@tanstack/react-query";
import { factsOf } from "@/components/trpc/errors.ts";
import { ErrorState } from "@/components/ui/error-state.tsx";

/** A page that could not be drawn: why, in words, and the way to try again. */
export default function PageError({ error, retry }: { error: unknown; retry: () => void }) {
  const { reset } = useQueryErrorResetBoundary();
  const { code, message, requestId } = factsOf(error);
  const digest = error instanceof Error && "digest" in error ? String(error.digest) : undefined;
  return (
    <ErrorState
      title={code === "NOT_FOUND" ? "This is not here" : "This page could not be loaded"}
      message={
        code === "NOT_FOUND" ? `${message}. It may have been deleted, or you may not see it.` : message
      }
      requestId={requestId ?? digest}
      onRetry={() => {
        reset();
        retry();
      }}
    />
  );
}
