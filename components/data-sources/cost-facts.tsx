"use client";
import { costText } from "@/server/data-sources/cost.ts";
import { costUnitOf } from "@/server/data-sources/kinds.ts";
import type { DataSource } from "@/server/data-sources/schema.ts";
import { trpc } from "../trpc/client.tsx";
import { Fact } from "../ui/facts.tsx";
import { plural } from "../ui/format.ts";
import { Status } from "../ui/status.tsx";

/** What statements have cost today and in the last 30 days, of a kind whose statements cost something. */
export function CostFacts({ source: { id, kind, dailyBudget } }: { source: DataSource }) {
  const unit = costUnitOf(kind);
  const { data } = trpc.dataSources.cost.useQuery({ id }, { enabled: unit !== null });
  if (unit === null) return null;
  const cost = data?.cost;
  const isSpent = cost && dailyBudget !== null && cost.today.amount >= dailyBudget;
  const budget = dailyBudget === null ? ", no budget" : ` of ${costText({ unit, amount: dailyBudget })}`;
  return (
    <>
      <Fact label="Cost today, UTC">
        {cost ? `${costText({ unit, ...cost.today })}${budget}` : "…"}
        {isSpent && (
          <Status kind="critical" className="items-start whitespace-normal">
            Budget spent: nothing runs until 00:00 UTC
          </Status>
        )}
      </Fact>
      <Fact label="Cost in 30 days">
        {cost
          ? `${costText({ unit, ...cost.last30Days })} in ${plural(cost.last30Days.statements, "statement")}`
          : "…"}
      </Fact>
    </>
  );
}
