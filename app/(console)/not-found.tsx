import type { Metadata } from "next";
import { ButtonLink } from "@/components/ui/button.tsx";
import { Empty } from "@/components/ui/empty.tsx";
import { PageHeader } from "@/components/ui/page-header.tsx";

export const metadata: Metadata = { title: "Not found" };

export default function NotFound() {
  return (
    <>
      <PageHeader title="Not found" />
      <Empty
        title="It may have been deleted, or it may be in a project you cannot see"
        action={<ButtonLink href="/">Go to the home page</ButtonLink>}
      />
    </>
  );
}
