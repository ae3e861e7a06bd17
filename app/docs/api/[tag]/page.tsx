import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { schemasOf } from "@/components/api-docs/document.ts";
import { EndpointSection } from "@/components/api-docs/endpoint-section.tsx";
import { apiReference, referencePath } from "@/components/api-docs/reference.ts";
import { ReferenceLayout } from "@/components/api-docs/reference-layout.tsx";
import { SchemaTable } from "@/components/api-docs/schema-table.tsx";

type Props = { params: Promise<{ tag: string }> };

export const dynamic = "force-dynamic";

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { section } = await sectionOf(params);
  return { title: `${section.tag} · REST API` };
}

/** The endpoints of a tag, and the schemas that they use. */
export default async function ApiSectionPage({ params }: Props) {
  const { reference, section } = await sectionOf(params);
  const { document } = reference;
  return (
    <ReferenceLayout reference={reference} current={section}>
      <h1 className="mb-4 text-lg font-semibold tracking-tight">{section.tag}</h1>
      <h2 className="sr-only">Endpoints</h2>
      {section.endpoints.map((endpoint) => (
        <EndpointSection key={endpoint.operation.operationId} endpoint={endpoint} document={document} />
      ))}
      <h2 id="schemas" className="mt-8 mb-2 font-semibold">
        Schemas
      </h2>
      {schemasOf(section.endpoints, document).map(([name, schema]) => (
        <section key={name} id={`schema-${name}`} className="scroll-mt-4 py-3">
          <h3 className="mb-1 font-mono text-sm">{name}</h3>
          <SchemaTable schema={schema} document={document} />
        </section>
      ))}
    </ReferenceLayout>
  );
}

async function sectionOf(params: Props["params"]) {
  const { tag } = await params;
  const reference = apiReference();
  const section = reference.sections.find(({ path }) => path === `${referencePath}/${tag}`);
  if (!section) notFound();
  return { reference, section };
}
