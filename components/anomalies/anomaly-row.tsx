"use client";
import type { ComponentProps } from "react";
import { Link } from "@/components/ui/link.tsx";
import { Moment } from "@/components/ui/moment.tsx";
import { Td, Tr } from "@/components/ui/table.tsx";
import type { Anomaly } from "@/server/subscriptions/schema.ts";
import { Acknowledgement } from "./acknowledgement.tsx";
import { Severity } from "./severity.tsx";
import { formatValue, usualRange } from "./usual-range.ts";

/** One anomaly: the value, the usual range, and the reason. */
export function AnomalyRow({
  anomaly,
  href,
  ...row
}: { anomaly: Anomaly; href: string } & Omit<ComponentProps<"tr">, "children">) {
  const { severity, subscriptionName, detectedValue, expectedLow, expectedHigh, explanation, detectedAt } =
    anomaly;
  return (
    <Tr {...row}>
      <Td className="whitespace-nowrap">
        <Severity severity={severity} />
      </Td>
      <Td className="w-full max-w-0 md:w-auto md:max-w-64 md:min-w-40">
        <Link href={href} className="block truncate font-medium hover:underline" title={subscriptionName}>
          {subscriptionName}
        </Link>
        <span className="block text-xs text-ink-3 md:hidden">
          usually {usualRange(expectedLow, expectedHigh)}, <Moment at={detectedAt} />
        </span>
        <span className="block py-1 sm:hidden">
          <Acknowledgement anomaly={anomaly} />
        </span>
      </Td>
      <Td numeric className="font-medium">
        {formatValue(detectedValue)}
      </Td>
      <Td numeric className="hidden text-ink-2 md:table-cell">
        {usualRange(expectedLow, expectedHigh)}
      </Td>
      <Td className="hidden w-full min-w-72 text-ink-2 lg:table-cell">{explanation}</Td>
      <Td className="hidden whitespace-nowrap text-ink-2 md:table-cell">
        <Moment at={detectedAt} />
      </Td>
      <Td className="hidden text-right whitespace-nowrap sm:table-cell">
        <Acknowledgement anomaly={anomaly} />
      </Td>
    </Tr>
  );
}
