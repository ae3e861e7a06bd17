/**
 * Skeletons shaped like the content, so that nothing moves when it loads: Skeleton (one bar), SkeletonRows
 * (a table), SkeletonFigures, SkeletonForm, EditorSkeleton, SkeletonPage (a header and rows).
 */
import { cn } from "./class-names.ts";

export function Skeleton({ className }: { className?: string }) {
  return <span aria-hidden className={cn("block h-3 animate-pulse rounded-sm bg-hover", className)} />;
}

const widths = ["w-40", "w-28", "w-52", "w-36", "w-44", "w-32"];
const places = (count: number) => Array.from({ length: count }, (_, place) => place);

export function SkeletonRows({ rows = 6, columns = 4 }: { rows?: number; columns?: number }) {
  return (
    <div role="status" aria-label="Loading" className="w-full border-t">
      {places(rows).map((row) => (
        <div key={row} className="flex h-8 items-center gap-8 border-b">
          <Skeleton className={cn("max-w-full", widths[row % widths.length])} />
          <span className="flex-1" />
          {places(columns - 1).map((column) => (
            <Skeleton key={column} className="hidden w-16 sm:block" />
          ))}
        </div>
      ))}
    </div>
  );
}

export function SkeletonFigures({ count = 4 }: { count?: number }) {
  return (
    <div
      role="status"
      aria-label="Loading"
      className="grid grid-cols-2 gap-px overflow-hidden rounded-lg border bg-line sm:auto-cols-fr sm:grid-flow-col sm:grid-cols-none"
    >
      {places(count).map((place) => (
        <div key={place} className="flex h-[68px] flex-col justify-between bg-canvas px-3 py-3">
          <Skeleton className="w-16" />
          <Skeleton className="h-5 w-20" />
        </div>
      ))}
    </div>
  );
}

export function SkeletonPage({ rows = 8, columns = 4 }: { rows?: number; columns?: number }) {
  return (
    <>
      <div className="flex min-h-8 items-center justify-between pb-4">
        <Skeleton className="h-5 w-40" />
        <Skeleton className="h-8 w-32" />
      </div>
      <SkeletonRows rows={rows} columns={columns} />
    </>
  );
}

export function SkeletonForm({ fields = 6 }: { fields?: number }) {
  return (
    <div role="status" aria-label="Loading" className="flex max-w-xl flex-col gap-6">
      <Skeleton className="h-5 w-48" />
      {places(fields).map((place) => (
        <div key={place} className="flex flex-col gap-2">
          <Skeleton className="w-20" />
          <Skeleton className="h-8" />
        </div>
      ))}
    </div>
  );
}

/** An editor with sections. */
export function EditorSkeleton() {
  return (
    <div role="status" aria-label="Loading" className="flex flex-col gap-6">
      <Skeleton className="h-5 w-48" />
      {places(3).map((section) => (
        <div key={section} className="grid gap-4 border-t pt-6 lg:grid-cols-[14rem_minmax(0,1fr)]">
          <Skeleton className="w-24" />
          <div className="flex flex-col gap-4">
            <Skeleton className="h-8 w-full" />
            <Skeleton className="h-8 w-full" />
            <Skeleton className="h-8 w-2/3" />
          </div>
        </div>
      ))}
    </div>
  );
}
