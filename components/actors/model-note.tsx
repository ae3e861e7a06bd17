import type { ModelInUse } from "./editor-limits.tsx";
import { ThinkIcon } from "./looks.tsx";

/** Who thinks, and what can be expected of it. */
export function ModelNote({ model }: { model: ModelInUse }) {
  return (
    <p className="mb-6 flex items-start gap-2 rounded-md border bg-sunken px-3 py-2">
      <ThinkIcon aria-hidden className="mt-0.5 size-4 shrink-0 text-ink-3" />
      <span className="min-w-0">
        <strong className="font-medium">{model.name}</strong>{" "}
        <span className="text-ink-2">
          {model.isBuiltIn
            ? "thinks by rule: it profiles the tables and proposes checks of freshness, volume, empty values, duplicates and orphans, and of what the instructions name. It costs nothing and sends nothing anywhere."
            : "thinks. It is sent the schema, profiles of the tables and the results of the actor's own queries, never credentials."}
        </span>
      </span>
    </p>
  );
}
