"use client";
import { useEffect } from "react";
import { trpc } from "@/components/trpc/client.tsx";
import { factsOf } from "@/components/trpc/errors.ts";
import { ErrorState } from "@/components/ui/error-state.tsx";
import { SkeletonRows } from "@/components/ui/skeleton.tsx";
import { UnderWay } from "@/components/ui/under-way.tsx";

/** The schema has not been read yet: the first visit reads it from the database, which may take a moment. */
export function ReadSchema({ id }: { id: number }) {
  const utils = trpc.useUtils();
  const schema = trpc.dataSources.schema.useQuery({ id });
  const isRead = schema.data !== undefined;
  useEffect(() => {
    if (isRead) void utils.catalog.invalidate();
  }, [isRead, utils]);
  if (schema.error)
    return (
      <ErrorState
        title="The schema could not be read"
        message={factsOf(schema.error).message}
        requestId={factsOf(schema.error).requestId}
        onRetry={() => schema.refetch()}
        pending={schema.isFetching}
      />
    );
  return (
    <div className="flex flex-col gap-3">
      <UnderWay>Reading the schema for the first time.</UnderWay>
      <SkeletonRows rows={8} columns={4} />
    </div>
  );
}
