import type { SignedIn } from "../../auth/principal.ts";
import { type ContractInput, createContractInput } from "../../data-quality/schema.ts";
import { createContract } from "../../data-quality/service/contracts.ts";
import { aDataSource } from "./data-sources.ts";
import { asEditor } from "./principals.ts";

type RuleInput = ContractInput["rules"][number];

/** A rule as written by a client; its name defaults to its type. */
export function aRule(
  type: RuleInput["type"],
  configuration: Record<string, unknown>,
  more: Partial<RuleInput> = {},
) {
  return { name: type, type, configuration, ...more } satisfies RuleInput;
}

/**
 * A contract created through the service by an Editor: on a data source that is the test file's own database, with one
 * rule that every table passes, scheduled at six in the morning.
 */
export async function aContract(contract: Partial<ContractInput> = {}, by?: SignedIn) {
  const input = createContractInput.parse({
    name: "Orders",
    dataSourceId: contract.dataSourceId ?? (await aDataSource()).id,
    tableName: "orders",
    cronExpression: "0 6 * * *",
    rules: [aRule("Volume", { minRows: 0 })],
    ...contract,
  });
  return createContract(by ?? (await asEditor()), input);
}
