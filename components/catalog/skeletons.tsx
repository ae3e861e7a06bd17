/** Loading skeletons for the catalog pages. */
import { Skeleton, SkeletonFigures, SkeletonRows } from "@/components/ui/skeleton.tsx";

export function CatalogSkeleton() {
  return (
    <div className="flex flex-col gap-4">
      <Skeleton className="h-5 w-40" />
      <SkeletonRows rows={2} columns={5} />
      <Filters />
      <SkeletonRows rows={10} columns={6} />
    </div>
  );
}

export function SourceSkeleton() {
  return (
    <div className="flex flex-col gap-4">
      <Skeleton className="w-20" />
      <Skeleton className="h-5 w-56" />
      <SkeletonFigures count={4} />
      <Filters />
      <SkeletonRows rows={10} columns={6} />
    </div>
  );
}

export function TableSkeleton() {
  return (
    <div className="flex flex-col gap-4">
      <Skeleton className="w-28" />
      <div className="flex h-8 items-center justify-between gap-4">
        <Skeleton className="h-5 w-64" />
        <Skeleton className="h-8 w-56" />
      </div>
      <Skeleton className="w-2/3" />
      <Skeleton className="h-28 w-full rounded-md" />
      <SkeletonRows rows={10} columns={4} />
    </div>
  );
}

function Filters() {
  return (
    <div className="flex flex-wrap gap-2">
      <Skeleton className="h-8 w-64" />
      <Skeleton className="h-8 w-40" />
      <Skeleton className="h-8 w-40" />
    </div>
  );
}
