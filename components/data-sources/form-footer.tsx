"use client";
import type { ComponentProps } from "react";
import type { ConnectionTest } from "@/server/data-sources/schema.ts";
import { MeanwhileNotice } from "../edits/meanwhile-notice.tsx";
import { useProject } from "../projects/use-project.ts";
import { Button, ButtonLink } from "../ui/button.tsx";
import { FormError } from "../ui/field.tsx";
import { ConnectionTestResult } from "./connection-test.tsx";
import { fieldLabels, fieldText } from "./edit-words.ts";

/** The end of each data source form: what others saved meanwhile, the save, test, and cancel buttons, and the test result. */
export function FormFooter({
  edit,
  sourceId,
  isPart,
  error,
  isSaving,
  onTest,
  isTesting,
  tested,
}: {
  edit: Pick<ComponentProps<typeof MeanwhileNotice>, "meanwhile"> & {
    take: ComponentProps<typeof MeanwhileNotice>["onTake"];
  };
  /** The data source being edited; omitted for a new one. */
  sourceId: number | undefined;
  /** The form is part of another page, which has its own way out. */
  isPart: boolean;
  error: string | undefined;
  isSaving: boolean;
  onTest: () => void;
  isTesting: boolean;
  tested: ConnectionTest | null | undefined;
}) {
  const { href } = useProject();
  return (
    <>
      <MeanwhileNotice
        thing="data source"
        meanwhile={edit.meanwhile}
        labels={fieldLabels}
        textOf={fieldText}
        onTake={edit.take}
      />
      <FormError>{error}</FormError>
      <div className="flex flex-wrap items-center gap-2 border-t pt-4">
        <Button type="submit" variant="primary" pending={isSaving}>
          {sourceId ? "Save" : "Connect"}
        </Button>
        <Button onClick={onTest} pending={isTesting}>
          Test connection
        </Button>
        {!isPart && (
          <ButtonLink href={href(sourceId ? `/data-sources/${sourceId}` : "/data-sources")} variant="ghost">
            Cancel
          </ButtonLink>
        )}
      </div>
      <div className="min-h-5">
        {isTesting && <span className="text-ink-3">Connecting…</span>}
        {tested && !isTesting && <ConnectionTestResult result={tested} />}
      </div>
    </>
  );
}
