import { SubscriptionSkeleton } from "@/components/subscriptions/skeletons.tsx";

export default function Loading() {
  return <SubscriptionSkeleton />;
}
