import type { Contract } from "@/server/data-quality/schema.ts";
import { contractStatusOf } from "./score-status.ts";

/** Filtering and sorting of the contract list. */

export const contractStates = ["below", "met", "unreachable", "waiting", "disabled"] as const;
export type ContractState = (typeof contractStates)[number];

export const contractOrders = ["name", "target", "score", "next"] as const;
export type ContractOrder = (typeof contractOrders)[number];

export function targetOf({ schemaName, tableName }: Pick<Contract, "schemaName" | "tableName">): string {
  return `${schemaName}.${tableName}`;
}

/** Whether a contract is in the given state. A disabled one keeps its last score. */
export function isInState(contract: Contract, state: ContractState): boolean {
  if (state === "disabled") return !contract.enabled;
  const { kind } = contractStatusOf(contract);
  return kind === { below: "critical", met: "ok", unreachable: "stalled", waiting: "neutral" }[state];
}

/** Whether name, target, or data source contain every word of the search. */
export function matchesContract(contract: Contract, search: string): boolean {
  const text = `${contract.name} ${contract.dataSourceName} ${targetOf(contract)}`.toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

/** Sorted by the given column; missing values come last in both directions, ties by name. */
export function sortContracts(
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
