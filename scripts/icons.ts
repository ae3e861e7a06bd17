/**
 * Writes components/ui/icons.tsx: the icons that pages import, of the 1,700 in lucide-react, because the package takes
 * 50 MB and 4,900 files to install. Run it after importing another icon: `npm run icons`.
 */
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import * as lucide from "lucide-react";
import { createElement, type FunctionComponent } from "react";
import { renderToStaticMarkup } from "react-dom/server";

const root = join(import.meta.dirname, "..");
const file = join(root, "components/ui/icons.tsx");
const own = ["@/components/ui/icons.tsx", "./icons.tsx"];

/** The names of the imported icons, in alphabetical order. */
export function importedIcons(): string[] {
  const sources = ["app", "components"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => /\.tsx?$/.test(name))
      .map((name) => readFileSync(join(root, folder, name), "utf8")),
  );
  const names = sources
    .flatMap((source) => [...source.matchAll(/import (?:type )?\{([^}]*)\} from "([^"]+)"/g)])
    .filter(([, , from]) => own.includes(from ?? ""))
    .flatMap(([, names = ""]) => names.split(","))
    .map((name) => name.replace(/ as .*/, "").trim())
    .filter((name) => name !== "" && !/(^type |^LucideIcon$)/.test(name));
  return [...new Set(names)].sort();
}

/** The file's text for these icons, before formatting. */
export function iconsFile(names: string[]): string {
  const license = readFileSync(join(root, "node_modules/lucide-react/LICENSE"), "utf8").trim();
  const lines = license.split("\n").map((line) => ` * ${line}`.trimEnd());
  const heading = [
    "/*",
    " * Made from lucide-react by `npm run icons`; not edited by hand. Its license:",
    " *",
    ...lines,
    " */",
    `import { icon } from "./icon.tsx";`,
    "",
    `export type { LucideIcon } from "./icon.tsx";`,
  ];
  return `${[...heading, "", ...names.map(definition)].join("\n")}\n`;
}

function definition(name: string): string {
  const icon = (lucide as unknown as Record<string, FunctionComponent>)[name];
  if (!icon) throw new Error(`lucide-react has no icon ${name}`);
  const markup = renderToStaticMarkup(createElement(icon));
  const [, className, shape = ""] = /class="lucide ([^"]+)"[^>]*>(.*)<\/svg>/.exec(markup) ?? [];
  const elements = shape.replaceAll(/><\/\w+>/g, " />");
  const isOne = elements.split("<").length === 2;
  return `export const ${name} = /* @__PURE__ */ icon("${className}", ${isOne ? elements : `<>${elements}</>`});`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(file, iconsFile(importedIcons()));
  const { status } = spawnSync("biome", ["check", "--write", file], { stdio: "inherit" });
  process.exitCode = status ?? 1;
}
