import { TableSkeleton } from "@/components/catalogue/skeletons.tsx";

export default TableSkeleton;
