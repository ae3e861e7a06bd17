import { type Control, Controller } from "react-hook-form";
import type { DatabaseConnection } from "@/server/data-sources/schema.ts";
import { Checkbox } from "../ui/checkbox.tsx";
import { Field, type FieldProblem } from "../ui/field.tsx";
import { Input } from "../ui/input.tsx";

/** What only SQL Server has, as its form has it. */
export type SqlServerValues = { domain: string; readOnlyIntent: boolean; strictEncryption: boolean };

type Options = NonNullable<DatabaseConnection["sqlServer"]>;

export const sqlServerValues = (options: Options = {}): SqlServerValues => ({
  domain: options.domain ?? "",
  readOnlyIntent: options.readOnlyIntent ?? false,
  strictEncryption: options.strictEncryption ?? false,
});

/** Only what was chosen; undefined if nothing was. */
export function sqlServerOptions(values: SqlServerValues, isVerified: boolean): Options | undefined {
  const domain = values.domain.trim();
  const options: Options = {
    ...(domain !== "" && { domain }),
    ...(values.readOnlyIntent && { readOnlyIntent: true }),
    ...(isVerified && values.strictEncryption && { strictEncryption: true }),
  };
  return Object.keys(options).length === 0 ? undefined : options;
}

export function DomainField({
  control,
  error,
}: {
  control: Control<{ connection: { sqlServer: SqlServerValues } }>;
  error: FieldProblem;
}) {
  return (
    <Controller
      control={control}
      name="connection.sqlServer.domain"
      render={({ field }) => (
        <Field
          label="Windows domain"
          optional
          hint="Signs in by NTLM with a Windows account; empty for a login of the server"
          error={error}
        >
          <Input mono spellCheck={false} {...field} />
        </Field>
      )}
    />
  );
}

export function SqlServerChecks({
  control,
  isVerified,
}: {
  control: Control<{ connection: { sqlServer: SqlServerValues } }>;
  /** Strict encryption is for a certificate that is verified. */
  isVerified: boolean;
}) {
  return (
    <>
      {isVerified && (
        <Controller
          control={control}
          name="connection.sqlServer.strictEncryption"
          render={({ field }) => (
            <Checkbox
              checked={field.value}
              onCheckedChange={field.onChange}
              label="Strict encryption (TDS 8.0)"
              hint="TLS from the first byte on; for SQL Server 2022 and newer, and Azure SQL"
            />
          )}
        />
      )}
      <Controller
        control={control}
        name="connection.sqlServer.readOnlyIntent"
        render={({ field }) => (
          <Checkbox
            checked={field.value}
            onCheckedChange={field.onChange}
            label="Read from a secondary (ApplicationIntent=ReadOnly)"
            hint="An availability group then leads to a readable replica"
          />
        )}
      />
    </>
  );
}
