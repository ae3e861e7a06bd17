import { ApprovalListSkeleton } from "@/components/approvals/skeletons.tsx";

export default function Loading() {
  return <ApprovalListSkeleton />;
}
