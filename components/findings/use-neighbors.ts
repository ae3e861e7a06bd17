"use client";
import { useRouter } from "next/navigation";
import { useEffect, useRef } from "react";
import { useProject } from "@/components/projects/use-project.ts";
import { trpc } from "@/components/trpc/client.tsx";
import { isReadingKey } from "@/components/ui/reading-key.ts";
import type { Finding } from "@/server/findings/schema.ts";
import { neighborsInput } from "./shown-input.ts";

/**
 * The open findings of the same data source before and after this one, in the order of their list; j and k go there.
 * They are those of when the page came: a finding that is decided keeps its place among them.
 */
export function useNeighbors({ id, dataSourceId }: Pick<Finding, "id" | "dataSourceId">): {
  previous: string | null;
  next: string | null;
} {
  const router = useRouter();
  const { href } = useProject();
  const { data } = trpc.findings.list.useQuery(neighborsInput(dataSourceId));
  const order = useRef<number[] | null>(null);
  if (data && (order.current === null || !order.current.includes(id)))
    order.current = data.items.map((each) => each.id);
  const place = order.current?.indexOf(id) ?? -1;
  const hrefOf = (index: number) => {
    const neighbor = order.current?.[index];
    return neighbor === undefined ? null : href(`/findings/${neighbor}`);
  };
  // From one that is not open, the way leads to the first that is.
  const previous = place > 0 ? hrefOf(place - 1) : null;
  const next = hrefOf(place + 1);
  const latest = useRef({ previous, next });
  useEffect(() => {
    latest.current = { previous, next };
  });
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if ((event.key !== "j" && event.key !== "k") || !isReadingKey(event)) return;
      const target = event.key === "j" ? latest.current.next : latest.current.previous;
      if (target === null) return;
      event.preventDefault();
      router.push(target);
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, [router]);
  return { previous, next };
}
