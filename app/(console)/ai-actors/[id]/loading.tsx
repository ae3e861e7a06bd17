import { ActorSkeleton } from "@/components/actors/skeletons.tsx";

export default function Loading() {
  return <ActorSkeleton />;
}
