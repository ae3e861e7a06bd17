"use client";
import { ConnectHere } from "@/components/data-sources/connect-here.tsx";
import { useProjectInput } from "@/components/projects/use-project.ts";
import { FormPage } from "@/components/shell/form-page.tsx";
import { trpc } from "@/components/trpc/client.tsx";
import { isRest } from "@/server/data-sources/kinds.ts";
import { ContractEditor, type ContractStart } from "./contract-editor.tsx";

/** The editor of a new contract, once there is a data source for it. */
export function NewContract({ start }: { start: ContractStart }) {
  const [{ items }] = trpc.dataSources.list.useSuspenseQuery(useProjectInput());
  const sources = items.filter(({ connection }) => !isRest(connection));
  const [only, another] = sources;
  const dataSourceId = start.values.dataSourceId ?? (only && !another ? only.id : null);
  return (
    <FormPage
      title="New contract"
      parent={{ href: "/data-quality/contracts", label: "Contracts" }}
      permission="contracts:configure"
    >
      {only ? (
        <ContractEditor sources={sources} start={{ ...start, values: { ...start.values, dataSourceId } }} />
      ) : (
        <ConnectHere title="A contract needs a database" onlyDatabases>
          A contract watches one table of a database. No database is connected yet.
        </ConnectHere>
      )}
    </FormPage>
  );
}
