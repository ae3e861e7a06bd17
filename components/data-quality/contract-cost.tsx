import type { ReactNode } from "react";
import { trpc } from "@/components/trpc/client.tsx";
import { plural } from "@/components/ui/format.ts";
import { costText } from "@/server/data-sources/cost.ts";

/** What a contract costs a month; nothing where statements cost nothing. */
export function ContractCost({
  contractId,
  section,
}: {
  contractId: number;
  section: (content: ReactNode) => ReactNode;
}) {
  const { data } = trpc.dataQuality.cost.useQuery({ id: contractId });
  if (!data?.cost) return null;
  const { unit, last30Days } = data.cost;
  return section(
    <p className="text-ink-2">
      {last30Days.statements === 0
        ? "Nothing in the last 30 days."
        : `${costText({ unit, ...last30Days })} in the last 30 days, in ${plural(last30Days.statements, "statement")}.`}
    </p>,
  );
}
