"use client";
import { useEffect, useState } from "react";
import { trpc } from "@/components/trpc/client.tsx";
import { cn } from "@/components/ui/class-names.ts";
import { Sparkline } from "@/components/ui/sparkline.tsx";
import { scoresIn } from "./overview-rows.ts";
import { courseText } from "./score.tsx";

/** A table's latest scores as a small line; nothing for fewer than two. `null` is an evaluation that could not measure. */
export function ScoreCourse({
  course,
  className,
}: {
  course: readonly (number | null)[];
  className?: string;
}) {
  if (course.length < 2) return null;
  return (
    <Sparkline
      values={course}
      min={0}
      max={100}
      width={56}
      height={18}
      className={cn("mr-2 inline-block align-middle", className)}
      label={courseText(course)}
    />
  );
}

/** Rows that are scrolled past don't ask. */
const restMs = 150;

/** The same, asked for once the row has been there for a moment. */
export function AskedScoreCourse({
  table,
  className,
}: {
  table: { dataSourceId: number; schemaName: string; tableName: string };
  className?: string;
}) {
  const [hasRested, setHasRested] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setHasRested(true), restMs);
    return () => clearTimeout(timer);
  }, []);
  const { data } = trpc.dataQuality.tableHistory.useQuery(table, { enabled: hasRested });
  if (!data) return <span className={cn("mr-2 inline-block w-14", className)} />;
  return <ScoreCourse course={scoresIn(data.items)} {...(className && { className })} />;
}
