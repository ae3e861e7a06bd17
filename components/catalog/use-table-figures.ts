"use client";
import { useState } from "react";
import { trpc } from "@/components/trpc/client.tsx";

/** The figures of a table's columns, once someone has asked for them on this page; reading takes time and load. */
export function useTableFigures({
  dataSourceId,
  schemaName,
  tableName,
}: {
  dataSourceId: number | null;
  schemaName: string;
  tableName: string;
}) {
  const utils = trpc.useUtils();
  const input = { id: dataSourceId ?? 0, schemaName, tableName };
  const [asked, setAsked] = useState<string | null>(null);
  const key = JSON.stringify(input);
  // What was read of it a moment ago on another page is shown at once.
  const isKnown = utils.catalog.figures.getData(input) !== undefined;
  const { data, isFetching, error, refetch } = trpc.catalog.figures.useQuery(input, {
    enabled: asked === key || isKnown,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  return {
    figures: data,
    isReading: isFetching,
    error: isFetching ? null : error,
    read: () => {
      if (asked === key || isKnown) void refetch();
      setAsked(key);
    },
  };
}
