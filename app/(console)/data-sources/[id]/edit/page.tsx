import type { Metadata } from "next";
import { BigQueryForm } from "@/components/data-sources/bigquery-form.tsx";
import { DataSourceForm } from "@/components/data-sources/data-source-form.tsx";
import { FilesForm } from "@/components/data-sources/files-form.tsx";
import { RestApiForm } from "@/components/data-sources/rest-api-form.tsx";
import { SnowflakeForm } from "@/components/data-sources/snowflake-form.tsx";
import { FormPage } from "@/components/shell/form-page.tsx";
import { UnlessManaged } from "@/components/stacks/managed-notice.tsx";
import { api, orNotFound } from "@/components/trpc/server.tsx";
import { isBigQuery, isFiles, isRest, isSnowflake } from "@/server/data-sources/kinds.ts";

type Props = { params: Promise<{ id: string }> };

const load = async (params: Props["params"]) => {
  const id = Number((await params).id);
  return orNotFound(() => api.dataSources.get({ id }));
};

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: `Edit ${(await load(params)).name}` };
}

export default async function EditDataSourcePage({ params }: Props) {
  const source = await load(params);
  const { connection } = source;
  return (
    <FormPage
      title={`Edit ${source.name}`}
      parent={{ href: `/data-sources/${source.id}`, label: source.name }}
      permission="data-sources:manage"
      projectId={source.projectId}
    >
      <UnlessManaged kind="DataSource" id={source.id}>
        {isRest(connection) ? (
          <RestApiForm source={{ ...source, connection }} />
        ) : isBigQuery(connection) ? (
          <BigQueryForm source={{ ...source, connection }} />
        ) : isFiles(connection) ? (
          <FilesForm source={{ ...source, connection }} />
        ) : isSnowflake(connection) ? (
          <SnowflakeForm source={{ ...source, connection }} />
        ) : (
          <DataSourceForm source={{ ...source, connection }} />
        )}
      </UnlessManaged>
    </FormPage>
  );
}
