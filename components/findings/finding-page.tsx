"use client";
import type { ReactNode } from "react";
import { useMay } from "@/components/auth/use-me.ts";
import { tableHref } from "@/components/catalog/table-href.ts";
import { Why } from "@/components/causes/why.tsx";
import { useProject } from "@/components/projects/use-project.ts";
import { trpc } from "@/components/trpc/client.tsx";
import { Button, ButtonLink } from "@/components/ui/button.tsx";
import { CodeBlock } from "@/components/ui/code.tsx";
import { CopyButton } from "@/components/ui/copy-button.tsx";
import { Fact, Facts } from "@/components/ui/facts.tsx";
import { ArrowLeft, ArrowRight, CircleSlash, FileCheck2, FileCode2 } from "@/components/ui/icons.tsx";
import { Kbd } from "@/components/ui/kbd.tsx";
import { Link } from "@/components/ui/link.tsx";
import { Moment } from "@/components/ui/moment.tsx";
import { PageHeader } from "@/components/ui/page-header.tsx";
import { useHydrated } from "@/components/ui/use-hydrated.ts";
import { ruleSentence } from "@/server/data-quality/rules/rule-sentence.ts";
import { ruleDefinition } from "@/server/data-quality/rules/rules.ts";
import type { Finding } from "@/server/findings/schema.ts";
import { Evidence, hasEvidence } from "./evidence.tsx";
import { tableFindingsHref } from "./finding-hrefs.ts";
import { FindingStatus, Learned, Severity, Sureness } from "./finding-looks.tsx";
import { FindingSamples } from "./finding-samples.tsx";
import { kindWords, reviewWords, rowsInDoubt, shareInDoubt } from "./finding-words.ts";
import { decisionsOf, useFindingDecisions } from "./use-finding-decisions.tsx";
import { useNeighbors } from "./use-neighbors.ts";

/** One finding: what is wrong, its rows, what supports it, and what can be done about it. */
export function FindingPage({ id }: { id: number }) {
  const [finding] = trpc.findings.get.useSuspenseQuery({ id }, { refetchInterval: 60_000 });
  const { href } = useProject();
  const mayQuery = useMay("queries:configure");
  const { mayDecide, ask, dialog } = useFindingDecisions(() => finding);
  const { previous, next } = useNeighbors(finding);
  const { statement, evidence, rowsSql } = finding;
  const open = mayDecide ? decisionsOf(finding) : [];
  return (
    <>
      <PageHeader
        parent={{
          href: href(tableFindingsHref(finding.dataSourceId, finding)),
          label: `Findings in ${finding.tableName}`,
        }}
        title={<span className="wrap-anywhere">{statement}</span>}
      />
      <div className="flex flex-wrap items-center gap-2 pb-4">
        {open.includes("accept") && (
          <Button
            variant="primary"
            icon={FileCheck2}
            aria-keyshortcuts="a"
            onClick={() => ask("accept", finding)}
          >
            Make it a rule <Key>A</Key>
          </Button>
        )}
        {open.includes("dismiss") && (
          <Button icon={CircleSlash} aria-keyshortcuts="d" onClick={() => ask("dismiss", finding)}>
            Not a problem <Key>D</Key>
          </Button>
        )}
        <CopyLink id={id} />
        <nav aria-label="Other findings" className="ml-auto flex gap-2">
          {previous && (
            <ButtonLink href={previous} variant="ghost" icon={ArrowLeft} aria-keyshortcuts="k">
              Previous <Key>K</Key>
            </ButtonLink>
          )}
          {next && (
            <ButtonLink href={next} variant="ghost" icon={ArrowRight} aria-keyshortcuts="j">
              Next <Key>J</Key>
            </ButtonLink>
          )}
        </nav>
      </div>
      <FindingFacts finding={finding} />
      <section aria-labelledby="rows" className="pt-6">
        <h2 id="rows" className="sr-only">
          Rows
        </h2>
        <FindingSamples finding={finding} />
      </section>
      {finding.failingRows > 0 && rowsSql !== null && finding.status !== "Gone" && (
        <div className="flex flex-col pt-4">
          <Why of={{ findingId: id }} isOfRows />
        </div>
      )}
      {hasEvidence(evidence) && <Evidence finding={finding} />}
      <ProposedRule finding={finding} />
      {rowsSql !== null && (
        <section aria-labelledby="sql" className="pt-6">
          <div className="flex flex-wrap items-center justify-between gap-2 pb-2">
            <h2 id="sql" className="text-base font-semibold tracking-tight">
              SQL
            </h2>
            {mayQuery && (
              <ButtonLink
                href={href(`/queries/new?${new URLSearchParams({ finding: String(id) })}`)}
                size="sm"
                icon={FileCode2}
              >
                Open in the query editor
              </ButtonLink>
            )}
          </div>
          <CodeBlock label="Returns all rows in doubt">{rowsSql}</CodeBlock>
        </section>
      )}
      {dialog}
    </>
  );
}

