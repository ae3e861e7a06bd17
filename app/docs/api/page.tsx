import type { Metadata } from "next";
import { type ApiDocument, endpointsByTag } from "@/components/api-docs/document.ts";
import { EndpointSection } from "@/components/api-docs/endpoint-section.tsx";
import { SchemaTable } from "@/components/api-docs/schema-table.tsx";
import { Code, CodeBlock } from "@/components/ui/code.tsx";
import { Link } from "@/components/ui/link.tsx";
import { restRoot } from "@/server/doors/rest/root.ts";
import { problems } from "@/server/errors.ts";
import { pageServices } from "@/server/process/page-services.ts";

export const metadata: Metadata = { title: "REST API" };
export const dynamic = "force-dynamic";

export default function ApiDocumentationPage() {
  const { address, openApiDocument } = pageServices();
  const root = address().url + restRoot;
  const document = {
    ...JSON.parse(JSON.stringify(openApiDocument())),
    servers: [{ url: root }],
  } as ApiDocument;
  const byTag = [...endpointsByTag(document)];
  const schemas = Object.entries(document.components?.schemas ?? {});
  return (
    <div className="mx-auto grid max-w-[90rem] grid-cols-1 gap-8 px-4 py-6 lg:grid-cols-[14rem_minmax(0,1fr)]">
      <nav
        aria-label="Endpoints"
        className="hidden self-start text-sm lg:sticky lg:top-6 lg:block lg:max-h-[calc(100vh-3rem)] lg:overflow-y-auto"
      >
        <Link href="/" className="text-ink-3 hover:text-ink">
          ← Plumbline
        </Link>
        {byTag.map(([tag, endpoints]) => (
          <div key={tag} className="mt-4">
            <p className="text-xs text-ink-3">{tag}</p>
            <ul>
              {endpoints.map(({ method, path, operation }) => (
                <li key={operation.operationId}>
                  <a
                    href={`#${operation.operationId}`}
                    className="block truncate py-0.5 hover:text-accent"
                    title={`${method} ${path}`}
                  >
                    {operation.summary}
                  </a>
                </li>
              ))}
            </ul>
          </div>
        ))}
        <p className="mt-4 text-xs text-ink-3">Reference</p>
        <a href="#problems" className="block py-0.5 hover:text-accent">
          Problems
        </a>
        <a href="#schemas" className="block py-0.5 hover:text-accent">
          Schemas
        </a>
      </nav>
      <main className="min-w-0">
        <h1 className="text-lg font-semibold tracking-tight">REST API</h1>
        <div className="mt-2 max-w-prose space-y-2 text-sm text-ink-2">
          <p>
            All paths below start with <Code>{root}</Code>. Bodies are JSON. Unknown properties are rejected
            by name. Lists return <Code>{'{ "items": […] }'}</Code>, times are ISO 8601 in UTC.
          </p>
          <p>
            The same reference is available as{" "}
            <a href="/openapi/v1.json" className="text-accent underline underline-offset-2">
              OpenAPI 3.1
            </a>
            . The curl examples take an{" "}
            <Link href="/api-keys" className="text-accent underline underline-offset-2">
              API key
            </Link>{" "}
            from <Code>PLUMBLINE_KEY</Code>. Calls that need a session use the one stored in{" "}
            <Code>cookies.txt</Code>, which these commands create:
          </p>
          <CodeBlock label="Signing in">{signInExample(root)}</CodeBlock>
        </div>
        {byTag.map(([tag, endpoints]) => (
          <section key={tag} aria-label={tag}>
            <h2 className="mt-8 mb-2 font-semibold">{tag}</h2>
            {endpoints.map((endpoint) => (
              <EndpointSection key={endpoint.operation.operationId} endpoint={endpoint} document={document} />
            ))}
          </section>
        ))}
        <h2 id="problems" className="mt-8 mb-2 font-semibold">
          Problems
        </h2>
        <p className="mb-2 max-w-prose text-sm text-ink-2">
          Every failure is <Code>application/problem+json</Code> with <Code>type</Code>, <Code>title</Code>,{" "}
          <Code>status</Code>, <Code>detail</Code> and <Code>requestId</Code>; for invalid values,{" "}
          <Code>errors</Code> lists the path and message of each.
        </p>
        <dl className="divide-y divide-line border-y text-sm">
          {Object.entries(problems).map(([code, { status, title }]) => (
            <div key={code} id={`problem-${code}`} className="flex gap-4 py-1 target:bg-accent-soft">
              <dt className="w-12 font-mono text-xs leading-5">{status}</dt>
              <dd>{title}</dd>
            </div>
          ))}
          <div id="problem-internal" className="flex gap-4 py-1 target:bg-accent-soft">
            <dt className="w-12 font-mono text-xs leading-5">500</dt>
            <dd>Internal error: a bug; look up the requestId in the service's log</dd>
          </div>
        </dl>
        <h2 id="schemas" className="mt-8 mb-2 font-semibold">
          Schemas
        </h2>
        {schemas.map(([name, schema]) => (
          <section key={name} id={`schema-${name}`} className="scroll-mt-4 py-3">
            <h3 className="mb-1 font-mono text-sm">{name}</h3>
            <SchemaTable schema={schema} document={document} />
          </section>
        ))}
      </main>
    </div>
  );
}

const signInExample = (root: string) =>
  [
    `csrfToken=$(curl -s -c cookies.txt ${root}/auth/csrf | sed 's/.*:"\\(.*\\)".*/\\1/')`,
    `curl -s -b cookies.txt -c cookies.txt ${root}/auth/callback/credentials -d json=true \\`,
    `  -d csrfToken=$csrfToken --data-urlencode 'email=ada@example.com' --data-urlencode 'password=…'`,
  ].join("\n");
