import type { Kind } from "@/server/data-sources/schema.ts";

type Login = { kind: Kind; user: string; database: string };

/** The statements that make a login which can read one schema of one database, and nothing more. */
export function readOnlyRole({ kind, ...names }: Login): string {
  const login = { user: names.user || "plumbline", database: names.database || "your_database" };
  if (kind === "SqlServer") return sqlServerUser(login).join("\n");
  return (kind === "MySql" ? mysqlUser(login) : postgresRole(login)).join("\n");
}

function postgresRole({ user, database }: Omit<Login, "kind">): string[] {
  const identifier = (name: string) => `"${name.replaceAll('"', '""')}"`;
  const role = identifier(user);
  return [
    `create role ${role} login password 'a password of your own';`,
    `grant connect on database ${identifier(database)} to ${role};`,
    `grant usage on schema public to ${role};`,
    `grant select on all tables in schema public to ${role};`,
    `alter default privileges in schema public grant select on tables to ${role};`,
  ];
}

function mysqlUser({ user, database }: Omit<Login, "kind">): string[] {
  const identifier = (name: string) => `\`${name.replaceAll("`", "``")}\``;
  const account = `${identifier(user)}@'%'`;
  // In a grant, _ and % stand for other characters unless they are escaped.
  const pattern = identifier(database.replace(/[_%]/g, "\\$&"));
  return [
    `create user ${account} identified by 'a password of your own';`,
    `grant select, show view on ${pattern}.* to ${account};`,
  ];
}

function sqlServerUser({ user, database }: Omit<Login, "kind">): string[] {
  const identifier = (name: string) => `[${name.replaceAll("]", "]]")}]`;
  const login = identifier(user);
  return [
    `create login ${login} with password = 'a password of your own';`,
    `use ${identifier(database)};`,
    `create user ${login} for login ${login};`,
    `grant select on schema::dbo to ${login};`,
  ];
}
