"use client";
import { FileCheck2, FilePlus2, Upload } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useMay } from "@/components/auth/use-me.ts";
import { useProject, useProjectInput } from "@/components/projects/use-project.ts";
import { trpc } from "@/components/trpc/client.tsx";
import { Button, ButtonLink } from "@/components/ui/button.tsx";
import { Empty } from "@/components/ui/empty.tsx";
import { PageHeader } from "@/components/ui/page-header.tsx";
import { Table, Th, Thead } from "@/components/ui/table.tsx";
import { useRowKeys } from "@/components/ui/use-row-keys.ts";
import { ContractListFilters } from "./contract-list-filters.tsx";
import { ContractRow } from "./contract-row.tsx";
import { inContractOrder, isFoundContract, isInState } from "./contract-rows.ts";
import { useContractFilters } from "./use-contract-filters.ts";

const drawnAtOnce = 50;

/** Every contract of the chosen project, one row each. */
export function ContractList() {
  const { href } = useProject();
  const router = useRouter();
  const mayWrite = useMay("contracts:configure");
  const filters = useContractFilters();
  const [drawn, setDrawn] = useState(drawnAtOnce);
  const [{ items: contracts }] = trpc.dataQuality.contracts.useSuspenseQuery(useProjectInput(), {
    refetchInterval: 30_000,
  });

  const found = contracts.filter(
    (contract) =>
      contract.dataSourceId === (filters.source ?? contract.dataSourceId) &&
      (filters.state === null || isInState(contract, filters.state)) &&
      isFoundContract(contract, filters.q),
  );
  const shown = inContractOrder(found, filters.sort, filters.direction).slice(0, drawn);
  const showSource = new Set(found.map(({ dataSourceId }) => dataSourceId)).size > 1;
  const hrefOf = (id: number) => href(`/data-quality/contracts/${id}`);
  const keys = useRowKeys({
    count: shown.length,
    onOpen: (index) => {
      const opened = shown[index];
      if (opened) router.push(hrefOf(opened.id));
    },
  });
  const count = found.length === contracts.length ? found.length : `${found.length} of ${contracts.length}`;
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

  return (
    <>
      <PageHeader
        title="Contracts"
        count={contracts.length > 0 ? count : undefined}
        filters={contracts.length > 0 && <ContractListFilters contracts={contracts} filters={filters} />}
        actions={writeContract}
      />
      {contracts.length === 0 ? (
        <Empty
          icon={FileCheck2}
          title="No contract is written yet"
          action={mayWrite && <span className="inline-flex flex-wrap gap-2">{writeContract}</span>}
        >
          A contract watches one table: its rules say what must be true, a schedule says when to look, and
          each look gives a score from 0 to 100. Below the threshold the contract's recipients are told.
        </Empty>
      ) : shown.length === 0 ? (
        <Empty
          title="No contract matches"
          action={
            <Button onClick={() => void filters.set({ source: null, q: null, state: null })}>
              Show all {contracts.length}
            </Button>
          }
        >
          None has all of what the filters ask for.
        </Empty>
      ) : (
        <Table label="Contracts">
          <Thead>
            <tr>
              <Th sort={filters.sortBy("name")}>Contract</Th>
              <Th className="hidden md:table-cell" sort={filters.sortBy("target")}>
                Table
              </Th>
              <Th sort={filters.sortBy("score")}>Score</Th>
              <Th className="hidden md:table-cell">Trend</Th>
              <Th className="hidden md:table-cell">Rules</Th>
              <Th className="hidden lg:table-cell">Schedule</Th>
              <Th className="hidden md:table-cell" sort={filters.sortBy("next")}>
                Next run
              </Th>
            </tr>
          </Thead>
          <tbody>
            {shown.map((contract, index) => (
              <ContractRow
                key={contract.id}
                contract={contract}
                href={hrefOf(contract.id)}
                showSource={showSource}
                {...keys.row(index)}
              />
            ))}
          </tbody>
        </Table>
      )}
      {found.length > shown.length && (
        <div className="pt-3">
          <Button onClick={() => setDrawn(drawn + drawnAtOnce)}>
            Show {Math.min(drawnAtOnce, found.length - shown.length)} more
          </Button>
        </div>
      )}
    </>
  );
}
