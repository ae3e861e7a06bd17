import { Badge } from "../ui/badge.tsx";
import { Code, CodeBlock } from "../ui/code.tsx";
import {
  type ApiDocument,
  type Content,
  type Endpoint,
  limitsText,
  problemName,
  referenceName,
  typeText,
} from "./document.ts";
import { curlOf } from "./example.ts";
import { SchemaTable } from "./schema-table.tsx";
import { TextWithCode } from "./text-with-code.tsx";

const tones = { GET: "ok", POST: "accent", PUT: "warning", DELETE: "critical" } as const;

export function MethodBadge({ method }: { method: string }) {
  return <Badge tone={tones[method as keyof typeof tones] ?? "neutral"}>{method}</Badge>;
}

/** One endpoint: its parameters, its response, and a command to try it. */
export function EndpointSection({ endpoint, document }: { endpoint: Endpoint; document: ApiDocument }) {
  const { method, path, operation } = endpoint;
  const body = firstSchema(operation.requestBody?.content);
  return (
    <section id={operation.operationId} className="scroll-mt-4 border-t py-6">
      <h3 className="flex flex-wrap items-center gap-2 font-medium">
        <MethodBadge method={method} />
        <span className="font-mono text-sm break-all">{path}</span>
      </h3>
      <p className="mt-1 text-sm text-ink-2">
        {operation.summary}
        {operation.description ? (
          <>
            {" — "}
            <TextWithCode text={operation.description} />
          </>
        ) : (
          "."
        )}
        {operation["x-permission"] && operation["x-permission"] !== "anonymous" && (
          <>
            {" "}
            Needs <Code>{operation["x-permission"]}</Code>.
          </>
        )}
      </p>
      <div className="mt-3 grid grid-cols-1 gap-6 xl:grid-cols-[minmax(0,1fr)_minmax(0,26rem)]">
        <div className="min-w-0 space-y-4">
          {operation.parameters && operation.parameters.length > 0 && (
            <div>
              <h4 className="mb-1 text-xs text-ink-3">Parameters</h4>
              <dl className="divide-y divide-line border-y text-sm">
                {operation.parameters.map((parameter) => (
                  <div key={parameter.name} className="grid gap-x-4 py-1 sm:grid-cols-[12rem_1fr]">
                    <dt>
                      <Code>{parameter.name}</Code> <span className="text-xs text-ink-3">{parameter.in}</span>
                    </dt>
                    <dd className="text-ink-2">
                      <span className="font-mono text-xs">{typeText(parameter.schema ?? {})}</span>
                      {limitsText(parameter.schema ?? {}) && (
                        <span className="text-ink-3"> · {limitsText(parameter.schema ?? {})}</span>
                      )}
                      {parameter.description && (
                        <>
                          {" · "}
                          <TextWithCode text={parameter.description} />
                        </>
                      )}
                    </dd>
                  </div>
                ))}
              </dl>
            </div>
          )}
          {body && (
            <div>
              <h4 className="mb-1 text-xs text-ink-3">Body</h4>
              <SchemaTable schema={body} document={document} />
            </div>
          )}
          <Answers endpoint={endpoint} />
        </div>
        <CodeBlock label={`curl for ${method} ${path}`} className="self-start">
          {curlOf(endpoint, document)}
        </CodeBlock>
      </div>
    </section>
  );
}

function Answers({ endpoint }: { endpoint: Endpoint }) {
  return (
    <div>
      <h4 className="mb-1 text-xs text-ink-3">Answers</h4>
      <ul className="flex flex-wrap gap-x-4 gap-y-1 text-sm">
        {Object.entries(endpoint.operation.responses).map(([status, { description, content }]) => {
          const schema = firstSchema(content);
          const reference = schema && referenceName(schema);
          return (
            <li key={status}>
              <span className="font-mono text-xs">{status}</span>{" "}
              {reference && reference !== problemName ? (
                <a href={`#schema-${reference}`} className="text-accent underline underline-offset-2">
                  {reference}
                </a>
              ) : (
                <span className="text-ink-2">{description}</span>
              )}
            </li>
          );
        })}
      </ul>
    </div>
  );
}

const firstSchema = (content: Content | undefined) => Object.values(content ?? {})[0]?.schema;
