import { EditorSkeleton } from "@/components/ui/skeleton.tsx";

export default function Loading() {
  return <EditorSkeleton />;
}
