/** A small manifest of our own: models, a source, and tests of several kinds. */
export function aManifest({
  schema = "shop",
  tests = {},
  metadata = {},
}: {
  schema?: string;
  tests?: Record<string, unknown>;
  metadata?: Record<string, unknown>;
} = {}) {
  const model = (name: string, more: object = {}) => ({
    ...{ resource_type: "model", name, package_name: "shop", schema, alias: name },
    ...{ description: `All ${name}`, columns: { id: { name: "id", description: "Counts up" } }, ...more },
  });
  return {
    metadata: {
      dbt_schema_version: "https://schemas.getdbt.com/dbt/manifest/v12.json",
      ...{ dbt_version: "1.10.0", project_name: "shop", ...metadata },
    },
    nodes: {
      "model.shop.customers": model("customers"),
      "model.shop.orders": model("orders", { config: { meta: { owner: "Sales" }, tags: ["daily"] } }),
      "model.shop.ghosts": model("ghosts"),
      ...tests,
    },
    sources: {},
  };
}

/** A generic test on a model. */
export function aDbtTest(
  name: string,
  {
    model = "orders",
    column,
    namespace,
    config,
    kwargs = {},
    more = {},
  }: {
    model?: string;
    column?: string;
    namespace?: string;
    config?: object;
    kwargs?: object;
    more?: object;
  } = {},
) {
  const written = `${namespace ? `${namespace}_` : ""}${name}_${model}_${column ?? ""}`;
  return {
    ...{ resource_type: "test", name: written, package_name: "shop", original_file_path: "models/shop.yml" },
    ...{ attached_node: `model.shop.${model}`, column_name: column ?? null, config: config ?? {} },
    test_metadata: { name, namespace: namespace ?? null, kwargs },
    depends_on: { nodes: [`model.shop.${model}`], macros: [] },
    ...more,
  };
}
