import type { SignedIn } from "../../auth/principal.ts";
import { costOfContract } from "../../data-sources/service/costs.ts";
import { getContractTarget } from "./load-contracts.ts";

/** Throws not_found. */
export async function getContractCost(ctx: SignedIn, id: number) {
  const { dataSourceId } = await getContractTarget(ctx, id);
  return { cost: await costOfContract(ctx, { id, dataSourceId }) };
}
