import { useProject } from "@/components/projects/use-project.ts";
import { Link } from "@/components/ui/link.tsx";
import type { ContractTemplateRule } from "@/server/data-quality/templates/schema.ts";

/** Why a rule cannot be changed in its contract's editor, and where it can. */
export function TemplateRuleNote({ of }: { of: ContractTemplateRule }) {
  const { href } = useProject();
  return (
    <p role="note" className="text-sm">
      From the template{" "}
      <Link href={href(`/data-quality/templates/${of.templateId}`)} className="text-accent underline">
        {of.templateName}
      </Link>
      , where it is changed for all tables. To go without it or to have your own here, leave it out or detach
      it on the contract's page.
    </p>
  );
}
