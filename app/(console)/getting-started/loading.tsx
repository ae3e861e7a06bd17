import { SkeletonPage } from "@/components/ui/skeleton.tsx";

export default function Loading() {
  return <SkeletonPage rows={5} columns={2} />;
}
