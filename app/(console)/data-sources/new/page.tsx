import type { Metadata } from "next";
import { ConnectForm } from "@/components/data-sources/connect-form.tsx";
import { FormPage } from "@/components/shell/form-page.tsx";

export const metadata: Metadata = { title: "Connect a data source" };

export default function NewDataSourcePage() {
  return (
    <FormPage
      title="Connect a data source"
      parent={{ href: "/data-sources", label: "Data sources" }}
      permission="data-sources:manage"
    >
      <ConnectForm />
    </FormPage>
  );
}
