/** The one place that knows the YAML library: scripts/command-package.mjs bundles it into the package. */
export { isMap, isNode, isScalar, isSeq, LineCounter, parseDocument, stringify } from "yaml";
