import { Skeleton, SkeletonFigures } from "@/components/ui/skeleton.tsx";

const places = (count: number) => Array.from({ length: count }, (_, place) => place);

/** Skeletons of the cards and rows. */
export function TowerSkeleton() {
  return (
    <>
      <SkeletonFigures count={6} />
      <div aria-hidden className="mt-4 border-t">
        {places(12).map((place) => (
          <div key={place} className="flex h-[53px] items-center gap-6 border-b">
            <Skeleton className="h-5 w-20 shrink-0 rounded-full" />
            <span className="flex flex-1 flex-col gap-2">
              <Skeleton className={place % 3 === 0 ? "w-52 max-w-full" : "w-40 max-w-full"} />
              <Skeleton className="w-24" />
            </span>
            <Skeleton className="w-12" />
            <Skeleton className="hidden w-12 md:block" />
            <Skeleton className="hidden w-12 md:block" />
            <Skeleton className="hidden w-28 lg:block" />
            <Skeleton className="hidden w-24 md:block" />
          </div>
        ))}
      </div>
    </>
  );
}

/** The whole page, while its code or data is loading. */
export function TowerPageSkeleton() {
  return (
    <>
      <div className="flex min-h-8 items-center justify-between pb-4">
        <Skeleton className="h-5 w-48" />
        <Skeleton className="hidden h-8 w-96 sm:block" />
      </div>
      <TowerSkeleton />
    </>
  );
}

/** Skeleton of a panel. */
export function PanelSkeleton() {
  return (
    <div role="status" aria-label="Loading" className="flex flex-col gap-5">
      <div className="flex gap-2">
        {places(4).map((place) => (
          <Skeleton key={place} className="h-8 w-24" />
        ))}
      </div>
      <Skeleton className="h-10 w-full" />
      {places(8).map((place) => (
        <Skeleton key={place} className="w-full" />
      ))}
    </div>
  );
}
