import type { FieldErrors, UseFormRegister } from "react-hook-form";
import { Field } from "../ui/field.tsx";
import { Input } from "../ui/input.tsx";
import { PasswordInput } from "../ui/password-input.tsx";
import { Textarea } from "../ui/textarea.tsx";
import { CaCertificateField } from "./ca-certificate-field.tsx";
import type { FilesFields } from "./files-connection.ts";
import { headersIn } from "./header-lines.ts";

/** Where files are, for each kind of place, with what it takes to read them. */

type Props = {
  register: UseFormRegister<{ connection: FilesFields }>;
  errors: FieldErrors<FilesFields> | undefined;
};
type WithSecret = Props & {
  /** A secret is stored and can stay as it is. */
  keepsSecret: boolean;
  /** Why it has to be entered again. */
  whyAgain: string | null;
};

const required = { required: "is required" };

export function FolderFields({
  register,
  errors,
  allowed,
}: Props & { allowed: readonly string[] | undefined }) {
  return (
    <Field label="Folder" hint={folderHint(allowed)} error={errors?.folder}>
      <Input mono spellCheck={false} {...register("connection.folder", required)} />
    </Field>
  );
}

/** Which folders there can be; undefined while that is loading. */
function folderHint(folders: readonly string[] | undefined): string {
  if (folders === undefined) return "On the server that Plumbline runs on";
  return folders.length === 0
    ? "An operator must first allow a folder on the server, with the setting FILES_ALLOW"
    : `On the server, in ${folders.join(" or ")}`;
}

export function S3Fields({
  register,
  errors,
  keepsSecret,
  whyAgain,
  references,
  isVerified,
}: WithSecret & {
  /** Where the stored secret access key is kept, and the session token. */
  references: readonly string[];
  /** Whether its own endpoint shows a certificate. */
  isVerified: boolean;
}) {
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Bucket" error={errors?.bucket}>
          <Input mono spellCheck={false} {...register("connection.bucket", required)} />
        </Field>
        <Field label="Prefix" optional hint="The folder in it, such as exports/shop" error={errors?.prefix}>
          <Input mono spellCheck={false} {...register("connection.prefix")} />
        </Field>
        <Field label="Region" hint="Such as eu-central-1" error={errors?.region}>
          <Input mono spellCheck={false} {...register("connection.region", required)} />
        </Field>
        <Field
          label="Endpoint"
          optional
          hint="For storage other than Amazon's, such as https://minio.example.com:9000"
          error={errors?.endpoint}
        >
          <Input mono spellCheck={false} {...register("connection.endpoint")} />
        </Field>
        <Field label="Access key ID" optional hint="Empty for a public bucket" error={errors?.accessKeyId}>
          <Input mono spellCheck={false} autoComplete="off" {...register("connection.accessKeyId")} />
        </Field>
        <Field
          label="Secret access key"
          optional={keepsSecret}
          hint={
            keepsSecret
              ? "A secret access key is stored; leave empty to keep it"
              : whyAgain
                ? `Required when ${whyAgain}`
                : "Stored encrypted, never shown again. Or where it is kept, such as {{vault:kv/s3#secret}}"
          }
          error={errors?.secretAccessKey}
        >
          <PasswordInput
            autoComplete="new-password"
            placeholder={keepsSecret ? "••••••••••" : undefined}
            initiallyShown={references.length > 0}
            {...register("connection.secretAccessKey")}
          />
        </Field>
        <Field
          label="Session token"
          optional
          hint={
            keepsSecret
              ? "Of a temporary access key: enter it with its secret access key"
              : "Of a temporary access key, which ends with it. Stored like the secret access key"
          }
          error={errors?.sessionToken}
          className="sm:col-span-2"
        >
          <PasswordInput
            autoComplete="new-password"
            initiallyShown={references.length > 1}
            {...register("connection.sessionToken")}
          />
        </Field>
      </div>
      {isVerified && (
        <CaCertificateField {...register("connection.caCertificate")} error={errors?.caCertificate} />
      )}
    </>
  );
}

export function HttpsFields({ register, errors, keepsSecret, whyAgain }: WithSecret) {
  return (
    <>
      <Field
        label="Addresses"
        hint="One per line, each of one file, such as https://example.com/exports/orders.csv; visible to everyone who can see the data source"
        error={errors?.addresses}
      >
        <Textarea mono spellCheck={false} {...register("connection.addresses", required)} />
      </Field>
      <Field
        label="Secret headers"
        optional={whyAgain === null}
        hint={
          keepsSecret
            ? "Secret headers are stored; leave empty to keep them"
            : whyAgain
              ? `Required when ${whyAgain}`
              : "One Name: value per line, such as Authorization: stored encrypted, never shown again. Not sent where a redirect leads to another server"
        }
        error={errors?.secretHeaders}
      >
        <Textarea
          mono
          spellCheck={false}
          autoComplete="off"
          {...register("connection.secretHeaders", {
            validate: (lines: string) =>
              headersIn(lines) !== null || "must be one Name: value per line, with no name twice",
          })}
        />
      </Field>
      <CaCertificateField {...register("connection.caCertificate")} error={errors?.caCertificate} />
    </>
  );
}
