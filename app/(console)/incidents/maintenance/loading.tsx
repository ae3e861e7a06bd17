import { SkeletonPage } from "@/components/ui/skeleton.tsx";

export default function Loading() {
  return <SkeletonPage rows={10} columns={6} />;
}
