"use client";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useMay } from "@/components/auth/use-me.ts";
import { useProject } from "@/components/projects/use-project.ts";
import { ManagedNotice } from "@/components/stacks/managed-notice.tsx";
import { useIsManaged } from "@/components/stacks/use-managed.ts";
import { trpc } from "@/components/trpc/client.tsx";
import { messageOf } from "@/components/trpc/errors.ts";
import { Button } from "@/components/ui/button.tsx";
import { ChoiceList } from "@/components/ui/choice-list.tsx";
import { ConfirmDialog } from "@/components/ui/confirm-dialog.tsx";
import { plural } from "@/components/ui/format.ts";
import { Trash2 } from "@/components/ui/icons.tsx";
import { Name } from "@/components/ui/name.tsx";
import { PageHeader } from "@/components/ui/page-header.tsx";
import { toast } from "@/components/ui/toaster.tsx";
import type { RuleTemplate } from "@/server/data-quality/templates/schema.ts";
import { TemplateEditor } from "./template-editor.tsx";
import { ruleWords } from "./template-list.tsx";
import { selectorWords } from "./template-words.ts";

/** One template: its editor, or what it says for those who may not edit it. */
export function TemplatePage({ id }: { id: number }) {
  const { href } = useProject();
  const isManaged = useIsManaged("RuleTemplate", id);
  const mayWrite = useMay("contracts:configure") && !isManaged;
  const [template] = trpc.dataQuality.template.useSuspenseQuery({ id });
  const [{ items: sources }] = trpc.dataSources.list.useSuspenseQuery({});
  return (
    <>
      <PageHeader
        title={<Name>{template.name}</Name>}
        parent={{ href: href("/data-quality/templates"), label: "Rule templates" }}
        count={`${plural(template.ruleCount, "rule")} in ${plural(template.contractCount, "contract")}`}
        actions={mayWrite && <RemoveTemplate template={template} />}
      />
      <ManagedNotice kind="RuleTemplate" id={id} />
      {mayWrite ? (
        <TemplateEditor template={template} sources={sources} />
      ) : (
        <dl className="grid max-w-prose grid-cols-[8rem_minmax(0,1fr)] gap-x-3 gap-y-2 py-4 text-sm">
          <dt className="text-ink-3">Rule</dt>
          <dd className="break-words">
            {template.rule.name}
            <span className="block text-ink-2">{ruleWords(template)}</span>
          </dd>
          <dt className="text-ink-3">For</dt>
          <dd className="break-words">{selectorWords(template)}</dd>
        </dl>
      )}
    </>
  );
}

type Rules = "Remove" | "Keep";

function RemoveTemplate({ template }: { template: RuleTemplate }) {
  const [isOpen, setOpen] = useState(false);
  const [rules, setRules] = useState<Rules>("Remove");
  const { href } = useProject();
  const router = useRouter();
  const utils = trpc.useUtils();
  const remove = trpc.dataQuality.removeTemplate.useMutation();
  return (
    <>
      <Button icon={Trash2} onClick={() => setOpen(true)}>
        Remove
      </Button>
      <ConfirmDialog
        open={isOpen}
        onOpenChange={setOpen}
        title={`Remove “${template.name}”?`}
        confirm="Remove template"
        explain={messageOf}
        onConfirm={async () => {
          await remove.mutateAsync({ id: template.id, rules });
          toast.success(`Removed “${template.name}”`);
          router.push(href("/data-quality/templates"));
          await Promise.all([
            utils.dataQuality.templates.invalidate(),
            utils.dataQuality.templatesPage.invalidate(),
          ]);
        }}
      >
        <p>
          It has {plural(template.ruleCount, "rule")} in {plural(template.contractCount, "contract")}.
        </p>
        <ChoiceList
          label="Its rules"
          value={rules}
          onValueChange={setRules}
          options={[
            {
              value: "Remove",
              label: "Remove them",
              hint: "Each contract gets a new version. A contract keeps its last rule.",
            },
            { value: "Keep", label: "Keep them", hint: "They become the contracts' own rules." },
          ]}
        />
      </ConfirmDialog>
    </>
  );
}
