import { eq } from "drizzle-orm";
import { db } from "../../db/client.ts";
import { Decimal } from "../decimal.ts";
import { pass } from "../rules/verdict.ts";
import { rules } from "../tables.ts";
import { beginEvaluation } from "./leases.ts";
import type { Finished } from "./store-together.ts";

let minute = 0;

/** A scheduled evaluation of a contract with one rule, measured but not stored, each for another minute. */
export async function finishedOf(contract: Finished["contract"], overallScore: number): Promise<Finished> {
  minute += 1;
  const scheduledFor = new Date(Date.UTC(2026, 0, 1, 0, minute));
  const lease = await beginEvaluation(contract.id, { trigger: "Scheduled", scheduledFor });
  if (!lease) throw new Error("The evaluation has not begun");
  const [rule] = await db.select().from(rules).where(eq(rules.contractId, contract.id));
  if (!rule) throw new Error("The contract has no rule");
  const verdict = pass({ expected: "at least 0", actual: "7", measured: new Decimal(7) });
  return {
    ...{ lease, contract, overallScore, executionTimeMs: 12 },
    results: [{ rule, verdict, executionTimeMs: 5, unreachableBecause: null }],
  };
}
