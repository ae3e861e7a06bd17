"use client";
import { useQueryStates } from "nuqs";
import { useDeferredValue } from "react";
import { trpc } from "@/components/trpc/client.tsx";
import { cn } from "@/components/ui/class-names.ts";
import { Pager } from "@/components/ui/pager.tsx";
import { actorParameters, executionsInput, executionsPerPage } from "./actor-pages.ts";
import { CourseEntry } from "./course-entry.tsx";

/** An actor's executions, newest first; each entry expands. */
export function ActorCourse({ id }: { id: number }) {
  const [{ execution, page }, set] = useQueryStates(actorParameters, { clearOnDefault: true });
  const asked = useDeferredValue(page);
  const [{ items, totalCount }] = trpc.actors.executions.useSuspenseQuery(executionsInput(id, asked), {
    refetchInterval: 20_000,
  });
  // The execution in the URL is shown at the top if it is on another page of the history.
  const isElsewhere = execution !== null && !items.some((each) => each.id === execution);
  const linked = trpc.actors.execution.useQuery({ id: execution ?? 0 }, { enabled: isElsewhere });
  const elsewhere = isElsewhere && linked.data?.actorId === id ? linked.data : null;
  const toggle = (opened: number) => void set({ execution: opened === execution ? null : opened });
  return (
    <section aria-label="History" className="flex flex-col gap-2">
      <h2 className="text-sm font-semibold">
        History {totalCount > 0 && <span className="font-normal text-ink-3 tabular-nums">{totalCount}</span>}
      </h2>
      {totalCount === 0 ? (
        <p className="border-t pt-3 text-ink-2">
          No think cycles yet. Each think cycle and executed plan is listed here, with what it found, what it
          did, and what it cost.
        </p>
      ) : (
        <ol className={cn("border-t pt-2", asked !== page && "opacity-60")}>
          {[...(elsewhere ? [elsewhere] : []), ...items].map((each) => (
            <CourseEntry
              key={each.id}
              execution={each}
              isOpen={each.id === execution}
              onToggle={() => toggle(each.id)}
            />
          ))}
        </ol>
      )}
      <Pager
        page={Math.max(page, 1) - 1}
        pageSize={executionsPerPage}
        total={totalCount}
        onPageChange={(next) => void set({ page: next + 1, execution: null })}
      />
    </section>
  );
}
