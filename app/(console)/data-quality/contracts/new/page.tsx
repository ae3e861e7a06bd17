import type { Metadata } from "next";
import { createLoader, parseAsInteger, parseAsString, type SearchParams } from "nuqs/server";
import { copyOfContract } from "@/components/data-quality/contract-form.ts";
import { loadContract } from "@/components/data-quality/load-contract.ts";
import { NewContract } from "@/components/data-quality/new-contract.tsx";
import { inProject, loadProject } from "@/components/projects/project-filter.ts";
import { api, HydrateClient } from "@/components/trpc/server.tsx";
import { ruleSentence } from "@/server/data-quality/rules/rule-sentence.ts";

export const metadata: Metadata = { title: "New contract" };

/** Passed on from another page: `?source=1&schema=public&table=flights`, or `?from=7` to copy a contract. */
const loadTarget = createLoader({
  from: parseAsInteger,
  source: parseAsInteger,
  schema: parseAsString.withDefault(""),
  table: parseAsString.withDefault(""),
});

export default async function NewContractPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const [{ project }, { from, source, schema, table }] = await Promise.all([
    loadProject(searchParams),
    loadTarget(searchParams),
  ]);
  const [original] = await Promise.all([
    from === null ? null : loadContract(String(from)),
    api.dataSources.list.prefetch(inProject(project)),
  ]);
  return (
    <HydrateClient>
      <NewContract
        start={
          original
            ? { values: copyOfContract(original), sentences: original.rules.map(ruleSentence) }
            : {
                values: { name: table, dataSourceId: source, schemaName: schema, tableName: table },
                sentences: [],
              }
        }
      />
    </HydrateClient>
  );
}
