import type { ElementContent } from "hast";
import { common, createLowlight } from "lowlight";

/** Colors of code, put in when the site is built. */

type Grammar = (typeof common)[string];

/** Terraform's language, which the library does not have. */
const hcl: Grammar = (library) => ({
  name: "HCL",
  contains: [
    library.HASH_COMMENT_MODE,
    library.QUOTE_STRING_MODE,
    library.NUMBER_MODE,
    {
      scope: "keyword",
      begin: /^\s*(resource|data|provider|variable|output|terraform|import|locals|module)\b/,
    },
    { scope: "literal", begin: /\b(true|false|null)\b/ },
    { scope: "attr", begin: /^\s*[\w-]+(?=\s*=)/ },
  ],
});

const library = createLowlight({ ...common, hcl });

/** How a language is called above a block of code. */
const labels: Record<string, string> = {
  sh: "Shell",
  hcl: "HCL",
  js: "JavaScript",
  json: "JSON",
  python: "Python",
  sql: "SQL",
  text: "Text",
  yaml: "YAML",
};

export const labelOf = (language: string) => labels[language] ?? language;

/** The code as colored parts; a language without a grammar stays as it is. */
export const colored = (code: string, language: string): ElementContent[] =>
  library.registered(language)
    ? (library.highlight(language, code).children as ElementContent[])
    : [{ type: "text", value: code }];
