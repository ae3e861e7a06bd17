/** Loading skeletons for the approval pages. */
import { Skeleton, SkeletonRows } from "@/components/ui/skeleton.tsx";

export function ApprovalListSkeleton() {
  return (
    <>
      <div className="flex min-h-8 items-center justify-between pb-4">
        <Skeleton className="h-5 w-40" />
        <Skeleton className="h-8 w-44" />
      </div>
      <SkeletonRows rows={8} columns={6} />
    </>
  );
}

export function ApprovalSkeleton() {
  return (
    <div role="status" aria-label="Loading" className="flex flex-col gap-4">
      <Skeleton className="w-20" />
      <Skeleton className="h-5 w-72" />
      <Skeleton className="w-96 max-w-full" />
      <Skeleton className="h-72 w-full rounded-md" />
      <Skeleton className="h-5 w-40" />
      <SkeletonRows rows={3} columns={4} />
    </div>
  );
}
