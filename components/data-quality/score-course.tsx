"use client";
import { useEffect, useState } from "react";
import { trpc } from "@/components/trpc/client.tsx";
import { afterScrolling } from "@/components/ui/after-scrolling.ts";
import { cn } from "@/components/ui/class-names.ts";
import { Sparkline } from "@/components/ui/sparkline.tsx";
import { useFits } from "@/components/ui/use-fits.ts";
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

type Asked = {
  table: { dataSourceId: number; schemaName: string; tableName: string };
  className?: string;
};

/** Where tables have room for it (Tailwind's `lg`). */
const wide = "(min-width: 64rem)";

/** The same, asked for once nobody scrolls: rows that are scrolled past don't ask. Narrow windows don't, either. */
export function AskedScoreCourse(props: Asked) {
  const [hasRested, setHasRested] = useState(false);
  useEffect(() => afterScrolling(() => setHasRested(true)), []);
  return hasRested ? <LoadedScoreCourse {...props} /> : <Room {...props} />;
}

function LoadedScoreCourse({ table, ...props }: Asked) {
  const { data } = trpc.dataQuality.tableHistory.useQuery(table, { enabled: useFits(wide) });
  return data ? <ScoreCourse course={scoresIn(data.items)} {...props} /> : <Room {...props} />;
}

/** As wide as the line will be. */
const Room = ({ className }: Pick<Asked, "className">) => (
  <span className={cn("mr-2 inline-block w-14", className)} />
);
