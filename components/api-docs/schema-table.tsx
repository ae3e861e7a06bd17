import { Code } from "../ui/code.tsx";
import { type ApiDocument, type JsonSchema, limitsText, referenceName, typeText } from "./document.ts";
import { TextWithCode } from "./text-with-code.tsx";

/** An object's properties, one row each; references link to their own tables. */
export function SchemaTable({ schema, document }: { schema: JsonSchema; document: ApiDocument }) {
  const object = objectIn(schema, document);
  if (!object) return <p className="text-sm text-ink-2">{typeText(schema)}</p>;
  const required = new Set(object.required ?? []);
  return (
    <dl className="divide-y divide-line border-y text-sm">
      {Object.entries(object.properties ?? {}).map(([name, property]) => (
        <div key={name} className="grid gap-x-4 py-1 sm:grid-cols-[12rem_1fr]">
          <dt className="min-w-0">
            <Code>{name}</Code>
            {!required.has(name) && <span className="ml-1 text-xs text-ink-3">optional</span>}
          </dt>
          <dd className="min-w-0 break-words text-ink-2">
            <TypeLink schema={property} />
            {limitsText(property) && <span className="text-ink-3"> · {limitsText(property)}</span>}
            {property.description && (
              <span>
                {" · "}
                <TextWithCode text={property.description} />
              </span>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** The object to show: the schema itself, or the single component it refers to. */
function objectIn(schema: JsonSchema, document: ApiDocument): JsonSchema | null {
  const reference = referenceName(schema);
  const target = reference ? document.components?.schemas?.[reference] : schema;
  return target?.properties ? target : null;
}

function TypeLink({ schema }: { schema: JsonSchema }) {
  const reference = referenceName(schema) ?? (schema.items && referenceName(schema.items));
  if (!reference) return <span className="font-mono text-xs">{typeText(schema)}</span>;
  return (
    <a href={`#schema-${reference}`} className="font-mono text-xs text-accent underline underline-offset-2">
      {typeText(schema)}
    </a>
  );
}
