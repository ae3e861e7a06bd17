import { nameAsMeant, snowflake } from "@/server/data-sources/dialects/snowflake.ts";
import { CodeBlock } from "../ui/code.tsx";
import type { SnowflakeFields } from "./snowflake-connection.ts";

type RoleFields = Pick<SnowflakeFields, "user" | "database" | "schema" | "warehouse" | "role">;

/** Why the role should be read-only, and SQL to create one. */
export function SnowflakeRoleAdvice({ fields }: { fields: RoleFields }) {
  return (
    <div className="flex flex-col gap-2">
      <h2 className="text-sm font-medium">Use a role that can only read</h2>
      <p className="text-ink-2">
        Plumbline only reads, and refuses SQL that would write. Snowflake has no read-only sessions, so only
        the role guarantees it. As SECURITYADMIN, run this once for each schema to be watched:
      </p>
      <CodeBlock label="SQL for a role that can only read">{readOnlyRole(fields)}</CodeBlock>
    </div>
  );
}

function readOnlyRole(fields: RoleFields): string {
  const named = (text: string, otherwise: string) => {
    const name = nameAsMeant(text.trim() || otherwise);
    return /^[A-Z_][A-Z0-9_$]*$/.test(name) ? name : snowflake.quote(name);
  };
  const database = named(fields.database, "YOUR_DATABASE");
  const schema = `${database}.${named(fields.schema, "PUBLIC")}`;
  const role = named(fields.role, "PLUMBLINE");
  const warehouse = named(fields.warehouse, "YOUR_WAREHOUSE");
  return `create role if not exists ${role};
grant usage on warehouse ${warehouse} to role ${role};
grant usage on database ${database} to role ${role};
grant usage on schema ${schema} to role ${role};
grant select on all tables in schema ${schema} to role ${role};
grant select on future tables in schema ${schema} to role ${role};
grant select on all views in schema ${schema} to role ${role};
grant role ${role} to user ${named(fields.user, "YOUR_USER")};`;
}
