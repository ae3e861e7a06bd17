"use client";
import { useMemo } from "react";
import { trpc } from "@/components/trpc/client.tsx";
import type { ContractTemplateRule } from "@/server/data-quality/templates/schema.ts";

const none: readonly ContractTemplateRule[] = [];

/** What a contract has of templates: rules that follow one by key, and those that it leaves out. None for a new one. */
export function useTemplateRules(contractId: number | undefined) {
  const { data } = trpc.dataQuality.contractTemplates.useQuery(
    { id: contractId ?? 0 },
    { enabled: contractId !== undefined },
  );
  const items = data?.items ?? none;
  return useMemo(
    () => ({
      byKey: new Map(items.filter(({ departure }) => departure === null).map((each) => [each.ruleKey, each])),
      departed: items.filter(({ departure }) => departure !== null),
    }),
    [items],
  );
}
