"use client";
import { useMay, useMe } from "@/components/auth/use-me.ts";
import { trpc } from "@/components/trpc/client.tsx";
import { Combobox } from "@/components/ui/combobox.tsx";
import { Name } from "@/components/ui/name.tsx";
import type { Contract } from "@/server/data-quality/schema.ts";
import { useContractCare } from "./use-contract-care.ts";

const nobody = "nobody";

/** Who is responsible for a contract; chosen here by those who may change it. */
export function ContractOwner({ contract }: { contract: Contract }) {
  const mayChange = useMay("contracts:configure");
  const { user } = useMe();
  const { assignTo } = useContractCare(contract);
  const people = trpc.dataQuality.owners.useQuery(undefined, { enabled: mayChange, staleTime: 60_000 });
  const { owner } = contract;
  if (!mayChange) return <p className="text-ink-2">{owner ? <Name>{owner.name}</Name> : "Nobody"}</p>;
  const others = (people.data?.items ?? []).filter(({ id }) => id !== user.id);
  const isGone = owner !== null && owner.id !== user.id && !others.some(({ id }) => id === owner.id);
  return (
    <Combobox
      aria-label="Owner"
      className="w-full max-w-60"
      value={owner === null ? nobody : String(owner.id)}
      onValueChange={(value) => void assignTo(value === nobody ? null : Number(value))}
      loading={people.isLoading}
      searchPlaceholder="Search people…"
      groups={[
        {
          items: [
            { value: nobody, label: "Nobody" },
            { value: String(user.id), label: user.name, hint: "you" },
            ...(isGone ? [{ value: String(owner.id), label: owner.name, disabled: true }] : []),
          ],
        },
        { items: others.map(({ id, name }) => ({ value: String(id), label: name })) },
      ]}
    />
  );
}
