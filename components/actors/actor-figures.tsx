import { Figure, Figures } from "@/components/ui/figure.tsx";
import { formatCount, formatNumber, plural } from "@/components/ui/format.ts";
import { Moment } from "@/components/ui/moment.tsx";
import type { ActorDetail } from "@/server/actors/schema.ts";
import { BudgetBar } from "./budget-bar.tsx";
import { type BudgetUse, costUse, exactSum, formatSum, tokensUse } from "./money.ts";

/** What the actor has created and what that cost. */
export function ActorFigures({ actor }: { actor: ActorDetail }) {
  const { usedThisMonth, monthlyBudget, totalTokensUsed, totalCost, thinkCount } = actor;
  const tokens = tokensUse(usedThisMonth.tokens, monthlyBudget?.tokens ?? null);
  const cost = costUse(usedThisMonth.cost, monthlyBudget?.cost ?? null, actor.costIsPartial);
  return (
    <Figures>
      <Figure
        label="Queries"
        value={
          <>
            {formatNumber(actor.queryCount)}
            <span className="text-base font-normal text-ink-3"> of {formatNumber(actor.maxQueries)}</span>
          </>
        }
        detail={plural(actor.subscriptionCount, "subscription")}
      />
      <Figure
        label="Think cycles"
        value={formatCount(thinkCount)}
        title={formatNumber(thinkCount)}
        detail={
          <>
            last <Moment at={actor.lastThinkAt} />
          </>
        }
      />
      <Used
        label="Tokens this month"
        use={tokens}
        title={`${formatNumber(usedThisMonth.tokens)} this month, ${formatNumber(totalTokensUsed)} in all`}
        detail={`${monthlyBudget?.tokens ? "" : "no limit, "}${formatCount(totalTokensUsed)} in all`}
      />
      <Used
        label="Cost this month"
        use={cost}
        title={`${exactSum(usedThisMonth.cost, actor.costIsPartial)} this month, ${exactSum(totalCost, actor.costIsPartial)} in all`}
        detail={`${monthlyBudget?.cost ? "" : "no limit, "}${formatSum(totalCost, actor.costIsPartial)} in all`}
      />
    </Figures>
  );
}

function Used({
  label,
  use,
  title,
  detail,
}: {
  label: string;
  use: BudgetUse;
  title: string;
  detail: string;
}) {
  const [used, limit] = use.text.split(" of ");
  return (
    <Figure
      label={label}
      value={
        <span className="block">
          {used}
          {limit && <span className="text-base font-normal text-ink-3"> of {limit}</span>}
          <BudgetBar use={use} className="mb-1" />
        </span>
      }
      title={title}
      detail={use.share === 1 ? `used up; ${detail}` : detail}
      {...(use.share === 1 && { kind: "warning" as const })}
    />
  );
}
