import { SourceSkeleton } from "@/components/catalogue/skeletons.tsx";

export default SourceSkeleton;
