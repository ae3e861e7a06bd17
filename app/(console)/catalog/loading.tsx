import { CatalogSkeleton } from "@/components/catalog/skeletons.tsx";

export default CatalogSkeleton;
