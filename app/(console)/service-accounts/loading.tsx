import { SkeletonPage } from "@/components/ui/skeleton.tsx";

export default function Loading() {
  return <SkeletonPage rows={6} columns={5} />;
}
