/** Loading skeletons for the data quality pages. */
import { Skeleton, SkeletonFigures, SkeletonRows } from "@/components/ui/skeleton.tsx";

export function OverviewSkeleton() {
  return (
    <div className="flex flex-col gap-4">
      <div className="flex h-8 items-center justify-between gap-4">
        <Skeleton className="h-5 w-40" />
        <Skeleton className="h-8 w-56" />
      </div>
      <Skeleton className="w-32" />
      <SkeletonFigures count={5} />
      <SkeletonRows rows={8} columns={5} />
    </div>
  );
}

export function ContractSkeleton() {
  return (
    <div className="flex flex-col gap-4">
      <Skeleton className="w-20" />
      <div className="flex h-8 items-center justify-between gap-4">
        <Skeleton className="h-5 w-64" />
        <Skeleton className="h-8 w-48" />
      </div>
      <SkeletonFigures count={5} />
      <div className="grid gap-10 lg:grid-cols-[minmax(0,1fr)_17rem]">
        <Skeleton className="h-52 w-full" />
        <div className="flex flex-col gap-3">
          <Skeleton className="w-24" />
          <Skeleton className="w-48" />
          <Skeleton className="w-40" />
          <Skeleton className="w-44" />
        </div>
      </div>
      <SkeletonRows rows={6} columns={6} />
    </div>
  );
}
