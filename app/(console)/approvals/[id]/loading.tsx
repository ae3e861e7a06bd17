import { ApprovalSkeleton } from "@/components/approvals/skeletons.tsx";

export default function Loading() {
  return <ApprovalSkeleton />;
}
