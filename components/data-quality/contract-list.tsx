"use client";
import { useMay, useMe } from "@/components/auth/use-me.ts";
import { useBulk } from "@/components/bulk/use-bulk.tsx";
import { useProject, useProjectInput } from "@/components/projects/use-project.ts";
import { trpc } from "@/components/trpc/client.tsx";
import { ButtonLink } from "@/components/ui/button.tsx";
import { FileCheck2, FilePlus2, Upload } from "@/components/ui/icons.tsx";
import type { Columns } from "@/components/ui/list.tsx";
import { ListPage } from "@/components/ui/list-page.tsx";
import { useListFilters } from "@/components/ui/use-list-filters.ts";
import { ViewsMenu } from "@/components/views/views-menu.tsx";
import type { Contract } from "@/server/data-quality/schema.ts";
import { BulkActions } from "./bulk-actions.tsx";
import { ContractListFilters } from "./contract-list-filters.tsx";
import { contractListInput, contractParameters } from "./contract-list-input.ts";
import { ContractRow } from "./contract-row.tsx";

/** The contracts of the selected project. */
export function ContractList() {
  const { href } = useProject();
  const mayWrite = useMay("contracts:configure");
  const mayEvaluate = useMay("evaluations:run");
  const { user } = useMe();
  const project = useProjectInput();
  const list = useListFilters(contractParameters, (filters) => contractListInput(project, filters, user.id));
  const [page] = trpc.dataQuality.searchContracts.useSuspenseQuery(list.input, {
    refetchInterval: 30_000,
  });
  const utils = trpc.useUtils();
  const bulk = useBulk({
    input: list.input,
    things: ["contract", "contracts"],
    total: page.totalCount,
    loadIds: async (most) => {
      const all = await utils.dataQuality.searchContracts.fetch({ ...list.input, page: 0, pageSize: most });
      return all.items.map(({ id }) => id);
    },
  });
  const showSource = new Set(page.items.map(({ dataSourceId }) => dataSourceId)).size > 1;
  const hrefOf = ({ id }: Contract) => href(`/data-quality/contracts/${id}`);
  const writeContract = mayWrite && (
    <>
      <ButtonLink href={href("/data-quality/contracts/import")} icon={Upload}>
        Import checks
      </ButtonLink>
      <ButtonLink href={href("/data-quality/contracts/new")} variant="primary" icon={FilePlus2}>
        New contract
      </ButtonLink>
    </>
  );
  const columns: Columns = [
    { title: "Contract", sort: list.sortBy("name") },
    { title: "Table", from: "md", sort: list.sortBy("target") },
    { title: "Score", sort: list.sortBy("score") },
    { title: "Trend", from: "md" },
    { title: "Rules", from: "md" },
    { title: "Schedule", from: "lg" },
    { title: "Next run", from: "md", sort: list.sortBy("next") },
  ];

  return (
    <ListPage
      title="Contracts"
      things="contracts"
      columns={columns}
      rows={page.items}
      page={page}
      list={list}
      selection={
        mayEvaluate
          ? {
              of: bulk.selection,
              nameOf: ({ name }) => name,
              bar: bulk.barWith(<BulkActions bulk={bulk} />),
            }
          : undefined
      }
      notices={bulk.outcome}
      keyOf={({ id }) => id}
      hrefOf={hrefOf}
      filters={<ContractListFilters list={list} />}
      actions={
        <>
          <ViewsMenu page="contracts" />
          {writeContract}
        </>
      }
      empty={{
        icon: FileCheck2,
        title: "No contracts yet",
        action: writeContract,
        children:
          "A contract watches one table. Its rules state what must be true, its schedule when to check, and each evaluation gives a score from 0 to 100. Below the threshold, the contract's recipients are notified.",
      }}
    >
      {(contract, row) => (
        <ContractRow contract={contract} href={hrefOf(contract)} showSource={showSource} {...row} />
      )}
    </ListPage>
  );
}
