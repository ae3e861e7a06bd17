import { type Control, Controller } from "react-hook-form";
import type { DatabaseConnection } from "@/server/data-sources/connections/database-server.ts";
import { Checkbox } from "../ui/checkbox.tsx";
import { Field, type FieldProblem } from "../ui/field.tsx";
import { Input } from "../ui/input.tsx";
import { Select } from "../ui/select.tsx";

/** What only SQL Server has, as its form has it. */
export type SqlServerValues = {
  domain: string;
  entraTenant: string;
  managedIdentity: boolean;
  readOnlyIntent: boolean;
  strictEncryption: boolean;
};

type Options = NonNullable<DatabaseConnection["sqlServer"]>;

export const sqlServerValues = (options: Options = {}): SqlServerValues => ({
  domain: options.domain ?? "",
  entraTenant: options.entraTenant ?? "",
  managedIdentity: options.managedIdentity ?? false,
  readOnlyIntent: options.readOnlyIntent ?? false,
  strictEncryption: options.strictEncryption ?? false,
});

/** Only what was chosen; undefined if nothing was. */
export function sqlServerOptions(values: SqlServerValues, isVerified: boolean): Options | undefined {
  const options: Options = {
    ...signInOptions(values),
    ...(values.readOnlyIntent && { readOnlyIntent: true }),
    ...(isVerified && values.strictEncryption && { strictEncryption: true }),
  };
  return Object.keys(options).length === 0 ? undefined : options;
}

/** Who signs in, if it is no login of the server. Changing it takes the password again. */
export function signInOptions({ domain, entraTenant, managedIdentity }: SqlServerValues): Options {
  if (managedIdentity) return { managedIdentity };
  const [windows, entra] = [domain.trim(), entraTenant.trim()];
  return { ...(windows !== "" && { domain: windows }), ...(entra !== "" && { entraTenant: entra }) };
}

const signIns = [
  {
    name: "domain",
    label: "Windows domain",
    hint: "Signs in by NTLM with a Windows account; empty for a login of the server",
  },
  {
    name: "entraTenant",
    label: "Microsoft Entra tenant",
    hint: "Signs in as an application: its client ID is the user, a client secret the password",
  },
] as const;

type SignInErrors = { domain?: FieldProblem; entraTenant?: FieldProblem; managedIdentity?: FieldProblem };

const credentials = [
  { value: "password", label: "A password" },
  { value: "identity", label: "This machine's managed identity" },
] as const;

/** What proves who signs in; the fields of the other way are not shown. */
export function CredentialField({
  control,
  errors,
}: {
  control: Control<{ connection: { sqlServer: SqlServerValues } }>;
  errors: SignInErrors | undefined;
}) {
  return (
    <Controller
      control={control}
      name="connection.sqlServer.managedIdentity"
      render={({ field }) => (
        <Field
          label="Signs in with"
          hint={
            field.value
              ? "An operator must list the server in MANAGED_IDENTITY_SERVERS"
              : "A managed identity of Azure needs no password"
          }
          error={errors?.managedIdentity}
          className="sm:col-span-2"
        >
          <Select
            value={field.value ? "identity" : "password"}
            onValueChange={(value) => field.onChange(value === "identity")}
            options={[...credentials]}
          />
        </Field>
      )}
    />
  );
}

export function SignInFields({
  control,
  errors,
}: {
  control: Control<{ connection: { sqlServer: SqlServerValues } }>;
  errors: SignInErrors | undefined;
}) {
  return signIns.map(({ name, label, hint }) => (
    <Controller
      key={name}
      control={control}
      name={`connection.sqlServer.${name}`}
      render={({ field }) => (
        <Field label={label} optional hint={hint} error={errors?.[name]}>
          <Input mono spellCheck={false} {...field} />
        </Field>
      )}
    />
  ));
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
