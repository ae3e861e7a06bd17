/** Loading skeletons for the actor pages. */
import { Skeleton, SkeletonFigures, SkeletonPage, SkeletonRows } from "@/components/ui/skeleton.tsx";

export function ActorListSkeleton() {
  return <SkeletonPage rows={5} columns={7} />;
}

export function ActorSkeleton() {
  return (
    <div role="status" aria-label="Loading" className="flex flex-col gap-5">
      <Skeleton className="w-20" />
      <div className="flex items-center justify-between">
        <Skeleton className="h-5 w-64" />
        <Skeleton className="h-8 w-40" />
      </div>
      <SkeletonFigures count={5} />
      <div className="grid gap-8 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <SkeletonRows rows={7} columns={3} />
        <div className="flex flex-col gap-3">
          <Skeleton className="h-16 w-full rounded-md" />
          <Skeleton className="ml-8 h-12 rounded-md" />
          <Skeleton className="h-16 w-full rounded-md" />
        </div>
      </div>
    </div>
  );
}

export function PlanSkeleton() {
  return (
    <div role="status" aria-label="Loading" className="flex flex-col gap-4">
      <Skeleton className="w-24" />
      <Skeleton className="h-5 w-72" />
      <Skeleton className="w-full max-w-prose" />
      <Skeleton className="w-4/5 max-w-prose" />
      <div className="grid gap-6 pt-2 lg:grid-cols-[20rem_minmax(0,1fr)]">
        <SkeletonRows rows={6} columns={1} />
        <div className="flex flex-col gap-3">
          <Skeleton className="h-5 w-56" />
          <Skeleton className="w-4/5" />
          <Skeleton className="h-56 w-full rounded-md" />
          <SkeletonRows rows={4} columns={3} />
        </div>
      </div>
    </div>
  );
}
