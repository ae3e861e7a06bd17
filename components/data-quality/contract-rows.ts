import type { Contract } from "@/server/data-quality/schema.ts";
import { contractStatusOf } from "./score-status.ts";

/** The contract list: which are shown, and in what order. */

export const contractStates = ["below", "met", "unreachable", "waiting", "disabled"] as const;
export type ContractState = (typeof contractStates)[number];

export const contractOrders = ["name", "target", "score", "next"] as const;
export type ContractOrder = (typeof contractOrders)[number];

export function targetOf({ schemaName, tableName }: Pick<Contract, "schemaName" | "tableName">): string {
  return `${schemaName}.${tableName}`;
}

/** Whether a contract is in the state asked for. A disabled one still has the score that it last got. */
export function isInState(contract: Contract, state: ContractState): boolean {
  if (state === "disabled") return !contract.enabled;
  const { kind } = contractStatusOf(contract);
  return kind === { below: "critical", met: "ok", unreachable: "stalled", waiting: "neutral" }[state];
}

/** Whether name, target or data source hold every word of the search. */
export function isFoundContract(contract: Contract, search: string): boolean {
  const text = `${contract.name} ${contract.dataSourceName} ${targetOf(contract)}`.toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

/** In the order asked for; what has no value there stands last either way, and ties are by name. */
export function inContractOrder(
  contracts: readonly Contract[],
  order: ContractOrder,
  direction: "asc" | "desc",
): Contract[] {
  const value = (contract: Contract): string | number | null => {
    switch (order) {
      case "name":
        return contract.name.toLowerCase();
      case "target":
        return `${contract.dataSourceName} ${targetOf(contract)}`.toLowerCase();
      case "score":
        return contract.measured?.score ?? null;
      case "next":
        return contract.nextRunAt;
    }
  };
  const byName = (a: Contract, b: Contract) => a.name.localeCompare(b.name) || a.id - b.id;
  return contracts.toSorted((a, b) => {
    const [first, second] = [value(a), value(b)];
    if (first === null || second === null)
      return Number(first === null) - Number(second === null) || byName(a, b);
    const ascending = first < second ? -1 : first > second ? 1 : 0;
    return (direction === "asc" ? ascending : -ascending) || byName(a, b);
  });
}
