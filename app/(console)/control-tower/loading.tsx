import { TowerPageSkeleton } from "@/components/control-tower/skeletons.tsx";

export default function Loading() {
  return <TowerPageSkeleton />;
}
