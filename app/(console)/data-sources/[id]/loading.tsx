import { Skeleton, SkeletonRows } from "@/components/ui/skeleton.tsx";

export default function Loading() {
  return (
    <>
      <Skeleton className="mb-3 w-24" />
      <Skeleton className="mb-6 h-5 w-56" />
      <Skeleton className="mb-10 h-28 rounded-md" />
      <SkeletonRows />
    </>
  );
}
