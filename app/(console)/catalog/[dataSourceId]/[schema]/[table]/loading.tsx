import { TableSkeleton } from "@/components/catalog/skeletons.tsx";

export default TableSkeleton;
