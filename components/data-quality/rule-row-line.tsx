"use client";
import type { ComponentProps } from "react";
import { Badge } from "@/components/ui/badge.tsx";
import { cn } from "@/components/ui/class-names.ts";
import { formatNumber, formatPercent } from "@/components/ui/format.ts";
import { ChevronDown, ChevronRight } from "@/components/ui/icons.tsx";
import { Moment } from "@/components/ui/moment.tsx";
import { Sparkline } from "@/components/ui/sparkline.tsx";
import { Status, type StatusKind } from "@/components/ui/status.tsx";
import { Td, Tr } from "@/components/ui/table.tsx";
import type { Rule } from "@/server/data-quality/rule-schema.ts";
import { ruleSentence } from "@/server/data-quality/rules/rule-sentence.ts";
import type { RuleRow } from "./rule-rows.ts";
import { courseText, formatPoints, formatScore } from "./score.tsx";

/** What fails as known counts as passed, and is not shown as such. */
export function ruleStatusOf({ rule, result }: RuleRow): { kind: StatusKind; word: string } {
  if (result?.passed && result.knownFailures.length > 0) return { kind: "warning", word: "Known" };
  if (result) return result.passed ? { kind: "ok", word: "Passed" } : { kind: "critical", word: "Failed" };
  return rule.enabled ? { kind: "neutral", word: "Not measured" } : { kind: "neutral", word: "Disabled" };
}

/** How much a rule counts has columns of its own. */
const checkOf = ({ type, configuration }: Rule) => ({ type, configuration });

/** One rule on one line. */
export function RuleRowLine({
  row,
  isOpen,
  detailId,
  onToggle,
  isFromTemplate,
  isEvaluated,
  ...rest
}: {
  row: RuleRow;
  /** Without an evaluation, there is nothing to show of results. */
  isEvaluated: boolean;
  isOpen: boolean;
  detailId: string;
  onToggle: () => void;
  isFromTemplate: boolean;
} & Omit<ComponentProps<"tr">, "children" | "onToggle">) {
  const { rule, result, share } = row;
  const { kind, word } = ruleStatusOf(row);
  const Chevron = isOpen ? ChevronDown : ChevronRight;
  return (
    <Tr {...rest} className={cn(result === null && "text-ink-3")}>
      <Td>
        <Status kind={kind}>
          <span className="max-sm:sr-only">{word}</span>
        </Status>
      </Td>
      <Td className="w-full max-w-0 md:w-auto md:max-w-72 md:min-w-48 2xl:max-w-80">
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={isOpen ? detailId : undefined}
          onClick={onToggle}
          className="flex w-full min-w-0 items-center gap-1 rounded-sm text-left"
        >
          <Chevron aria-hidden className="size-3.5 shrink-0 text-ink-3" />
          <span className="min-w-0 flex-1">
            <span className="block truncate font-medium" title={rule.name}>
              {rule.name}
            </span>
            <span className="block truncate text-xs text-ink-3">
              {isFromTemplate && <Badge>template</Badge>} {ruleSentence(checkOf(rule))}
            </span>
          </span>
        </button>
      </Td>
      <Td className="hidden whitespace-nowrap tabular-nums lg:table-cell">
        {formatNumber(rule.weight, 4)} × {rule.severity}
      </Td>
      <Td numeric className="hidden md:table-cell">
        {share > 0 ? formatPercent(share) : "–"}
      </Td>
      {isEvaluated && <ResultCells row={row} />}
    </Tr>
  );
}

function ResultCells({ row: { result, lost, course, failing } }: { row: RuleRow }) {
  // For a rule that could not run, the message is more useful than a number.
  const observed = result ? (result.actualValue ?? result.message) : null;
  return (
    <>
      <Td numeric>{result ? formatScore(result.score) : "–"}</Td>
      <Td numeric className={cn(lost > 0 ? "font-medium" : "text-ink-3")}>
        {lost > 0 ? formatPoints(-lost) : "–"}
      </Td>
      <Td className="hidden max-w-60 min-w-36 md:table-cell 2xl:max-w-72">
        <span className="block truncate" title={observed ?? undefined}>
          {observed ?? "–"}
        </span>
        {result?.expectedValue && (
          <span className="block truncate text-xs text-ink-3" title={result.expectedValue}>
            {result.expectedValue}
          </span>
        )}
      </Td>
      <Td className="hidden whitespace-nowrap lg:table-cell">
        <span className="flex flex-col items-start">
          {course.length > 1 && (
            <Sparkline
              variant="bars"
              values={course}
              min={0}
              max={100}
              width={Math.max(course.length * 4, 16)}
              height={16}
              label={courseText(course)}
            />
          )}
          {failing?.known && (
            <span className="text-xs text-ink-2">
              since <Moment at={failing.since} />
            </span>
          )}
        </span>
      </Td>
    </>
  );
}
