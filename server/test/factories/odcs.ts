/** The text of an Open Data Contract Standard file with these tables, in YAML as people write it. */
export function anOdcsFile(schema: string, more = ""): string {
  return `apiVersion: v3.1.0
kind: DataContract
id: shop
name: Shop
version: 1.0.0
status: active
${more}
schema:
${schema}`;
}
