"use client";
import { useState } from "react";
import { kindLabels } from "@/server/data-sources/dialects/dialects.ts";
import { type DataSource, isDatabaseKind, type Kind, kinds } from "@/server/data-sources/schema.ts";
import { Field } from "../ui/field.tsx";
import { Select } from "../ui/select.tsx";
import { DataSourceForm } from "./data-source-form.tsx";
import { RestApiForm } from "./rest-api-form.tsx";

/** Connects a data source: a database, or a REST API, which has its own form. */
export function ConnectForm({
  onlyDatabases = false,
  onConnected,
}: {
  onlyDatabases?: boolean;
  /** What follows, where the form is part of another page. */
  onConnected?: (source: DataSource) => void;
}) {
  const [kind, setKind] = useState<Kind>("PostgreSql");
  const follow = onConnected && { onConnected };
  if (isDatabaseKind(kind))
    return (
      <DataSourceForm
        initialKind={kind}
        {...(!onlyDatabases && { onRestApi: () => setKind("RestApi") })}
        {...follow}
      />
    );
  const kindField = (
    <Field label="Kind">
      <Select
        value={kind}
        onValueChange={(value) => setKind(kinds.find((each) => each === value) ?? kind)}
        options={kinds.map((each) => ({ value: each, label: kindLabels[each] }))}
      />
    </Field>
  );
  return <RestApiForm kindField={kindField} {...follow} />;
}
