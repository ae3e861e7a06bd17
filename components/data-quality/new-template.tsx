"use client";
import { useLikelyProject } from "@/components/projects/use-project.ts";
import { FormPage } from "@/components/shell/form-page.tsx";
import { trpc } from "@/components/trpc/client.tsx";
import { TemplateEditor } from "./template-editor.tsx";

/** The editor of a new rule template. */
export function NewTemplate() {
  const projectId = useLikelyProject();
  const [{ items: sources }] = trpc.dataSources.list.useSuspenseQuery({});
  return (
    <FormPage
      title="New rule template"
      parent={{ href: "/data-quality/templates", label: "Rule templates" }}
      permission="contracts:configure"
    >
      <TemplateEditor projectId={projectId} sources={sources} />
    </FormPage>
  );
}
