import type { ReactNode } from "react";
import { Why } from "@/components/causes/why.tsx";
import { CodeBlock } from "@/components/ui/code.tsx";
import { formatDuration, formatNumber, formatPercent } from "@/components/ui/format.ts";
import { Moment } from "@/components/ui/moment.tsx";
import type { Evaluation } from "@/server/data-quality/evaluations/schema.ts";
import type { ContractSeries } from "@/server/data-quality/history-schema.ts";
import type { RuleField } from "@/server/data-quality/rules/fields.ts";
import { failsByRow, hasSample } from "@/server/data-quality/rules/has-sample.ts";
import { ruleSentence, valueWords } from "@/server/data-quality/rules/rule-sentence.ts";
import { formFieldsOf, ruleDefinition } from "@/server/data-quality/rules/rules.ts";
import type { Contract } from "@/server/data-quality/schema.ts";
import type { ContractTemplateRule } from "@/server/data-quality/templates/schema.ts";
import type { SampleMode } from "@/server/data-sources/sample.ts";
import { ApproveColumns } from "./approve-columns.tsx";
import { ApprovedColumns } from "./column-tables.tsx";
import { approvedColumnsIn } from "./configured-columns.ts";
import { DataSourceName } from "./data-source-name.tsx";
import { FailingGroups } from "./failing-groups.tsx";
import { FailingRows } from "./failing-rows.tsx";
import { KnownFailures } from "./known-failures.tsx";
import { RuleChart } from "./rule-chart.tsx";
import type { RuleRow } from "./rule-rows.ts";
import { formatPoints, formatScore } from "./score.tsx";
import { TemplateRuleOrigin } from "./template-rule-origin.tsx";

/** Everything about one rule: the full result, its effect on the score, and its configuration. */
export function RuleDetail({
  row,
  evaluation,
  samples,
  series,
  contract,
  template,
  onApproved,
}: {
  row: RuleRow;
  evaluation: Evaluation | undefined;
  samples: SampleMode;
  series: ContractSeries | undefined;
  contract: Contract;
  /** Where it comes from, unless it is the contract's own. */
  template: ContractTemplateRule | undefined;
  /** Called when changed columns have been approved. */
  onApproved: () => void;
}) {
  const { rule, result, share, lost, failing } = row;
  const words = ruleDefinition(rule.type);
  const values = Object.entries(formFieldsOf(rule.type)).flatMap(([key, field]) => {
    const text = valueWords(rule.configuration[key]);
    return text === null ? [] : { key, field, text };
  });
  const course = series?.rules.find(({ key }) => key === rule.key)?.points ?? [];
  return (
    <div className="grid gap-x-8 gap-y-4 px-1 py-3 sm:px-6 md:grid-cols-2">
      {evaluation && result && hasSample(rule, result) && (
        <div className="flex min-w-0 flex-col gap-3 empty:hidden md:col-span-2">
          <FailingRows
            evaluation={evaluation}
            ruleId={rule.id}
            ruleName={rule.name}
            type={rule.type}
            column={rule.column}
            mode={samples}
          />
          {failsByRow(rule.type) && samples !== "Off" && (
            <Why of={{ contractId: contract.id, ruleId: rule.id }} isOfRows />
          )}
          {"reads" in words && <ApproveColumns {...{ contract, rule, onApproved }} />}
        </div>
      )}
      {evaluation && result?.groups && (
        <div className="min-w-0 empty:hidden md:col-span-2">
          <FailingGroups
            evaluation={evaluation}
            ruleId={rule.id}
            ruleName={rule.name}
            groups={result.groups}
          />
        </div>
      )}
      <Facts title="Found">
        {result ? (
          <>
            <Fact label="Observed">{result.actualValue ?? "–"}</Fact>
            <Fact label="Expected">{result.expectedValue ?? "–"}</Fact>
            {result.message && <Fact label="Message">{result.message}</Fact>}
            {failing && (
              <Fact label="Failing">
                {failing.known ? "since" : "at least since"} <Moment at={failing.since} exact />
                {(failing.consecutive ?? 0) > 1 && `, ${failing.consecutive} evaluations in a row`}
              </Fact>
            )}
            {evaluation && (
              <KnownFailures
                contractId={contract.id}
                ruleKey={rule.key}
                ruleName={rule.name}
                evaluation={evaluation}
                result={result}
              />
            )}
            <Fact label="Measured in">{formatDuration(result.executionTimeMs)}</Fact>
          </>
        ) : (
          <Fact label="Result">
            {rule.enabled
              ? "Not measured by this evaluation."
              : "Disabled rules are skipped and not counted in the score."}
          </Fact>
        )}
      </Facts>
      <Facts title="Counts">
        <Fact label="Weight">
          {formatNumber(rule.weight, 4)} × {rule.severity}
        </Fact>
        <Fact label="Share of the score">{share > 0 ? formatPercent(share) : "none"}</Fact>
        {result && (
          <Fact label="Score">
            {formatScore(result.score)}
            {lost > 0 && `, which costs ${formatPoints(lost)} points`}
          </Fact>
        )}
        <Fact label="How">{words.scoring}</Fact>
      </Facts>
      {course.length > 0 && series && (
        <div className="min-w-0 md:col-span-2">
          <RuleChart rule={rule} points={course} isDownsampled={series.isDownsampled} />
        </div>
      )}
      <Facts title="Checks" className="md:col-span-2">
        <Fact label="Says">{ruleSentence(rule)}</Fact>
        <Fact label={words.label}>{words.explanation}</Fact>
        {template && (
          <Fact label="From template">
            <TemplateRuleOrigin contractId={contract.id} of={template} />
          </Fact>
        )}
        {values
          .filter(({ field }) => field.kind !== "sql" && field.kind !== "approvedColumns")
          .map(({ key, field, text }) => (
            <Fact key={key} label={field.label}>
              {field.kind === "dataSource" ? (
                <DataSourceName id={Number(text)} />
              ) : (
                <span className="font-mono text-[0.8125rem]">{choiceWords(field, text)}</span>
              )}
              {"unit" in field && field.unit && ` ${field.unit}`}
            </Fact>
          ))}
      </Facts>
      {values
        .filter(({ field }) => field.kind === "approvedColumns")
        .map(({ key }) => (
          <div key={key} className="min-w-0 md:col-span-2">
            <ApprovedColumns columns={approvedColumnsIn(rule.configuration[key])} />
          </div>
        ))}
      {values
        .filter(({ field }) => field.kind === "sql")
        .map(({ key, field, text }) => (
          <CodeBlock key={key} label={field.label} className="min-w-0 bg-canvas md:col-span-2">
            {text}
          </CodeBlock>
        ))}
    </div>
  );
}

/** Choices as they are offered. */
const choiceWords = (field: RuleField, text: string) =>
  field.kind === "choice" || field.kind === "choices"
    ? text
        .split(", ")
        .map((each) => field.options.find(({ value }) => value === each)?.label ?? each)
        .join(", ")
    : text;

function Facts({ title, className, children }: { title: string; className?: string; children: ReactNode }) {
  return (
    <section className={className}>
      <h3 className="pb-1 text-xs font-semibold text-ink-2">{title}</h3>
      <dl className="grid grid-cols-[8rem_minmax(0,1fr)] gap-x-3 gap-y-1 text-sm">{children}</dl>
    </section>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-ink-3">{label}</dt>
      <dd className="break-words whitespace-pre-line">{children}</dd>
    </>
  );
}
