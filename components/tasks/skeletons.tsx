/** Loading skeleton for a task's page. */
import { Skeleton, SkeletonFigures } from "@/components/ui/skeleton.tsx";

export function TaskSkeleton() {
  return (
    <div className="flex flex-col gap-4">
      <Skeleton className="w-16" />
      <div className="flex h-8 items-center justify-between gap-4">
        <Skeleton className="h-5 w-64" />
        <Skeleton className="h-8 w-72" />
      </div>
      <SkeletonFigures count={5} />
      <Skeleton className="h-48 w-full" />
      <Skeleton className="h-16 w-full max-w-prose" />
    </div>
  );
}
