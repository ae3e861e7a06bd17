const identifier = (name: string) => `"${name.replaceAll('"', '""')}"`;

/** The statements that make a PostgreSQL login which can read one schema of one database, and nothing more. */
export function readOnlyRole({ user, database }: { user: string; database: string }): string {
  const role = identifier(user || "plumbline");
  return [
    `create role ${role} login password 'a password of your own';`,
    `grant connect on database ${identifier(database || "your_database")} to ${role};`,
    `grant usage on schema public to ${role};`,
    `grant select on all tables in schema public to ${role};`,
    `alter default privileges in schema public grant select on tables to ${role};`,
  ].join("\n");
}
