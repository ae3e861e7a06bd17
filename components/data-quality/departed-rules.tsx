"use client";
import type { ReactNode } from "react";
import { useMay } from "@/components/auth/use-me.ts";
import { useProject } from "@/components/projects/use-project.ts";
import { trpc } from "@/components/trpc/client.tsx";
import { messageOf } from "@/components/trpc/errors.ts";
import { Button } from "@/components/ui/button.tsx";
import { Link } from "@/components/ui/link.tsx";
import { Moment } from "@/components/ui/moment.tsx";
import { toast } from "@/components/ui/toaster.tsx";
import type { ContractTemplateRule } from "@/server/data-quality/templates/schema.ts";
import { useTemplateRules } from "./use-template-rules.ts";

/** Rules of templates that a contract leaves out or has detached, each with its reason; nothing if there is none. */
export function DepartedRules({
  contractId,
  section,
}: {
  contractId: number;
  section: (content: ReactNode) => ReactNode;
}) {
  const { departed } = useTemplateRules(contractId);
  if (departed.length === 0) return null;
  return section(
    <ul aria-label="Left out or detached" className="flex flex-col gap-2">
      {departed.map((each) => (
        <DepartedRule key={`${each.templateId} ${each.column}`} contractId={contractId} departed={each} />
      ))}
    </ul>,
  );
}

function DepartedRule({ contractId, departed }: { contractId: number; departed: ContractTemplateRule }) {
  const { href } = useProject();
  const mayChange = useMay("contracts:configure");
  const utils = trpc.useUtils();
  const takeBack = trpc.dataQuality.returnRule.useMutation({
    onSuccess: () => utils.dataQuality.invalidate(),
    onError: (error) => toast.error("Not changed", { description: messageOf(error) }),
  });
  const { templateId, templateName, column, ruleName, departure, reason, by, at } = departed;
  return (
    <li className="flex min-w-0 flex-col items-start">
      <span className="max-w-full break-words">{ruleName}</span>
      <span className="max-w-full text-xs break-words text-ink-2">
        {departure === "LeftOut" ? "Left out" : "Detached"}: {reason}
      </span>
      <span className="max-w-full text-xs break-words text-ink-3">
        {by && `${by.name}, `}
        <Moment at={at} />, of{" "}
        <Link href={href(`/data-quality/templates/${templateId}`)} className="underline">
          {templateName}
        </Link>
      </span>
      {mayChange && (
        <Button
          size="sm"
          variant="ghost"
          className="-ml-2"
          pending={takeBack.isPending}
          onClick={() => takeBack.mutate({ id: contractId, templateId, column })}
        >
          {departure === "LeftOut" ? "Take back" : "Follow again"}
        </Button>
      )}
    </li>
  );
}
