import type { Overview } from "../data-quality/schema.ts";
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
  latestScore: number | null;
  trend: string | null;
  lastEvaluatedAt: Date | null;
};

/** The latest score and trend of every table, in Markdown. */
export function qualityPageOf(title: string, { items }: Pick<QualityOverview, "items">): string {
  return [`# ${plain(title)}: quality`, ...items.flatMap(sourceQuality)].join("\n\n");
}

type Source = Overview["items"][number];
type Table = Source["tables"][number];

/** What a report says of it. Scores are the same in the service and on its doors; only moments differ. */
export type QualityOverview = {
  items: readonly (Pick<
    Source,
    | "dataSourceName"
    | "averageScore"
    | "tableCount"
    | "healthyTables"
    | "degradingTables"
    | "activeContractCount"
  > & {
    tables: readonly (Pick<Table, "schemaName" | "tableName" | "currentScore" | "previousScore" | "trend"> & {
      evaluatedAt: Date;
    })[];
  })[];
};

function sourceQuality(source: QualityOverview["items"][number]): string[] {
  const average = source.averageScore === null ? "not scored" : `average ${source.averageScore.toFixed(2)}`;
  const counts = `${source.healthyTables} of ${source.tableCount} scored tables healthy, ${source.degradingTables} degrading`;
  const heading = `## ${plain(source.dataSourceName)}`;
  const facts = `${average}; ${counts}; ${source.activeContractCount} active contracts.`;
  if (source.tables.length === 0) return [heading, facts];
  const rows = source.tables.map((each) => [
    `${code(each.schemaName)}.${code(each.tableName)}`,
    each.currentScore.toFixed(2),
    each.previousScore?.toFixed(2) ?? "",
    each.trend,
    each.evaluatedAt.toISOString(),
  ]);
  return [heading, facts, table(["table", "score", "before", "trend", "evaluated"], rows)];
}

const most = 200;

/** What to know about a project's quality: the scores, the contracts, worst first, and the rules that fail. */
export function reportOf(
  title: string,
  {
    overview,
    contracts,
    failing,
  }: { overview: QualityOverview; contracts: readonly ReportedContract[]; failing: readonly FailingRule[] },
): string {
  const worstFirst = contracts.toSorted((a, b) => (a.latestScore ?? 101) - (b.latestScore ?? 101));
  const rows = worstFirst
    .slice(0, most)
    .map((each) => [
      `${plain(each.name)} (${each.id})`,
      `${plain(each.dataSourceName)}: ${code(each.schemaName)}.${code(each.tableName)}`,
      scoreText(each.latestScore, each.trend),
      String(each.failureThreshold),
      each.lastEvaluatedAt?.toISOString() ?? "never",
      each.enabled ? "" : "disabled",
    ]);
  const more = contracts.length > most ? [`And ${contracts.length - most} more contracts.`] : [];
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
  const more = lines.length > most ? [`- And ${lines.length - most} more.`] : [];
  return [...lines.slice(0, most), ...more].join("\n");
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
