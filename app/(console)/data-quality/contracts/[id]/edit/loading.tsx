import { EditorSkeleton } from "@/components/data-quality/skeletons.tsx";

export default function Loading() {
  return <EditorSkeleton />;
}
