/** The console's colors and fonts, for the site's style sheet. */

/** The declarations of the first block with a selector. */
function declarations(css: string, selector: string): string {
  const start = css.indexOf(`${selector} {`);
  if (start < 0) throw new Error(`The console's style has no ${selector}`);
  return css.slice(css.indexOf("{", start) + 1, css.indexOf("}", start)).trim();
}

/** @param css The console's style sheet, app/globals.css. The reader's choice wins over the machine's. */
export function themeCss(css: string): string {
  const dark = declarations(css, '[data-theme="dark"]');
  const fonts = declarations(css, "@theme").match(/--font-\w+: [^;]+;/g) ?? [];
  return [
    `:root {\n  ${declarations(css, ":root")}\n  ${fonts.join("\n  ")}\n}`,
    `:root[data-theme="dark"] {\n  ${dark}\n}`,
    `@media (prefers-color-scheme: dark) {\n:root:not([data-theme="light"]) {\n  ${dark}\n}\n}`,
    "",
  ].join("\n");
}

/** The fonts' files, by package, and how the style sheet loads them. */
export const fonts = ["inter", "jetbrains-mono"].flatMap((name) =>
  ["latin", "latin-ext"].map((part) => ({
    package: `@fontsource-variable/${name}`,
    file: `${name}-${part}-wght-normal.woff2`,
  })),
);

/** The rules of a font package's style sheet for the files that are kept. */
export function fontCss(css: string): string {
  const rules = css.match(/@font-face \{[^}]+\}/g) ?? [];
  return rules
    .filter((rule) => fonts.some(({ file }) => rule.includes(`/${file})`)))
    .map((rule) => rule.replaceAll("./files/", "./"))
    .join("\n");
}
