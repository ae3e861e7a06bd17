import { type Html, html } from "./html.ts";
import { inlineHtml } from "./markdown.ts";
import { nameOfReference, type Schema } from "./open-api.ts";

/** A schema as a table of its fields. */
export const schemasPage = "rest-api-schemas.html";

type Row = { name: string; type: Html; isRequired: boolean; notes: Html } | { variant: Html };

const maxDepth = 5;
/** Bounds that only say how numbers are stored. */
const unsaid = new Set([Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER, 2 ** 31 - 1]);

/** Of what is sent, the fields that must be there are marked; of answers, those that may not be there. */
export function schemaTable(schema: Schema, isAnswer = false): Html {
  const rows = rowsOf(schema, "", 0);
  if (rows.length === 0) return html`<p>${typeOf(schema)}${notesAfter(schema)}</p>`;
  return html`<div class="table" tabindex="0" role="group" aria-label="Fields"><table>
<thead><tr><th>Field</th><th>Type</th><th>Notes</th></tr></thead>
<tbody>${rows.map((row) => rowHtml(row, isAnswer))}</tbody></table></div>`;
}

function rowHtml(row: Row, isAnswer: boolean): Html {
  if ("variant" in row) return html`<tr><th colspan="3" scope="rowgroup">${row.variant}</th></tr>\n`;
  const mark = row.isRequired ? !isAnswer && "required" : isAnswer && "optional";
  return html`<tr><td><code>${row.name}</code>${mark && html` <span class="required">${mark}</span>`}</td><td>${row.type}</td><td>${row.notes}</td></tr>\n`;
}

function notesAfter(schema: Schema): Html | false {
  const notes = notesOf(schema);
  return notes.text !== "" && html`. ${notes}`;
}

/** Fields of fields follow the field, with a dot; `[]` is each element of an array. */
function rowsOf(schema: Schema, prefix: string, depth: number): Row[] {
  if (depth > maxDepth) return [];
  if (schema.items) return rowsOf(schema.items, prefix === "" ? prefix : `${prefix}[]`, depth);
  const variants = (schema.anyOf ?? schema.oneOf ?? []).filter((each) => hasFields(each));
  if (variants.length === 1 && variants[0]) return rowsOf(variants[0], prefix, depth);
  if (variants.length > 1)
    return variants.flatMap((variant, index) => [
      { variant: variantTitle(variant, prefix, index, variants.length) },
      ...rowsOf(variant, prefix, depth + 1),
    ]);
  if (schema.allOf) return schema.allOf.flatMap((each) => rowsOf(each, prefix, depth));
  return Object.entries(schema.properties ?? {}).flatMap(([property, each]) => {
    const name = prefix === "" ? property : `${prefix}.${property}`;
    const isRequired = schema.required?.includes(property) ?? false;
    return [{ name, type: typeOf(each), isRequired, notes: notesOf(each) }, ...rowsOf(each, name, depth + 1)];
  });
}

const hasFields = (schema: Schema): boolean =>
  schema.properties !== undefined ||
  [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])].some((each) =>
    hasFields(each),
  ) ||
  (schema.items !== undefined && hasFields(schema.items));

/** Variants are told apart by the fields that have one value each. */
function variantTitle({ properties = {} }: Schema, prefix: string, index: number, count: number): Html {
  const fixed = Object.entries(properties).filter(([, { const: value }]) => value !== undefined);
  const of = prefix !== "" && html` of <code>${prefix}</code>`;
  if (fixed.length === 0) return html`Variant ${index + 1} of ${count}${of}`;
  const shown = fixed.map(
    ([name, { const: value }]) => html`<code>${name}</code> = <code>${JSON.stringify(value)}</code>`,
  );
  return html`Variant${of} with ${joined(shown, ", ")}`;
}

const joined = (parts: Html[], between: string) =>
  parts.map((part, index) => (index === 0 ? part : html`${between}${part}`));

export function typeOf(schema: Schema): Html {
  if (schema.$ref) {
    const name = nameOfReference(schema.$ref);
    return html`<a href="${schemasPage}#${name}">${name}</a>`;
  }
  if (schema.const !== undefined) return html`<code>${JSON.stringify(schema.const)}</code>`;
  if (schema.enum)
    return html`${joined(
      schema.enum.map((value) => html`<code>${JSON.stringify(value)}</code>`),
      ", ",
    )}`;
  const options = schema.anyOf ?? schema.oneOf;
  if (options) return html`${joined(unique(options.map((each) => typeOf(each))), " or ")}`;
  if (schema.allOf)
    return html`${joined(
      schema.allOf.map((each) => typeOf(each)),
      " and ",
    )}`;
  const types = [schema.type ?? []].flat();
  if (types.includes("array") && schema.items) return html`array of ${typeOf(schema.items)}`;
  const values = schema.additionalProperties;
  if (types.includes("object") && typeof values === "object" && Object.keys(values).length > 0)
    return html`map of ${typeOf(values)}`;
  return html`${types.length > 0 ? types.join(" or ") : "any JSON"}${schema.format && ` (${schema.format})`}`;
}

const unique = (parts: Html[]) => [...new Map(parts.map((part) => [part.text, part])).values()];

function notesOf(schema: Schema): Html {
  const limits = limitsOf(schema);
  const parts = [
    ...(schema.description ? [inlineHtml(schema.description)] : []),
    ...(limits.length > 0 ? [html`${capital(limits.join(", "))}`] : []),
    ...(schema.default !== undefined ? [html`Default: <code>${JSON.stringify(schema.default)}</code>`] : []),
  ];
  return html`${joined(parts, ". ")}`;
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** Bounds in words; of what may also be null, those of the rest. */
function limitsOf(schema: Schema): string[] {
  const rest = schema.anyOf?.filter(({ type }) => type !== "null") ?? [];
  if (rest.length === 1 && rest[0] && !rest[0].$ref) return limitsOf(rest[0]);
  return [
    bounds(schema.minimum, schema.maximum, ""),
    bounds(schema.minLength, schema.maxLength, " characters"),
    bounds(schema.minItems, schema.maxItems, " elements"),
  ].filter((text) => text !== "");
}

function bounds(min: number | undefined, max: number | undefined, unit: string): string {
  const isSaid = (value: number | undefined) => value !== undefined && !unsaid.has(value);
  const number = (value = 0) => value.toLocaleString("en-US");
  if (isSaid(min) && isSaid(max)) return `${number(min)} to ${number(max)}${unit}`;
  if (isSaid(max)) return `at most ${number(max)}${unit}`;
  return isSaid(min) ? `at least ${number(min)}${unit}` : "";
}
