"use client";
import { useProject, useProjectInput } from "@/components/projects/use-project.ts";
import { FormPage } from "@/components/shell/form-page.tsx";
import { useClearView } from "@/components/shell/use-clear-view.ts";
import { trpc } from "@/components/trpc/client.tsx";
import { ButtonLink } from "@/components/ui/button.tsx";
import { Empty } from "@/components/ui/empty.tsx";
import { Database } from "@/components/ui/icons.tsx";
import { isRest } from "@/server/data-sources/schema.ts";
import { ContractEditor } from "./contract-editor.tsx";
import type { ContractForm } from "./contract-form.ts";

/** The editor of a new contract, once there is a data source for it. */
export function NewContract({ start }: { start: Partial<ContractForm> }) {
  useClearView();
  const { href } = useProject();
  const [{ items }] = trpc.dataSources.list.useSuspenseQuery(useProjectInput());
  const sources = items.filter(({ connection }) => !isRest(connection));
  const [only, another] = sources;
  const dataSourceId = start.dataSourceId ?? (only && !another ? only.id : null);
  return (
    <FormPage
      title="New contract"
      parent={{ href: "/data-quality/contracts", label: "Contracts" }}
      permission="contracts:configure"
    >
      {only ? (
        <ContractEditor sources={sources} start={{ ...start, dataSourceId }} />
      ) : (
        <Empty
          icon={Database}
          title="A contract needs a data source"
          action={
            <ButtonLink href={href("/data-sources")} variant="primary" icon={Database}>
              Connect a data source
            </ButtonLink>
          }
        >
          A contract watches one table in a connected database. No database is connected yet.
        </Empty>
      )}
    </FormPage>
  );
}
