import { SearchX } from "lucide-react";
import { ButtonLink } from "@/components/ui/button.tsx";
import { Empty } from "@/components/ui/empty.tsx";

export default function NotFound() {
  return (
    <Empty
      icon={SearchX}
      title="This is not here"
      action={<ButtonLink href="/">To the start page</ButtonLink>}
    >
      It may have been deleted, or it may be in a project that you do not see.
    </Empty>
  );
}
