"use client";
import { trpc } from "@/components/trpc/client.tsx";
import type { Query } from "@/server/queries/schema.ts";

const pageSize = 500;

/** Every query of one or all projects, to pick from; partial while the rest is loading. */
export function useAllQueries(input: { projectId?: number }): { queries: Query[]; isLoading: boolean } {
  const first = trpc.queries.list.useQuery({ ...input, pageSize });
  const pages = Math.ceil((first.data?.totalCount ?? 0) / pageSize);
  const rest = trpc.useQueries((t) =>
    Array.from({ length: Math.max(pages - 1, 0) }, (_, index) =>
      t.queries.list({ ...input, pageSize, page: index + 1 }),
    ),
  );
  return {
    queries: [first, ...rest].flatMap(({ data }) => data?.items ?? []),
    isLoading: first.isPending,
  };
}
