/** Loading skeletons for the query pages. */
import { Skeleton, SkeletonRows } from "@/components/ui/skeleton.tsx";

export function QueryListSkeleton() {
  return (
    <>
      <div className="flex min-h-8 items-center justify-between pb-4">
        <Skeleton className="h-5 w-40" />
        <Skeleton className="h-8 w-72" />
      </div>
      <div className="grid gap-8 md:grid-cols-[13rem_minmax(0,1fr)]">
        <div className="hidden flex-col gap-4 pt-2 md:flex">
          {["w-24", "w-32", "w-28", "w-36"].map((width) => (
            <Skeleton key={width} className={width} />
          ))}
        </div>
        <SkeletonRows rows={10} columns={5} />
      </div>
    </>
  );
}

export function QueryEditorSkeleton() {
  return (
    <div role="status" aria-label="Loading" className="flex flex-col gap-4">
      <Skeleton className="w-20" />
      <div className="flex h-8 items-center justify-between gap-4">
        <Skeleton className="h-5 w-64" />
        <Skeleton className="h-8 w-48" />
      </div>
      <Skeleton className="w-64" />
      <div className="grid gap-4 sm:grid-cols-3">
        <Skeleton className="h-8" />
        <Skeleton className="h-8" />
        <Skeleton className="h-8" />
      </div>
      <Skeleton className="w-48" />
      <Skeleton className="h-56 w-full rounded-md" />
      <Skeleton className="h-8 w-40" />
    </div>
  );
}
