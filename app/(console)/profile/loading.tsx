import { SkeletonPage } from "@/components/ui/skeleton.tsx";

export default function Loading() {
  return <SkeletonPage rows={3} columns={1} />;
}