/** Where there is a keyboard. */
const Key = ({ children }: { children: string }) => (
  <span className="hidden sm:contents">
    <Kbd>{children}</Kbd>
  </span>
);

/** The finding's own address, without the filters of the list that led here. */
function CopyLink({ id }: { id: number }) {
  const isHydrated = useHydrated();
  const address = isHydrated ? new URL(`/findings/${id}`, window.location.href).href : "";
  return <CopyButton size="md" text={address} label="Copy link" />;
}

function FindingFacts({ finding }: { finding: Finding }) {
  const { href } = useProject();
  const { dataSourceId, schemaName, tableName, columns, kind, status, reason, contractId } = finding;
  const share = shareInDoubt(finding);
  return (
    <Facts>
      <Fact label="Status">
        <FindingStatus status={status} />
        {status === "Accepted" && contractId !== null && (
          <TextLink href={href(`/data-quality/contracts/${contractId}`)}>Open contract</TextLink>
        )}
        {status === "Dismissed" && reason && <p className="text-ink-2">{reason}</p>}
      </Fact>
      <Fact label="Severity">
        <Severity severity={finding.severity} />
      </Fact>
      <Fact label="How sure">
        <Sureness confidence={finding.confidence} />
        <p className="text-xs empty:hidden">
          <Learned finding={finding} />
        </p>
      </Fact>
      {finding.review && (
        <Fact label="Language model">
          <p>{reviewWords(finding.review)}</p>
          {finding.review.isReworded && (
            <p className="text-xs text-ink-3">Without it: {finding.review.ownStatement}</p>
          )}
        </Fact>
      )}
      <Fact label="Rows in doubt">
        <span className="tabular-nums">{rowsInDoubt(finding)}</span>
        {share !== null && <span className="text-ink-3 tabular-nums"> ({share})</span>}
      </Fact>
      <Fact label="Kind">{kindWords[kind]}</Fact>
      <Fact label="Table" mono>
        <TextLink href={href(tableHref(dataSourceId, finding))}>
          {schemaName}.{tableName}
        </TextLink>
      </Fact>
      {columns.length > 0 && (
        <Fact label={columns.length === 1 ? "Column" : "Columns"} mono>
          {columns.join(", ")}
        </Fact>
      )}
      <Fact label="First found">
        <Moment at={finding.firstSeenAt} />
      </Fact>
      <Fact label="Last found">
        <Moment at={finding.lastSeenAt} />
      </Fact>
    </Facts>
  );
}

const TextLink = ({ href, children }: { href: string; children: ReactNode }) => (
  <Link href={href} className="block rounded-sm break-words text-accent underline-offset-2 hover:underline">
    {children}
  </Link>
);

/** What a contract would take. */
function ProposedRule({ finding: { rule, status } }: { finding: Finding }) {
  if (rule === null || status === "Accepted") return null;
  return (
    <section aria-labelledby="rule" className="pt-6">
      <h2 id="rule" className="pb-1 text-base font-semibold tracking-tight">
        Rule
      </h2>
      <p>
        {rule.type === "CustomSql"
          ? `${ruleDefinition(rule.type).label} that fails for these rows`
          : ruleSentence(rule)}
      </p>
      <p className="text-xs text-ink-3">Added to a contract, it catches such rows from now on.</p>
    </section>
  );
}
