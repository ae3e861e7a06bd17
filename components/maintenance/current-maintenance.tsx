"use client";
import { scopeWords } from "@/components/data-sources/scope-words.ts";
import { useProject, useProjectInput } from "@/components/projects/use-project.ts";
import { trpc } from "@/components/trpc/client.tsx";
import { Wrench } from "@/components/ui/icons.tsx";
import { Link } from "@/components/ui/link.tsx";
import { Moment } from "@/components/ui/moment.tsx";

/** What is in maintenance now, so that silence is not taken for health; otherwise nothing. */
export function CurrentMaintenance() {
  const { href } = useProject();
  const { data } = trpc.maintenance.list.useQuery(useProjectInput(), { refetchInterval: 60_000 });
  const current = (data?.items ?? []).filter(({ activeUntil }) => activeUntil !== null);
  if (current.length === 0) return null;
  return (
    <ul className="flex flex-col gap-1 pb-3">
      {current.map(({ id, name, activeUntil, ...window }) => (
        <li key={id} className="flex items-start gap-2 text-ink-2">
          <Wrench aria-hidden className="mt-0.5 size-4 shrink-0 text-stalled" />
          <span className="min-w-0 break-words">
            <Link href={href("/incidents/maintenance")} className="text-ink underline underline-offset-2">
              {name}
            </Link>
            : nobody is notified about {scopeWords(window) ?? "any data source"} until{" "}
            <Moment at={activeUntil} exact />
          </span>
        </li>
      ))}
    </ul>
  );
}
