import type { Overview } from "../data-quality/overview-schema.ts";
import { code, plain, scoreText, table } from "./markdown.ts";

/** A rule that failed in its contract's latest evaluation. */
export type FailingRule = {
  contractId: number;
  ruleName: string;
  ruleType: string;
  severity: string;
  score: number;
  expectedValue: string | null;
  actualValue: string | null;
  message: string | null;
};

export type ReportedContract = {
  id: number;
  name: string;
  dataSourceName: string;
  schemaName: string;
  tableName: string;
  enabled: boolean;
  failureThreshold: number;
  measured: { score: number; trend: string } | null;
  outage: { since: Date; reason: string } | null;
  lastEvaluatedAt: Date | null;
};

/** The latest score and trend of every table, in Markdown. */
export function qualityPageOf(title: string, { items }: Pick<QualityOverview, "items">): string {
  return [`# ${plain(title)}: quality`, ...items.flatMap(sourceQuality)].join("\n\n");
}

type Source = Overview["items"][number];
type Table = Source["tables"][number];

/** The data for a report. Scores are the same here and in the API; only dates differ in type. */
export type QualityOverview = {
  items: readonly (Pick<Source, "dataSourceName" | "activeContractCount" | "measured"> & {
    tables: readonly (Pick<Table, "schemaName" | "tableName"> & {
      measured: (Pick<Table, "trend" | "previousScore"> & { score: number; evaluatedAt: Date }) | null;
      outage: { since: Date; reason: string } | null;
    })[];
  })[];
};

function sourceQuality(source: QualityOverview["items"][number]): string[] {
  const { averageScore, tableCount, healthyTables, degradingTables, outageTables } = source.measured;
  const average = averageScore === null ? "not scored" : `average ${averageScore.toFixed(2)}`;
  const outages = outageTables > 0 ? `, ${outageTables} could not be evaluated` : "";
  const counts = `${healthyTables} of ${tableCount} scored tables healthy, ${degradingTables} degrading${outages}`;
  const heading = `## ${plain(source.dataSourceName)}`;
  const facts = `${average}; ${counts}; ${source.activeContractCount} active contracts.`;
  if (source.tables.length === 0) return [heading, facts];
  const rows = source.tables.map((each) => [
    `${code(each.schemaName)}.${code(each.tableName)}`,
    each.measured?.score.toFixed(2) ?? "",
    each.measured?.previousScore?.toFixed(2) ?? "",
    each.measured?.trend ?? "",
    each.measured?.evaluatedAt.toISOString() ?? "",
    outageText(each),
  ]);
  return [heading, facts, table(["table", "last score", "before", "trend", "measured", ""], rows)];
}

const outageText = ({ outage }: { outage: { since: Date; reason: string } | null }) =>
  outage ? `could not be evaluated since ${outage.since.toISOString()}: ${plain(outage.reason)}` : "";

const maxLines = 200;

/** A project's quality at a glance: the scores, the contracts, worst first, and the failing rules. */
export function reportOf(
  title: string,
  {
    overview,
    contracts,
    failing,
  }: { overview: QualityOverview; contracts: readonly ReportedContract[]; failing: readonly FailingRule[] },
): string {
  const worstFirst = contracts.toSorted((a, b) => (a.measured?.score ?? 101) - (b.measured?.score ?? 101));
  const rows = worstFirst
    .slice(0, maxLines)
    .map((each) => [
      `${plain(each.name)} (${each.id})`,
      `${plain(each.dataSourceName)}: ${code(each.schemaName)}.${code(each.tableName)}`,
      scoreText(each.measured?.score ?? null, each.measured?.trend ?? null),
      String(each.failureThreshold),
      each.lastEvaluatedAt?.toISOString() ?? "never",
      [each.enabled ? "" : "disabled", outageText(each)].filter(Boolean).join("; "),
    ]);
  const more = contracts.length > maxLines ? [`And ${contracts.length - maxLines} more contracts.`] : [];
  return [
    `# ${plain(title)}: quality report`,
    ...overview.items.flatMap(sourceQuality),
    "## Contracts, worst first",
    contracts.length === 0
      ? "There are none."
      : table(["contract", "table", "score", "threshold", "last evaluation", ""], rows),
    ...more,
    "## Rules that failed in the latest evaluations",
    failingRules(worstFirst, failing),
  ].join("\n\n");
}

function failingRules(contracts: readonly ReportedContract[], failing: readonly FailingRule[]): string {
  const byContract = Map.groupBy(failing, ({ contractId }) => contractId);
  const lines = contracts.flatMap(({ id, name }) =>
    (byContract.get(id) ?? []).map((each) => `- ${plain(name)} (${id}): ${failureText(each)}`),
  );
  if (lines.length === 0) return "None.";
  const more = lines.length > maxLines ? [`- And ${lines.length - maxLines} more.`] : [];
  return [...lines.slice(0, maxLines), ...more].join("\n");
}

function failureText({
  ruleName,
  ruleType,
  severity,
  score,
  expectedValue,
  actualValue,
  message,
}: FailingRule): string {
  const values = [
    expectedValue === null ? "" : `expected ${plain(expectedValue)}`,
    actualValue === null ? "" : `found ${plain(actualValue)}`,
    message === null ? "" : plain(message),
  ].filter(Boolean);
  return [`**${plain(ruleName)}** (${ruleType}, ${severity}) scored ${score}`, ...values].join("; ");
}
