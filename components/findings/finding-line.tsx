import type { ReactNode } from "react";
import { useProject } from "@/components/projects/use-project.ts";
import { Link } from "@/components/ui/link.tsx";
import type { Finding } from "@/server/findings/schema.ts";
import { Learned, Severity, Sureness } from "./finding-looks.tsx";

/** One finding where it is plain which table it is of, and what can be done with it there. */
export function FindingLine({ finding, action }: { finding: Finding; action?: ReactNode }) {
  const { href } = useProject();
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b py-1.5">
      <span className="w-20 shrink-0">
        <Severity severity={finding.severity} />
      </span>
      <Link
        href={href(`/findings/${finding.id}`)}
        className="min-w-0 flex-1 basis-60 rounded-sm wrap-anywhere hover:underline"
      >
        {finding.statement}
      </Link>
      <span className="flex flex-wrap gap-x-3 text-xs">
        <Sureness confidence={finding.confidence} />
        <Learned finding={finding} />
      </span>
      {action}
    </li>
  );
}
