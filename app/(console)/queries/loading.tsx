import { QueryListSkeleton } from "@/components/queries/skeletons.tsx";

export default function Loading() {
  return <QueryListSkeleton />;
}
