/** Loading skeletons for the subscription pages. */
import { Skeleton, SkeletonFigures, SkeletonRows } from "@/components/ui/skeleton.tsx";

export function SubscriptionSkeleton() {
  return (
    <div className="flex flex-col gap-4">
      <Skeleton className="w-24" />
      <div className="flex h-8 items-center justify-between gap-4">
        <Skeleton className="h-5 w-64" />
        <Skeleton className="h-8 w-48" />
      </div>
      <SkeletonFigures count={5} />
      <div className="grid gap-10 lg:grid-cols-[minmax(0,1fr)_17rem]">
        <div className="flex flex-col gap-6">
          <Skeleton className="h-48 w-full" />
          <SkeletonRows rows={8} columns={5} />
        </div>
        <div className="flex flex-col gap-3">
          <Skeleton className="w-24" />
          <Skeleton className="w-48" />
          <Skeleton className="w-40" />
          <Skeleton className="w-44" />
        </div>
      </div>
    </div>
  );
}
