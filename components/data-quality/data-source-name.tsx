"use client";
import { trpc } from "@/components/trpc/client.tsx";

/** A data source's name; its number until that is known. */
export function DataSourceName({ id }: { id: number }) {
  const { data } = trpc.dataSources.list.useQuery({});
  return data?.items.find((source) => source.id === id)?.name ?? `Data source ${id}`;
}
