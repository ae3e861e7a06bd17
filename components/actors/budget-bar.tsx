import { cn } from "@/components/ui/class-names.ts";
import type { BudgetUse } from "./money.ts";

/** How much of a budget is used; decorative, since the number next to it says the same. */
export function BudgetBar({ use: { share }, className }: { use: BudgetUse; className?: string }) {
  if (share === null) return null;
  return (
    <span aria-hidden className={cn("block h-1 w-full overflow-hidden rounded-full bg-hover", className)}>
      <span
        className={cn(
          "block h-full rounded-full",
          share >= 1 ? "bg-critical" : share >= 0.8 ? "bg-warning" : "bg-accent",
        )}
        style={{ width: `${share * 100}%` }}
      />
    </span>
  );
}
