"use client";
import { Fragment, useState } from "react";
import { useProject } from "@/components/projects/use-project.ts";
import { Outcome } from "@/components/subscriptions/outcome.tsx";
import { hintedLooks, lookNameOf, outcomeLooks } from "@/components/subscriptions/outcome-looks.ts";
import { Button } from "@/components/ui/button.tsx";
import { formatDuration } from "@/components/ui/format.ts";
import { ChevronDown } from "@/components/ui/icons.tsx";
import { Link } from "@/components/ui/link.tsx";
import { Moment } from "@/components/ui/moment.tsx";
import { Table, Td, Th, Thead, Tr } from "@/components/ui/table.tsx";
import type { SubscriptionDetail } from "@/server/control-tower/schema.ts";

const shownAtFirst = 6;

/** The latest runs, newest first, with errors, and with notes on what could be mistaken for success. */
export function RunList({
  subscriptionId,
  executions,
}: Pick<SubscriptionDetail, "subscriptionId" | "executions">) {
  const { href } = useProject();
  const [isWhole, setWhole] = useState(executions.length <= shownAtFirst + 1);
  const shown = isWhole ? executions : executions.slice(0, shownAtFirst);
  const names = shown.map(({ outcome }) => lookNameOf(outcome));
  const hinted = hintedLooks.filter((name) => names.includes(name));
  return (
    <>
      <Table label="Latest runs">
        <Thead>
          <tr>
            <Th>Found, and told</Th>
            <Th>Executed</Th>
            <Th numeric>Took</Th>
          </tr>
        </Thead>
        <tbody>
          {shown.map(({ id, outcome, executedAt, executionTimeMs, errorMessage }) => (
            <Fragment key={id}>
              <Tr className={errorMessage === null ? "" : "border-b-0"}>
                <Td className="w-full">
                  <Outcome outcome={outcome} />
                </Td>
                <Td>
                  <Link
                    href={href(`/subscriptions/${subscriptionId}?execution=${id}`)}
                    className="hover:underline"
                  >
                    <Moment at={executedAt} />
                  </Link>
                </Td>
                <Td numeric className="text-ink-2">
                  {executionTimeMs === null ? "–" : formatDuration(executionTimeMs)}
                </Td>
              </Tr>
              {errorMessage !== null && (
                <tr className="border-b">
                  <td
                    colSpan={3}
                    title={errorMessage}
                    className="px-2 pb-2 pl-7.5 font-mono text-xs leading-5 break-words text-ink-2"
                  >
                    <span className="line-clamp-4 whitespace-pre-wrap">{errorMessage}</span>
                  </td>
                </tr>
              )}
            </Fragment>
          ))}
        </tbody>
      </Table>
      {!isWhole && (
        <Button
          variant="ghost"
          size="sm"
          icon={ChevronDown}
          className="-mt-1 self-start"
          onClick={() => setWhole(true)}
        >
          Show {executions.length - shownAtFirst} more
        </Button>
      )}
      {hinted.map((name) => (
        <p key={name} className="text-xs text-ink-3">
          <span className="font-medium text-ink-2">{outcomeLooks[name].word}:</span> {outcomeLooks[name].hint}
        </p>
      ))}
    </>
  );
}
