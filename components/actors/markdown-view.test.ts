import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { MarkdownView } from "./markdown-view.tsx";

const render = (markdown: string) => renderToStaticMarkup(createElement(MarkdownView, null, markdown));

test("a report is rendered: headings below the page's own, lists, tables, code", () => {
  const html = render(
    "# Found\n\n- one\n- `two`\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```sql\nselect 1\n```",
  );
  expect(html).toMatch(/<h3[^>]*>Found<\/h3>/);
  expect(html).not.toContain("<h1");
  for (const part of ["<li>one</li>", "two</code>", "<td>2</td>", "select 1"]) expect(html).toContain(part);
});

test("images are described and never loaded, however they are written", () => {
  const html = render(
    '![secret](https://evil.example/p.png?q=1)\n\n<img src="https://evil.example/x.png">\n\n![r][1]\n\n[1]: https://evil.example/r.png',
  );
  expect(html).toContain("[picture: secret]");
  expect(html).not.toContain("<img");
  expect(html).not.toContain("src=");
});

test.each([
  "<script>window.ran = 1</script>",
  "<iframe srcdoc='<script>1</script>'></iframe>",
  "<a href='javascript:alert(1)' onclick='alert(1)'>press</a>",
  "<style>h1 { display: none }</style>",
  "<svg onload=alert(1)></svg>",
  "<form action=https://evil.example><input name=q></form>",
])("%s stays text", (markdown) => {
  const html = render(`before\n\n${markdown}\n\nafter`);
  expect(html).not.toMatch(/<(script|iframe|style|svg|form|input|a)\b/i);
  expect(html).toContain("after");
});

test("links lead only to the web and show where", () => {
  const link = render("[the report](https://evil.example/path)");
  expect(link).toContain('rel="noopener noreferrer nofollow"');
  expect(link).toContain("(evil.example)");
  for (const href of [
    "javascript:alert(1)",
    "data:text/html,1",
    "vbscript:x",
    "/ai-actors/1",
    "//evil.example",
  ])
    expect(render(`[press](${href})`)).not.toContain("<a ");
});
