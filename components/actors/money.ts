import { formatCount, formatFixed, formatNumber } from "@/components/ui/format.ts";

/** Short dollar amounts: $12.30, with more digits for small amounts: $0.0042. "unknown" without a price. */
export function formatCost(dollars: number | null): string {
  if (dollars === null) return "unknown";
  if (dollars === 0 || dollars >= 0.1) return `$${formatFixed(dollars, 2)}`;
  return dollars < 0.0001 ? "<$0.0001" : `$${formatFixed(dollars, 4).replace(/0{1,2}$/, "")}`;
}

/** A sum; if some calls have no known price, it is shown as a lower bound and never as zero. */
export function formatSum(dollars: number, isPartial: boolean): string {
  if (!isPartial) return formatCost(dollars);
  return dollars === 0 ? formatCost(null) : `over ${formatCost(dollars)}`;
}

/** Every stored digit, for the tooltip. */
export const exactCost = (dollars: number | null): string =>
  dollars === null ? "The price of this model is not known" : `$${formatNumber(dollars, 8)}`;

/** The same for a sum. */
export const exactSum = (dollars: number, isPartial: boolean): string =>
  isPartial ? `${exactCost(dollars)} and what calls without a known price cost` : exactCost(dollars);

export type BudgetUse = {
  /** "12.3 k of 50.0 k", or only what was used. */
  text: string;
  /** Part of the limit, from 0 to 1; null without a limit. */
  share: number | null;
};

export function tokensUse(used: number, limit: number | null): BudgetUse {
  return limit === null
    ? { text: formatCount(used), share: null }
    : { text: `${formatCount(used)} of ${formatCount(limit)}`, share: Math.min(used / limit, 1) };
}

export function costUse(used: number, limit: number | null, isPartial: boolean): BudgetUse {
  return limit === null
    ? { text: formatSum(used, isPartial), share: null }
    : { text: `${formatSum(used, isPartial)} of ${formatCost(limit)}`, share: Math.min(used / limit, 1) };
}
