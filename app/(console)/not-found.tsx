import type { Metadata } from "next";
import { ButtonLink } from "@/components/ui/button.tsx";
import { Empty } from "@/components/ui/empty.tsx";
import { PageHeader } from "@/components/ui/page-header.tsx";

export const metadata: Metadata = { title: "Not found" };

export default function NotFound() {
  return (
    <>
      <PageHeader title="This is not here" />
      <Empty
        title="It may have been deleted, or it may be in a project that you do not see"
        action={<ButtonLink href="/">To the start page</ButtonLink>}
      />
    </>
  );
}
