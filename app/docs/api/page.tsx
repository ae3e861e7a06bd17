import type { Metadata } from "next";
import { problemName } from "@/components/api-docs/document.ts";
import { MethodBadge } from "@/components/api-docs/endpoint-section.tsx";
import { apiReference } from "@/components/api-docs/reference.ts";
import { ReferenceLayout } from "@/components/api-docs/reference-layout.tsx";
import { SchemaTable } from "@/components/api-docs/schema-table.tsx";
import { Code, CodeBlock } from "@/components/ui/code.tsx";
import { Link } from "@/components/ui/link.tsx";
import { problems } from "@/server/errors.ts";

export const metadata: Metadata = { title: "REST API" };
export const dynamic = "force-dynamic";

/** How to call the API, all its endpoints, which have their details on the pages of their tags, and its problems. */
export default function ApiReferencePage() {
  const reference = apiReference();
  const { root, sections, document } = reference;
  return (
    <ReferenceLayout reference={reference} current={null}>
      <h1 className="text-lg font-semibold tracking-tight">REST API</h1>
      <div className="mt-2 max-w-prose space-y-2 text-sm text-ink-2">
        <p>
          All paths below start with <Code>{root}</Code>. Bodies are JSON. Unknown properties are rejected by
          name. Lists return <Code>{'{ "items": […] }'}</Code>, times are ISO 8601 in UTC.
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
      {sections.map(({ tag, path, endpoints }) => (
        <section key={tag} aria-label={tag}>
          <h2 className="mt-8 mb-2 font-semibold">
            <Link href={path} className="hover:text-accent">
              {tag}
            </Link>
          </h2>
          <ul className="divide-y divide-line border-y text-sm">
            {endpoints.map(({ method, path: called, operation }) => (
              <li key={operation.operationId}>
                <Link
                  href={`${path}#${operation.operationId}`}
                  className="grid gap-x-4 py-1 hover:text-accent sm:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]"
                >
                  <span className="flex gap-2">
                    <span className="w-14 shrink-0">
                      <MethodBadge method={method} />
                    </span>
                    <span className="font-mono text-xs leading-5 break-all">{called}</span>
                  </span>
                  <span className="text-ink-2">{operation.summary}</span>
                </Link>
              </li>
            ))}
          </ul>
        </section>
      ))}
      <h2 id="problems" className="mt-8 mb-2 font-semibold">
        Problems
      </h2>
      <p className="mb-2 max-w-prose text-sm text-ink-2">
        Every failure is <Code>application/problem+json</Code>; for invalid values, <Code>errors</Code> lists
        the path and message of each.
      </p>
      <SchemaTable schema={document.components?.schemas?.[problemName] ?? {}} document={document} />
      <dl className="mt-4 divide-y divide-line border-y text-sm">
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
    </ReferenceLayout>
  );
}

const signInExample = (root: string) =>
  [
    `csrfToken=$(curl -s -c cookies.txt ${root}/auth/csrf | sed 's/.*:"\\(.*\\)".*/\\1/')`,
    `curl -s -b cookies.txt -c cookies.txt ${root}/auth/callback/credentials -d json=true \\`,
    `  -d csrfToken=$csrfToken --data-urlencode 'email=ada@example.com' --data-urlencode 'password=…'`,
  ].join("\n");
