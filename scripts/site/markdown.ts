import type { Element, ElementContent, Root, RootContent } from "hast";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import Markdown from "react-markdown";
import remarkGfm from "remark-gfm";
import { anchorsOfPage } from "./anchors.ts";
import { diagramRows, type Row } from "./diagram.ts";
import { colored, labelOf } from "./highlight.ts";
import { asHtml, type Html, html } from "./html.ts";
import { type Target, targetOf } from "./links.ts";

/** A page from Markdown, with the library that the console renders Markdown with. */
export type Heading = { level: number; text: string; anchor: string };
/** What is searched: the text below one heading, up to the next. */
export type Section = { heading: string; anchor: string; text: string };
export type Rendered = {
  title: string;
  content: Html;
  headings: Heading[];
  sections: Section[];
  /** Files that the page shows, to be copied beside it. */
  images: string[];
};

type Context = {
  repository?: string | undefined;
  sizeOf?: (image: string) => { width: number; height: number };
};

export function renderMarkdown(source: string, text: string, context: Context = {}): Rendered {
  const page = new Page(source, context);
  const content = renderToStaticMarkup(
    createElement(
      Markdown,
      { remarkPlugins: [remarkGfm], rehypePlugins: [() => (tree: Root) => page.take(tree)] },
      text,
    ),
  );
  return { ...page.found(), content: asHtml(content) };
}

const element = (
  tagName: string,
  properties: Element["properties"],
  children: ElementContent[] = [],
): Element => ({
  type: "element",
  tagName,
  properties,
  children,
});
const textNode = (value: string): ElementContent => ({ type: "text", value });

export function textOf(node: RootContent | Root): string {
  if (node.type === "text") return node.value;
  return "children" in node ? node.children.map(textOf).join("") : "";
}

/** Parts of a table or list end with a space, so that words of two cells stay two words. */
const spacedText = (node: RootContent): string =>
  node.type === "element" && /^(t[dhr]|li|p|pre)$/.test(node.tagName)
    ? `${node.children.map(spacedText).join("")} `
    : "children" in node
      ? node.children.map(spacedText).join("")
      : textOf(node);

class Page {
  private readonly source: string;
  private readonly context: Context;
  private readonly headings: Heading[] = [];
  private readonly sections: Section[] = [];
  private readonly images = new Set<string>();
  private readonly anchor = anchorsOfPage();

  constructor(source: string, context: Context) {
    this.source = source;
    this.context = context;
  }

  found() {
    const title = this.headings.find(({ level }) => level === 1)?.text ?? this.source;
    return { title, headings: this.headings, sections: this.sections, images: [...this.images] };
  }

  take(tree: Root): void {
    for (const node of tree.children) this.search(node);
    tree.children = this.changedAll(tree.children) as RootContent[];
  }

  private search(node: RootContent): void {
    if (node.type !== "element") return;
    const level = /^h([1-6])$/.exec(node.tagName)?.[1];
    if (level) {
      const text = textOf(node);
      const anchor = this.anchor(text);
      node.properties.id = anchor;
      this.headings.push({ level: Number(level), text, anchor });
      this.sections.push({ heading: text, anchor, text: "" });
    } else {
      const section = this.sections.at(-1);
      if (section) section.text = `${section.text} ${spacedText(node)}`.replaceAll(/\s+/g, " ").trim();
    }
  }

  private changedAll(nodes: RootContent[]): ElementContent[] {
    return joinedHtml(nodes).flatMap((node) => this.changed(node));
  }

  private changed(node: RootContent): ElementContent[] {
    if (node.type === "raw") return this.picture(node.value);
    if (node.type !== "element") return [node as ElementContent];
    if (node.tagName === "pre") return [codeBlock(node)];
    node.children = this.changedAll(node.children);
    if (node.tagName === "a") return [this.link(node)];
    if (node.tagName === "img")
      return [this.image(String(node.properties.src), String(node.properties.alt ?? ""))];
    if (node.tagName === "table") return [scrolling(withoutEmptyHeads(node))];
    const { id } = node.properties;
    if (/^h[2-6]$/.test(node.tagName) && id) node.children.push(anchorLink(String(id), textOf(node)));
    return [node];
  }

  private target = (href: string): Target => targetOf(this.source, href, this.context.repository);

  private link(node: Element): Element {
    const target = this.target(String(node.properties.href));
    if (target.kind !== "file") return { ...node, properties: { ...node.properties, href: target.href } };
    return element(
      "span",
      { className: ["file"], title: `${target.file}, in the repository` },
      node.children,
    );
  }

  private image(src: string, alt: string, className?: string): Element {
    const target = this.target(src);
    if (target.kind !== "image") throw new Error(`${this.source}: ${src} is not an image of the repository`);
    this.images.add(target.file);
    const size = this.context.sizeOf?.(target.file);
    return element("img", {
      ...{ src: target.href, alt, loading: "lazy", ...size },
      ...(className && { className: [className] }),
    });
  }

