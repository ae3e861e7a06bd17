import { CatalogueSkeleton } from "@/components/catalogue/skeletons.tsx";

export default CatalogueSkeleton;
