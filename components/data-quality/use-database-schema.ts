"use client";
import { useMemo } from "react";
import { trpc } from "@/components/trpc/client.tsx";
import { messageOf } from "@/components/trpc/errors.ts";
import { asSentence } from "@/components/ui/sentence.ts";
import type { DatabaseSchema } from "@/server/data-sources/database-schema.ts";

export type KnownTable = DatabaseSchema["items"][number]["tables"][number];
export type KnownColumn = KnownTable["columns"][number];

/** A data source's schemas, tables, and columns as last read, to pick from. */
export function useDatabaseSchema(dataSourceId: number | null) {
  const { data, error, isLoading, refetch } = trpc.dataSources.schema.useQuery(
    { id: dataSourceId ?? 0 },
    { enabled: dataSourceId !== null, staleTime: 5 * 60_000, retry: false },
  );
  return useMemo(() => {
    const items = dataSourceId === null ? [] : (data?.items ?? []);
    return {
      items,
      readAt: data?.readAt ?? null,
      isLoading,
      /** Why the schema can't be read, as a sentence. */
      failure: error ? asSentence(messageOf(error)) : null,
      retry: () => void refetch(),
      table: (schemaName: string, tableName: string): KnownTable | null =>
        items
          .find((schema) => schema.schemaName === schemaName)
          ?.tables.find((table) => table.tableName === tableName) ?? null,
    };
  }, [dataSourceId, data, error, isLoading, refetch]);
}

export type KnownSchema = ReturnType<typeof useDatabaseSchema>;