  /** The only HTML in pages: comments, and a picture that has another file for the dark theme. */
  private picture(value: string): ElementContent[] {
    const rest = value.replaceAll(/<!--[\s\S]*?-->/g, "").trim();
    if (rest === "") return [];
    const [, dark] = /<source media="\(prefers-color-scheme: dark\)" srcset="([^"]+)">/.exec(rest) ?? [];
    const [, light, alt = ""] = /<img src="([^"]+)" alt="([^"]*)"/.exec(rest) ?? [];
    if (!dark || !light || !rest.startsWith("<picture>"))
      throw new Error(`${this.source}: HTML that the site does not know: ${rest.slice(0, 80)}`);
    return [this.image(light, alt, "in-light"), this.image(dark, alt, "in-dark")];
  }
}

/** HTML in a paragraph comes as one part for each tag: they belong together up to the last. */
function joinedHtml(nodes: RootContent[]): RootContent[] {
  const first = nodes.findIndex((node) => node.type === "raw" && node.value.startsWith("<picture>"));
  const last = nodes.findLastIndex((node) => node.type === "raw" && node.value.endsWith("</picture>"));
  if (first < 0 || last <= first) return nodes;
  const value = nodes
    .slice(first, last + 1)
    .map((node) => (node.type === "raw" ? node.value : textOf(node)))
    .join("");
  return [...nodes.slice(0, first), { type: "raw", value } as RootContent, ...nodes.slice(last + 1)];
}

const anchorLink = (id: string, heading: string) =>
  element("a", { className: ["anchor"], href: `#${id}`, ariaLabel: `Link to “${heading}”` }, [textNode("#")]);

/** Markdown needs a head for each table: one without words is none. */
function withoutEmptyHeads(table: Element): Element {
  const rest = table.children.filter(
    (part) => !("tagName" in part) || part.tagName !== "thead" || textOf(part).trim() !== "",
  );
  for (const head of rest) {
    const [row] =
      "tagName" in head && head.tagName === "thead" ? head.children.filter((each) => "tagName" in each) : [];
    for (const cell of row?.children ?? [])
      if ("tagName" in cell && cell.children.length === 0) cell.tagName = "td";
  }
  return { ...table, children: rest };
}

/** A table scrolls by itself, so that a page never gets wider than a phone. */
const scrolling = (table: Element) =>
  element("div", { className: ["table"], tabIndex: 0, role: "group", ariaLabel: "Table" }, [table]);

function codeBlock(pre: Element): Element {
  const [code] = pre.children;
  const names = code?.type === "element" ? code.properties.className : [];
  const language = [names ?? []]
    .flat()
    .map(String)
    .find((name) => name.startsWith("language-"));
  const text = textOf(pre).replace(/\n$/, "");
  const rows = language === "language-mermaid" ? diagramRows(text) : undefined;
  return rows ? diagram(rows) : codeElement(text, language?.slice("language-".length) ?? "text");
}

const diagram = (rows: Row[]) =>
  element(
    "div",
    { className: ["diagram"], role: "group", ariaLabel: "Diagram" },
    rows.map((row) =>
      "group" in row
        ? element("p", { className: ["diagram-group"] }, [textNode(row.group)])
        : element(
            "p",
            row.isInGroup ? { className: ["in-group"] } : {},
            row.parts.map((part) =>
              "box" in part
                ? element("span", { className: ["box"] }, [textNode(part.box)])
                : element("span", { className: ["arrow"] }, [textNode(` ${part.arrow} → `)]),
            ),
          ),
    ),
  );

const codeElement = (text: string, language: string) =>
  element("div", { className: ["code"] }, [
    element("div", { className: ["code-bar"] }, [
      element("span", {}, [textNode(labelOf(language))]),
      element("button", { type: "button", className: ["copy"] }, [textNode("Copy")]),
    ]),
    element("pre", { tabIndex: 0, role: "group", ariaLabel: `Code: ${labelOf(language)}` }, [
      element("code", {}, colored(text, language)),
    ]),
  ]);

/** The same block for code that is in no Markdown. */
export const codeHtml = (text: string, language: string): Html =>
  renderMarkdown("code", `\`\`\`\`${language}\n${text}\n\`\`\`\``).content;

/** Markdown within a line, such as a description. Most have only words, which need no parser. */
export const inlineHtml = (text: string): Html =>
  /^[\w ,.:;()'’%?/-]*$/.test(text) && !/_|\/\/|www\.|^[-\d]/.test(text)
    ? html`${text}`
    : asHtml(renderMarkdown("line", text).content.text.replace(/^<p>([\s\S]*)<\/p>$/, "$1"));
