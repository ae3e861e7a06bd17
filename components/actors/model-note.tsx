import type { ModelInUse } from "./editor-limits.tsx";
import { ThinkIcon } from "./looks.tsx";

/** Which model is in use, and what to expect from it. */
export function ModelNote({ model }: { model: ModelInUse }) {
  return (
    <p className="mb-6 flex items-start gap-2 rounded-md border bg-sunken px-3 py-2">
      <ThinkIcon aria-hidden className="mt-0.5 size-4 shrink-0 text-ink-3" />
      <span className="min-w-0">
        <strong className="font-medium">{model.name}</strong>{" "}
        <span className="text-ink-2">
          {model.isBuiltIn
            ? "thinks by rule: it profiles the tables and proposes checks of freshness, volume, missing values, duplicates and references, on the tables and schedule you choose. It does not read instructions, costs nothing and sends nothing anywhere."
            : "thinks. It receives the schema, table profiles, and the results of the actor's own queries, never credentials."}
        </span>
      </span>
    </p>
  );
}
