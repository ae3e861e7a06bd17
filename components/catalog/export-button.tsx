"use client";
import { useState } from "react";
import { trpc } from "@/components/trpc/client.tsx";
import { messageOf } from "@/components/trpc/errors.ts";
import { Button } from "@/components/ui/button.tsx";
import { downloadText } from "@/components/ui/download-text.ts";
import { Download } from "@/components/ui/icons.tsx";
import { toast } from "@/components/ui/toaster.tsx";

/** Downloads the page's documentation as a Markdown file. */
export function ExportButton({
  of,
  fileName,
}: {
  of: { projectId?: number; dataSourceId?: number; schemaName?: string; tableName?: string };
  fileName: string;
}) {
  const utils = trpc.useUtils();
  const [isPending, setPending] = useState(false);
  const save = async () => {
    setPending(true);
    try {
      const { markdown } = await utils.catalog.export.fetch(of, { staleTime: 0 });
      downloadText(`${markdown}\n`, fileName, "text/markdown");
    } catch (error) {
      toast.error(messageOf(error));
    } finally {
      setPending(false);
    }
  };
  return (
    <Button icon={Download} pending={isPending} onClick={save}>
      Markdown
    </Button>
  );
}
