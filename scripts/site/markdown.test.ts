import MiniSearch from "minisearch";
import { expect, test } from "vitest";
import { html } from "./html.ts";
import { renderMarkdown } from "./markdown.ts";
import { type Entry, entriesOf, find, options, searchScript } from "./search-index.ts";

/** Pages from Markdown, and what is found in them. */
const rendered = (text: string) => renderMarkdown("docs/page.md", text);

test("what is put into a template is escaped, except HTML", () => {
  expect(html`<p title="${'"'}">${"<b>"}${html`<i>`}${[1, html`<u>`]}${false}${undefined}</p>`.text).toBe(
    '<p title="&quot;">&lt;b&gt;<i>1<u></p>',
  );
});

test("headings have anchors, and the page has its title, its headings, and the text below each", () => {
  const { title, headings, sections, content } = rendered(
    "# A `page`\n\nFirst.\n\n## Use\n\n| a | b |\n|---|---|\n| one | two |\n\n## Use\n\n- x\n- y\n",
  );
  expect(title).toBe("A page");
  expect(headings.map(({ anchor }) => anchor)).toEqual(["a-page", "use", "use-1"]);
  expect(sections.map(({ text }) => text)).toEqual(["First.", "a b one two", "x y"]);
  expect(content.text).toContain('<h2 id="use-1">Use<a class="anchor" href="#use-1"');
  expect(content.text).toContain('<div class="table" tabindex="0" role="group" aria-label="Table"><table>');
});

test("code is colored, copied whole, and never HTML", () => {
  const { content } = rendered('```sh\necho "<b>$KEY</b>" # say\n```\n');
  expect(content.text).toContain('<span class="hljs-comment"># say</span>');
  expect(content.text).toContain("&lt;b&gt;");
  expect(content.text).toContain('<button type="button" class="copy">Copy</button>');
  const code = /<code>([\s\S]*)<\/code>/.exec(content.text)?.[1]?.replaceAll(/<[^>]+>/g, "");
  expect(code).toBe("echo &quot;&lt;b&gt;$KEY&lt;/b&gt;&quot; # say");
});

test("a table's head without words is none, and an empty cell of a head is no heading", () => {
  const { content } = rendered("| | |\n|---|---|\n| a | b |\n\n| | x |\n|---|---|\n| a | b |\n");
  expect(content.text.match(/<t[hd]>[^<]*/g)).toEqual(["<td>a", "<td>b", "<td>", "<th>x", "<td>a", "<td>b"]);
});

test("a language without a grammar is shown as it is", () => {
  expect(rendered("```text\na < b\n```").content.text).toContain("<code>a &lt; b</code>");
});

test("Terraform has its colors", () => {
  const { content } = rendered('```hcl\nresource "a" "b" {\n  name = "c" # d\n}\n```');
  expect(content.text).toContain('<span class="hljs-keyword">resource</span>');
  expect(content.text).toContain('<span class="hljs-string">&quot;c&quot;</span>');
});

test("links lead to pages; files of the repository are named", () => {
  const { content } = rendered("[a](rest.md#errors) [b](../server/env.ts) [c](https://example.com)");
  expect(content.text).toBe(
    '<p><a href="rest.html#errors">a</a> <span class="file" title="server/env.ts, in the repository">b</span> <a href="https://example.com">c</a></p>',
  );
});

test("a picture has a file for each theme; comments are left out; other HTML is an error", () => {
  const { content, images } = rendered(
    '<picture>\n  <source media="(prefers-color-scheme: dark)" srcset="images/b.png">\n  <img src="images/a.png" alt="A" width="10">\n</picture>\n\n<!-- written by a script -->\n',
  );
  expect(images).toEqual(["docs/images/a.png", "docs/images/b.png"]);
  expect(content.text).toContain('<img src="images/a.png" alt="A" loading="lazy" class="in-light"/>');
  expect(content.text).toContain('class="in-dark"');
  expect(content.text).not.toContain("written by");
  expect(() => rendered("<script>alert(1)</script>\n")).toThrow("HTML that the site does not know");
  expect(() => rendered("![a](https://example.com/a.png)")).toThrow("not an image of the repository");
});

const indexOf = (script: string) =>
  MiniSearch.loadJSON<Entry>(
    JSON.parse(script.slice("globalThis.searchIndex=".length, script.lastIndexOf(";"))),
    options,
  );

test("the index finds sections by words, beginnings, and with a typing error, and guides before the reference", () => {
  const section = (heading: string, anchor: string, text: string) => ({ heading, anchor, text });
  const script = searchScript([
    ...entriesOf("rest-api-incidents.html", "REST API: Incidents", [
      section("REST API: Incidents", "rest-api-incidents", ""),
      section("Silence an incident", "incidents.silence", "POST /svc/api/incidents/{id}/silence"),
    ]),
    ...entriesOf("incidents.html", "Incidents", [
      section("Incidents", "incidents", "What belongs together."),
      section("Silence", "silence", `Nobody is notified of the incident. ${"word ".repeat(60)}`),
    ]),
  ]);
  const index = indexOf(script);
  const urls = (words: string) => find(index, words).map(({ url }) => url);
  expect(urls("silence incident")).toEqual([
    "incidents.html#silence",
    "rest-api-incidents.html#incidents.silence",
  ]);
  expect(urls("belong toget")).toEqual(["incidents.html"]);
  expect(urls("notifeid")).toEqual(["incidents.html#silence"]);
  expect(urls("nothing-of-this")).toEqual([]);
  const [first] = find(index, "silence notified");
  expect(first?.excerpt.length).toBeLessThanOrEqual(162);
});
