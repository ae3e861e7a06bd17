"use client";
import { useMemo } from "react";
import { useController, useFormContext, useWatch } from "react-hook-form";
import { EditorSection } from "@/components/editors/editor-section.tsx";
import { FormEditor } from "@/components/editors/form-editor.tsx";
import { ProjectField } from "@/components/projects/project-field.tsx";
import { trpc } from "@/components/trpc/client.tsx";
import { applyFieldErrors } from "@/components/trpc/field-errors.ts";
import { Field } from "@/components/ui/field.tsx";
import { Input } from "@/components/ui/input.tsx";
import { Switch } from "@/components/ui/switch.tsx";
import type { RuleTemplate } from "@/server/data-quality/templates/schema.ts";
import { isDatabaseKind } from "@/server/data-sources/kinds.ts";
import type { DataSource } from "@/server/data-sources/schema.ts";
import {
  emptyTemplate,
  type TemplateForm,
  templateFormOf,
  templateFormPath,
  templateInputOf,
  templateMessage,
  templateProblemsOf,
} from "./template-form.ts";
import { TemplatePreview } from "./template-preview.tsx";
import { TemplateRuleFields } from "./template-rule-fields.tsx";
import { TemplateNewContracts, TemplateSelector } from "./template-selector.tsx";
import { useDatabaseSchema } from "./use-database-schema.ts";

/** Creates a rule template, or edits an existing one. */
export function TemplateEditor({
  template,
  projectId = null,
  sources,
}: {
  template?: RuleTemplate;
  /** The likely project of a new one. */
  projectId?: number | null;
  sources: readonly DataSource[];
}) {
  const utils = trpc.useUtils();
  const create = trpc.dataQuality.createTemplate.useMutation();
  const update = trpc.dataQuality.updateTemplate.useMutation();
  return (
    <FormEditor<TemplateForm, RuleTemplate>
      kind="rule-template"
      id={template?.id}
      start={template ? templateFormOf(template) : emptyTemplate(projectId)}
      problemsOf={templateProblemsOf}
      save={(values) => {
        const { projectId, ...input } = templateInputOf(values);
        return template
          ? update.mutateAsync({ id: template.id, baseRevision: template.revision, ...input })
          : create.mutateAsync({ projectId, ...input });
      }}
      saved={(saved) => {
        void utils.dataQuality.invalidate();
        return `${template ? "Saved" : "Created"} “${saved.name}”`;
      }}
      hrefOf={() => "/data-quality/templates"}
      placeErrors={(form, error) =>
        void applyFieldErrors(form, error, { pathOf: templateFormPath, wordsOf: templateMessage })
      }
      cancelHref="/data-quality/templates"
      submit={template ? "Save template" : "Create template"}
      note="The contracts that the preview lists get the rule soon after, each as a new version."
    >
      <TemplateFields isNew={!template} sources={sources} />
    </FormEditor>
  );
}

function TemplateFields({ isNew, sources }: { isNew: boolean; sources: readonly DataSource[] }) {
  const { control, register, setValue, formState } = useFormContext<TemplateForm>();
  const { errors } = formState;
  const project = useController({ control, name: "projectId" }).field;
  const enabled = useController({ control, name: "enabled" }).field;
  const [dataSourceIds] = useWatch({ control, name: ["dataSourceIds"] });
  const own = sources.filter(({ kind, projectId }) => isDatabaseKind(kind) && projectId === project.value);
  const shown = own.find(({ id }) => dataSourceIds.length === 0 || dataSourceIds.includes(id)) ?? null;
  const schema = useDatabaseSchema(shown?.id ?? null);
  const engine = shown?.kind ?? null;
  const context = useMemo(() => ({ schema, engine, fillsColumn: true }) as const, [schema, engine]);
  return (
    <>
      <EditorSection title="Template" explanation="One rule for many tables, and a name that contracts show.">
        {isNew && (
          <ProjectField
            permission="contracts:configure"
            value={project.value}
            error={errors.projectId}
            onChange={(next) => {
              project.onChange(next);
              setValue("dataSourceIds", []);
            }}
          />
        )}
        <Field label="Name" error={errors.name}>
          <Input {...register("name")} placeholder="References are set" />
        </Field>
        <Switch
          checked={enabled.value}
          onCheckedChange={enabled.onChange}
          label="Enabled"
          hint={enabled.value ? undefined : "Its rules stay in the contracts, and are skipped."}
        />
      </EditorSection>
      <TemplateRuleFields context={context} />
      <TemplateSelector sources={own} />
      <TemplateNewContracts />
      <TemplatePreview />
    </>
  );
}
