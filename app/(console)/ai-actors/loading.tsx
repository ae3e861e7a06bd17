import { ActorListSkeleton } from "@/components/actors/skeletons.tsx";

export default function Loading() {
  return <ActorListSkeleton />;
}
