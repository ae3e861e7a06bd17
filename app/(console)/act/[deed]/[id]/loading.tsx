import { SkeletonForm } from "@/components/ui/skeleton.tsx";

export default function Loading() {
  return <SkeletonForm fields={1} />;
}
