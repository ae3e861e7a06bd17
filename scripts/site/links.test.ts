import { expect, test } from "vitest";
import { anchorOf, anchorsOfPage } from "./anchors.ts";
import { repositoryOf, targetOf } from "./links.ts";
import { navigationOf, neighborsOf } from "./navigation.ts";
import { pageOf } from "./pages.ts";

/** Where links lead, and the menu. */

test("anchors are GitHub's: lowercase, without punctuation, numbered when they repeat", () => {
  expect(anchorOf("What it *cannot* do, and `why_not`?")).toBe("what-it-cannot-do-and-why_not");
  expect(anchorOf("A – B")).toBe("a--b");
  const anchor = anchorsOfPage();
  expect([anchor("Errors"), anchor("Errors"), anchor("Errors!")]).toEqual(["errors", "errors-1", "errors-2"]);
});

test.each([
  ["README.md", "index.html"],
  ["docs/README.md", "contents.html"],
  ["docs/as-code.md", "as-code.html"],
  ["components/ui/README.md", undefined],
  ["docs/images/plan.png", undefined],
])("%s is %s", (source, page) => {
  expect(pageOf(source)).toBe(page);
});

test.each([
  [
    "docs/rest.md",
    "api-keys.md#what-a-key-can-do",
    { kind: "page", href: "api-keys.html#what-a-key-can-do" },
  ],
  ["docs/rest.md", "#errors", { kind: "page", href: "#errors" }],
  ["docs/rest.md", "../README.md", { kind: "page", href: "index.html" }],
  ["README.md", "docs/README.md", { kind: "page", href: "contents.html" }],
  ["docs/rest.md", "https://example.com/a.md", { kind: "outside", href: "https://example.com/a.md" }],
  ["README.md", "docs/images/a.png", { kind: "image", href: "images/a.png", file: "docs/images/a.png" }],
  ["docs/rest.md", "../server/env.ts", { kind: "file", file: "server/env.ts" }],
])("in %s, %s leads to the right place", (source, href, target) => {
  expect(targetOf(source, href)).toEqual(target);
});

test("files are linked where the repository has an address", () => {
  const repository = repositoryOf({ repository: { url: "git+https://git.example.com/a/plumbline.git" } });
  expect(targetOf("docs/rest.md", "../server/env.ts", repository)).toEqual({
    kind: "outside",
    href: "https://git.example.com/a/plumbline/blob/main/server/env.ts",
  });
  expect(repositoryOf({})).toBeUndefined();
  expect(repositoryOf({ repository: "git@git.example.com:a/plumbline.git" })).toBeUndefined();
});

const contents = `# Documentation

**Start here**

| | |
|---|---|
| [README](../README.md) | the two commands |
| [Terraform](terraform.md), [every attribute](terraform-reference.md) | see [settings](settings.md) |

**Connecting**

| | |
|---|---|
| [REST by example](rest.md) | curl |
`;

test("the menu has the groups and links of the contents, in their order, and the reference after the example", () => {
  const [first, second, last] = navigationOf(contents);
  expect(first).toEqual({
    title: "Start here",
    entries: [
      { label: "Overview", href: "index.html" },
      { label: "Terraform", href: "terraform.html" },
      { label: "Every attribute", href: "terraform-reference.html" },
    ],
  });
  expect(second?.entries.map(({ href }) => href)).toEqual(["rest.html", "rest-api.html"]);
  expect(last?.entries.map(({ href }) => href)).toEqual([
    "contents.html",
    "contributing.html",
    "changelog.html",
  ]);
});

test("a page knows the one before and the one after it, across groups", () => {
  const { previous, next } = neighborsOf(navigationOf(contents), "rest.html");
  expect([previous?.href, next?.href]).toEqual(["terraform-reference.html", "rest-api.html"]);
  expect(neighborsOf(navigationOf(contents), "index.html").previous).toBeUndefined();
  expect(neighborsOf(navigationOf(contents), "404.html")).toEqual({});
});
