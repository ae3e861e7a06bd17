import { SkeletonPage } from "@/components/ui/skeleton.tsx";

export default function Loading() {
  return <SkeletonPage rows={16} columns={5} />;
}
