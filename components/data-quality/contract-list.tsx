"use client";
import { useMay } from "@/components/auth/use-me.ts";
import { useProject, useProjectInput } from "@/components/projects/use-project.ts";
import { trpc } from "@/components/trpc/client.tsx";
import { ButtonLink } from "@/components/ui/button.tsx";
import { FileCheck2, FilePlus2, Upload } from "@/components/ui/icons.tsx";
import type { Columns } from "@/components/ui/list.tsx";
import { ListPage } from "@/components/ui/list-page.tsx";
import { useListFilters } from "@/components/ui/use-list-filters.ts";
import type { Contract } from "@/server/data-quality/schema.ts";
import { ContractListFilters, contractParameters } from "./contract-list-filters.tsx";
import { ContractRow } from "./contract-row.tsx";
import { isInState, matchesContract, sortContracts } from "./contract-rows.ts";

/** The contracts of the selected project. */
export function ContractList() {
  const { href } = useProject();
  const mayWrite = useMay("contracts:configure");
  const list = useListFilters(contractParameters);
  const [{ items: contracts }] = trpc.dataQuality.contracts.useSuspenseQuery(useProjectInput(), {
    refetchInterval: 30_000,
  });
  const { source, state, q, sort, direction } = list.filters;
  const found = contracts.filter(
    (contract) =>
      contract.dataSourceId === (source ?? contract.dataSourceId) &&
      (state === null || isInState(contract, state)) &&
      matchesContract(contract, q),
  );
  const showSource = new Set(found.map(({ dataSourceId }) => dataSourceId)).size > 1;
  const hrefOf = ({ id }: Contract) => href(`/data-quality/contracts/${id}`);
  const writeContract = mayWrite && (
    <>
      <ButtonLink href={href("/data-quality/contracts/import")} icon={Upload}>
        Import
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
      rows={sortContracts(found, sort, direction)}
      all={contracts.length}
      list={list}
      keyOf={({ id }) => id}
      hrefOf={hrefOf}
      filters={<ContractListFilters contracts={contracts} list={list} />}
      actions={writeContract}
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
