"use client";
import { useState } from "react";
import { kindLabels } from "@/server/data-sources/dialects/dialects.ts";
import { databaseKinds, isServerKind, type Kind, kinds } from "@/server/data-sources/kinds.ts";
import type { DataSource } from "@/server/data-sources/schema.ts";
import { Field } from "../ui/field.tsx";
import { Select } from "../ui/select.tsx";
import { BigQueryForm } from "./bigquery-form.tsx";
import { DataSourceForm } from "./data-source-form.tsx";
import { FilesForm } from "./files-form.tsx";
import { RestApiForm } from "./rest-api-form.tsx";
import { SnowflakeForm } from "./snowflake-form.tsx";

/** What is not behind a server has a form of its own. */
const forms = { BigQuery: BigQueryForm, Snowflake: SnowflakeForm, Files: FilesForm, RestApi: RestApiForm };

/** Connects a data source of any kind. */
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
  if (isServerKind(kind))
    return (
      <DataSourceForm initialKind={kind} onOtherKind={setKind} onlyDatabases={onlyDatabases} {...follow} />
    );
  const offered: readonly Kind[] = onlyDatabases ? databaseKinds : kinds;
  const kindField = (
    <Field label="Kind">
      <Select
        value={kind}
        onValueChange={(value) => setKind(offered.find((each) => each === value) ?? kind)}
        options={offered.map((each) => ({ value: each, label: kindLabels[each] }))}
      />
    </Field>
  );
  const Form = forms[kind];
  return <Form kindField={kindField} {...follow} />;
}
