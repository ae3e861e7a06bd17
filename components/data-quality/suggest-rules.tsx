"use client";
import { useState } from "react";
import { useFormContext, useWatch } from "react-hook-form";
import { trpc } from "@/components/trpc/client.tsx";
import { messageOf } from "@/components/trpc/errors.ts";
import { Button } from "@/components/ui/button.tsx";
import { Sparkles } from "@/components/ui/icons.tsx";
import { useLatePart } from "@/components/ui/late-part.ts";
import { toast } from "@/components/ui/toaster.tsx";
import type { ContractForm, RuleForm } from "./contract-form.ts";
import { lateRules } from "./late-rules.ts";

/** Reads the selected table and proposes rules, each with its evidence; added rules can be edited. */
export function SuggestRules({ onTake }: { onTake: (rules: RuleForm[]) => void }) {
  const { control } = useFormContext<ContractForm>();
  const [dataSourceId, schemaName, tableName] = useWatch({
    control,
    name: ["dataSourceId", "schemaName", "tableName"],
  });
  const [isOpen, setIsOpen] = useState(false);
  const { part } = useLatePart(lateRules);
  const suggest = trpc.dataQuality.suggestRules.useMutation();
  const hasTable = dataSourceId !== null && tableName.trim() !== "";
  const ask = () => {
    if (dataSourceId === null) return;
    suggest.mutate({ dataSourceId, ...(schemaName !== "" && { schemaName }), tableName });
  };
  const open = async () => {
    setIsOpen(true);
    ask();
    try {
      await lateRules.load();
    } catch (error) {
      setIsOpen(false);
      toast.error(messageOf(error));
    }
  };
  return (
    <>
      <Button
        icon={Sparkles}
        disabled={!hasTable}
        title={hasTable ? undefined : "Choose a table first"}
        pending={isOpen && part === null}
        onClick={() => void open()}
      >
        Suggest rules
      </Button>
      {isOpen && part && (
        <part.SuggestionDialog
          tableName={tableName}
          suggestions={suggest.isPending ? undefined : suggest.data}
          error={suggest.isPending ? null : suggest.error}
          onAsk={ask}
          onTake={onTake}
          onClose={() => setIsOpen(false)}
        />
      )}
    </>
  );
}
