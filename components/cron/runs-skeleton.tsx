import { Skeleton } from "@/components/ui/skeleton.tsx";

/** As high as five runs. */
export function RunsSkeleton() {
  return (
    <div className="flex flex-col">
      {["w-40", "w-44", "w-40", "w-44", "w-40"].map((width, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: identified by position
        <div key={index} className="py-0.5">
          <Skeleton className={`my-1 ${width}`} />
        </div>
      ))}
    </div>
  );
}
