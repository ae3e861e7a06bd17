import type { Metadata } from "next";
import { DataSourceForm } from "@/components/data-sources/data-source-form.tsx";
import { FormPage } from "@/components/shell/form-page.tsx";

export const metadata: Metadata = { title: "Connect a database" };

export default function NewDataSourcePage() {
  return (
    <FormPage
      title="Connect a database"
      parent={{ href: "/data-sources", label: "Data sources" }}
      permission="data-sources:manage"
    >
      <DataSourceForm />
    </FormPage>
  );
}
