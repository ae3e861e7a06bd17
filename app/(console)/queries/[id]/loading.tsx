import { QueryEditorSkeleton } from "@/components/queries/skeletons.tsx";

export default function Loading() {
  return <QueryEditorSkeleton />;
}
