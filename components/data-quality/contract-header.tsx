"use client";
import { useState } from "react";
import { useMay } from "@/components/auth/use-me.ts";
import { Star } from "@/components/favorites/star.tsx";
import { useProject } from "@/components/projects/use-project.ts";
import { SilenceDialog } from "@/components/silences/silence-dialog.tsx";
import { SilenceItems } from "@/components/silences/silence-items.tsx";
import { isSilenced } from "@/components/silences/silence-words.ts";
import { useIsManaged } from "@/components/stacks/use-managed.ts";
import { trpc } from "@/components/trpc/client.tsx";
import { messageOf } from "@/components/trpc/errors.ts";
import { Badge } from "@/components/ui/badge.tsx";
import { Button, ButtonLink } from "@/components/ui/button.tsx";
import { downloadText } from "@/components/ui/download-text.ts";
import { Menu, MenuContent, MenuItem, MenuSeparator, MenuTrigger } from "@/components/ui/dropdown-menu.tsx";
import {
  Archive,
  BellOff,
  CirclePause,
  CirclePlay,
  Copy,
  Download,
  Ellipsis,
  Pencil,
  Play,
} from "@/components/ui/icons.tsx";
import { Moment, useNow } from "@/components/ui/moment.tsx";
import { Name } from "@/components/ui/name.tsx";
import { PageHeader } from "@/components/ui/page-header.tsx";
import { asSentence } from "@/components/ui/sentence.ts";
import { toast } from "@/components/ui/toaster.tsx";
import type { Contract } from "@/server/data-quality/schema.ts";
import { ArchiveContract } from "./archive-contract.tsx";
import { contractFileName } from "./contract-file-name.ts";
import { targetOf } from "./contract-rows.ts";
import { EnableContract } from "./enable-contract.tsx";
import { useContractCare } from "./use-contract-care.ts";
import type { EvaluationRun } from "./use-evaluation-run.ts";

type Asked = "enable" | "archive" | "silence";

export function ContractHeader({
  contract,
  run,
  evaluationCount,
}: {
  contract: Contract;
  run: EvaluationRun;
  evaluationCount: number;
}) {
  const { href } = useProject();
  const utils = trpc.useUtils();
  const mayEvaluate = useMay("evaluations:run");
  const mayCreate = useMay("contracts:configure");
  const isManaged = useIsManaged("Contract", contract.id);
  const mayChange = mayCreate && !isManaged;
  const [asking, setAsking] = useState<Asked | null>(null);
  const ask = (what: Asked) => ({
    open: asking === what,
    onOpenChange: (open: boolean) => setAsking(open ? what : null),
  });
  const care = useContractCare(contract);
  const silenced = isSilenced(contract, useNow());
  const exportFile = async () => {
    try {
      const yaml = await utils.dataQuality.exportContract.fetch({ id: contract.id }, { staleTime: 0 });
      downloadText(yaml, contractFileName(contract.name), "application/yaml");
    } catch (error) {
      toast.error("The contract could not be exported", { description: asSentence(messageOf(error)) });
    }
  };
  return (
    <>
      <PageHeader
        parent={{ href: href("/data-quality/contracts"), label: "Contracts" }}
        title={contract.name}
        mark={<Star kind="Contract" id={contract.id} name={contract.name} />}
        description={
          <span className="inline-flex flex-wrap items-center gap-2">
            <span className="wrap-anywhere">
              <Name>{contract.dataSourceName}</Name> /{" "}
              <span className="font-mono text-[0.8125rem]">{targetOf(contract)}</span>
            </span>
            {!contract.enabled && <Badge>disabled</Badge>}
            {silenced && (
              <Badge>
                <BellOff aria-hidden className="size-3" /> silenced, ends{" "}
                <Moment at={contract.silencedUntil} />
              </Badge>
            )}
          </span>
        }
        actions={
          <>
            {mayEvaluate && (
              <Button variant="primary" icon={Play} pending={run.isRunning} onClick={run.start}>
                {run.isRunning ? "Evaluating…" : "Evaluate now"}
              </Button>
            )}
            {mayChange && (
              <ButtonLink href={href(`/data-quality/contracts/${contract.id}/edit`)} icon={Pencil}>
                Edit
              </ButtonLink>
            )}
            {mayEvaluate && (
              <Menu>
                <MenuTrigger>
                  <Button icon={BellOff}>{silenced ? "Silenced" : "Silence"}</Button>
                </MenuTrigger>
                <MenuContent>
                  <SilenceItems silenced={silenced} actions={care} onAskUntil={() => setAsking("silence")} />
                </MenuContent>
              </Menu>
            )}
            <Menu>
              <MenuTrigger>
                <Button size="icon" icon={Ellipsis} aria-label="More about this contract" />
              </MenuTrigger>
              <MenuContent>
                <MenuItem icon={Download} onSelect={() => void exportFile()}>
                  Export as YAML
                </MenuItem>
                {mayCreate && (
                  <MenuItem icon={Copy} href={href(`/data-quality/contracts/new?from=${contract.id}`)}>
                    Duplicate
                  </MenuItem>
                )}
                {mayChange && (
                  <>
                    <MenuItem
                      icon={contract.enabled ? CirclePause : CirclePlay}
                      onSelect={() => setAsking("enable")}
                    >
                      {contract.enabled ? "Disable the schedule…" : "Enable the schedule…"}
                    </MenuItem>
                    <MenuSeparator />
                    <MenuItem icon={Archive} danger onSelect={() => setAsking("archive")}>
                      Archive…
                    </MenuItem>
                  </>
                )}
              </MenuContent>
            </Menu>
          </>
        }
      />
      <SilenceDialog of="contract" name={contract.name} actions={care} {...ask("silence")} />
      <EnableContract contract={contract} {...ask("enable")} />
      <ArchiveContract contract={contract} evaluationCount={evaluationCount} {...ask("archive")} />
    </>
  );
}
