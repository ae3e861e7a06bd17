import { createHmac } from "node:crypto";
import postgres from "postgres";

/**
 * The role with which the service works on the embedded database: it reads and writes rows of its own tables, and can
 * neither change tables nor administer the server. Only migrations, the demo's setup, and commands of the operator use the
 * superuser.
 */
export const serviceRole = "plumbline_service";

/** Derived, so that there is no other secret to store: it does not lead back to the superuser's password. */
const passwordFrom = (superuserPassword: string) =>
  createHmac("sha256", superuserPassword).update("plumbline service role").digest("base64url");

/** The same database's URL with this role. */
export function serviceUrl(ownerUrl: string): string {
  const url = new URL(ownerUrl);
  url.password = passwordFrom(decodeURIComponent(url.password));
  url.username = serviceRole;
  return url.href;
}

/**
 * Creates the role if it is missing, and gives it rights on the tables as they are now, after a migration. Keeps other logins
 * of the server, such as the demo's, from connecting to the service's databases at all.
 */
export async function provideServiceRole(ownerUrl: string): Promise<void> {
  const connection = postgres(ownerUrl, { max: 1, onnotice: () => {} });
  const { pathname, password } = new URL(ownerUrl);
  const database = decodeURIComponent(pathname.slice(1));
  try {
    await connection.begin(async (tx) => {
      const [found] = await tx`select from pg_roles where rolname = ${serviceRole}`;
      const attributes = "login nosuperuser nocreatedb nocreaterole noreplication nobypassrls";
      // A password in base64url contains no quotes; role commands don't accept parameters.
      await tx.unsafe(
        `${found ? "alter" : "create"} role ${serviceRole} ${attributes} password '${passwordFrom(decodeURIComponent(password))}'`,
      );
      await tx`revoke all on database ${tx(database)} from public`;
      await tx`revoke connect on database postgres from public`;
      await tx`revoke connect on database template1 from public`;
      await tx
        .unsafe(`
        grant connect, temporary on database "${database}" to ${serviceRole};
        grant usage on schema public, drizzle to ${serviceRole};
        grant select, insert, update, delete on all tables in schema public to ${serviceRole};
        grant usage, select on all sequences in schema public to ${serviceRole};
        grant select on all tables in schema drizzle to ${serviceRole};
        grant execute on function remove_old_audit_entries(interval, integer) to ${serviceRole};
        revoke delete on audit_log from ${serviceRole}`)
        .simple();
    });
  } finally {
    await connection.end();
  }
}
