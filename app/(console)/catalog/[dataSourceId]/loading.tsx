import { SourceSkeleton } from "@/components/catalog/skeletons.tsx";

export default SourceSkeleton;
