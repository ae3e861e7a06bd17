import { TaskSkeleton } from "@/components/tasks/skeletons.tsx";

export default function Loading() {
  return <TaskSkeleton />;
}
