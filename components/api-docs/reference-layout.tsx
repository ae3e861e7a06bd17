import type { ReactNode } from "react";
import { Link } from "../ui/link.tsx";
import { type Reference, referencePath, type Section } from "./reference.ts";

type Props = { reference: Reference; current: Section | null; children: ReactNode };

/** A page of the reference beside the list of all; `current` is the tag that it is about. */
export function ReferenceLayout({ reference: { sections }, current, children }: Props) {
  return (
    <div className="mx-auto grid max-w-[90rem] grid-cols-1 gap-8 px-4 py-6 lg:grid-cols-[14rem_minmax(0,1fr)]">
      <nav
        aria-label="Endpoints"
        className="self-start text-sm lg:sticky lg:top-6 lg:max-h-[calc(100vh-3rem)] lg:overflow-y-auto"
      >
        <Link href="/" className="text-ink-3 hover:text-ink">
          ← Plumbline
        </Link>
        <ul className="mt-4 hidden lg:block">
          <li>
            <Place href={referencePath} isCurrent={!current}>
              REST API
            </Place>
          </li>
          {sections.map((section) => (
            <li key={section.tag}>
              <Place href={section.path} isCurrent={section.tag === current?.tag}>
                {section.tag}
              </Place>
              {section.tag === current?.tag && <Endpoints section={section} />}
            </li>
          ))}
        </ul>
        {current && (
          <p className="mt-1 lg:hidden">
            <Link href={referencePath} className="text-ink-3 hover:text-ink">
              ← REST API
            </Link>
          </p>
        )}
      </nav>
      <main className="min-w-0">{children}</main>
    </div>
  );
}

function Place({ href, isCurrent, children }: { href: string; isCurrent: boolean; children: ReactNode }) {
  return (
    <Link
      href={href}
      aria-current={isCurrent ? "page" : undefined}
      className="block truncate py-0.5 hover:text-accent aria-[current=page]:font-medium"
    >
      {children}
    </Link>
  );
}

function Endpoints({ section: { endpoints } }: { section: Section }) {
  return (
    <ul className="mb-2 border-l pl-3">
      {endpoints.map(({ method, path, operation }) => (
        <li key={operation.operationId}>
          <a
            href={`#${operation.operationId}`}
            className="block truncate py-0.5 text-ink-2 hover:text-accent"
            title={`${method} ${path}`}
          >
            {operation.summary}
          </a>
        </li>
      ))}
    </ul>
  );
}
