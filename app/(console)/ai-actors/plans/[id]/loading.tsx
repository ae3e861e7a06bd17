import { PlanSkeleton } from "@/components/actors/skeletons.tsx";

export default function Loading() {
  return <PlanSkeleton />;
}
