"use client";
import { ErrorState } from "@/components/ui/error-state.tsx";
import { SkeletonRows } from "@/components/ui/skeleton.tsx";
import { factsOf } from "./errors.ts";

/** The part of a React Query result needed while there is no data. */
export type Loadable = { error: unknown; isFetching: boolean; refetch: () => unknown };

/** Shown in place of missing rows: the error with a retry button, or a skeleton. */
export function Loading({
  query: { error, isFetching, refetch },
  title,
  rows = 4,
  columns = 4,
}: {
  query: Loadable;
  /** "The versions could not be loaded". */
  title: string;
  rows?: number;
  columns?: number;
}) {
  if (!error) return <SkeletonRows rows={rows} columns={columns} />;
  const { message, requestId } = factsOf(error);
  return (
    <ErrorState
      title={title}
      message={message}
      requestId={requestId}
      onRetry={() => refetch()}
      pending={isFetching}
    />
  );
}
