"use client";
import { useState } from "react";
import { Field } from "../ui/field.tsx";
import { Select } from "../ui/select.tsx";
import { DataSourceForm } from "./data-source-form.tsx";
import { type ConnectableKind, connectableKinds, kindNames } from "./kind-names.ts";
import { RestApiForm } from "./rest-api-form.tsx";

/** Connects a data source of any kind: a database, or an API, which takes another form. */
export function ConnectForm() {
  const [kind, setKind] = useState<ConnectableKind | "RestApi">("PostgreSql");
  if (kind !== "RestApi") return <DataSourceForm initialKind={kind} onRestApi={() => setKind("RestApi")} />;
  const kindField = (
    <Field label="Kind">
      <Select
        value={kind}
        onValueChange={(value) => setKind(connectableKinds.find((each) => each === value) ?? "RestApi")}
        options={[...connectableKinds, kind].map((each) => ({ value: each, label: kindNames[each] }))}
      />
    </Field>
  );
  return <RestApiForm kindField={kindField} />;
}
