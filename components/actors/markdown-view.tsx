import type { ReactNode } from "react";
import ReactMarkdown, { type Components } from "react-markdown";
import rehypeSanitize, { defaultSchema } from "rehype-sanitize";
import remarkGfm from "remark-gfm";

/** Nothing that loads, submits, or runs anything; links lead to the web or nowhere. */
const allowed = {
  ...defaultSchema,
  tagNames: (defaultSchema.tagNames ?? []).filter((name) => !["input", "picture", "source"].includes(name)),
  protocols: { ...defaultSchema.protocols, href: ["http", "https"] },
};

/** All headings rank below the page's own, whatever level the text uses. */
function Heading({ children }: { children?: ReactNode }) {
  return <h3 className="pt-1 font-semibold">{children}</h3>;
}

const parts: Components = {
  ...{ h1: Heading, h2: Heading, h3: Heading, h4: Heading, h5: Heading, h6: Heading },
  p: ({ children }) => <p>{children}</p>,
  ul: ({ children }) => <ul className="list-disc pl-5 [&>li]:pt-0.5">{children}</ul>,
  ol: ({ children, start }) => (
    <ol className="list-decimal pl-6 [&>li]:pt-0.5" {...(start !== undefined && { start })}>
      {children}
    </ol>
  ),
  // If the text doesn't show the URL, the destination is shown after it.
  a: ({ href, children }) => {
    const host = hostOf(href);
    if (host === null) return <span>{children}</span>;
    return (
      <>
        <a
          href={href}
          target="_blank"
          rel="noopener noreferrer nofollow"
          title={href}
          className="text-accent underline"
        >
          {children}
        </a>{" "}
        <span className="text-xs text-ink-3">({host})</span>
      </>
    );
  },
  // Loading an image would reveal the reader to its server.
  img: ({ alt }) => <span className="text-ink-3">[picture{alt ? `: ${alt}` : ""}]</span>,
  code: ({ children }) => (
    <code className="rounded-sm bg-hover px-1 py-0.5 font-mono text-[0.8125rem] break-words">{children}</code>
  ),
  pre: ({ children }) => (
    <pre className="rounded-md border bg-sunken px-3 py-2 font-mono text-xs leading-5 break-words whitespace-pre-wrap [&_code]:bg-transparent [&_code]:p-0 [&_code]:text-xs">
      {children}
    </pre>
  ),
  blockquote: ({ children }) => <blockquote className="border-l-2 pl-3 text-ink-2">{children}</blockquote>,
  table: ({ children }) => (
    // Focusable, so that a table wider than its container can be scrolled with the keyboard.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable
    <section aria-label="Table" tabIndex={0} className="row-focus overflow-x-auto">
      <table className="border-collapse text-left [&_td]:border-b [&_td]:py-1 [&_td]:pr-4 [&_th]:border-b [&_th]:py-1 [&_th]:pr-4 [&_th]:text-xs [&_th]:font-medium [&_th]:text-ink-3">
        {children}
      </table>
    </section>
  ),
  hr: () => <hr className="border-line" />,
};

/** Markdown from a model: sanitized, without images, and with visible link destinations. */
export function MarkdownView({ children }: { children: string }) {
  return (
    <div className="flex max-w-prose min-w-0 flex-col gap-2 break-words">
      <ReactMarkdown
        remarkPlugins={[remarkGfm]}
        rehypePlugins={[[rehypeSanitize, allowed]]}
        components={parts}
      >
        {children}
      </ReactMarkdown>
    </div>
  );
}

function hostOf(href: string | undefined): string | null {
  if (!href || !URL.canParse(href)) return null;
  const { protocol, host } = new URL(href);
  return protocol === "https:" || protocol === "http:" ? host : null;
}
