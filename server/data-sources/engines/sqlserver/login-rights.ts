/** Rights on a table, view, procedure, or schema that allow a change, including through a procedure. */
const writing = "(N'INSERT', N'UPDATE', N'DELETE', N'ALTER', N'CONTROL', N'TAKE OWNERSHIP', N'EXECUTE')";

/**
 * Whether the login could change anything in its database or on the server, judged by its rights without trying: one
 * row with one number, 1 or 0. On the server and the database, a right that is not known to be harmless counts as write
 * access; fixed roles show up as the rights they include.
 */
export const canWriteQuery = `
select case
  when is_srvrolemember(N'sysadmin') = 1 or is_member(N'db_owner') = 1 then 1
  when exists (
    select 1 from sys.fn_my_permissions(null, N'SERVER') as p
    where p.permission_name not in (N'CONNECT SQL', N'CONNECT ANY DATABASE', N'SELECT ALL USER SECURABLES')
      and p.permission_name not like N'VIEW %') then 1
  when exists (
    select 1 from sys.fn_my_permissions(null, N'DATABASE') as p
    where p.permission_name not in (N'CONNECT', N'CONNECT REPLICATION', N'SELECT', N'REFERENCES', N'SHOWPLAN',
        N'UNMASK', N'SUBSCRIBE QUERY NOTIFICATIONS')
      and p.permission_name not like N'VIEW %') then 1
  when exists (
    select 1 from sys.schemas as s
    cross apply sys.fn_my_permissions(quotename(s.name), N'SCHEMA') as p
    where s.name not in (N'sys', N'INFORMATION_SCHEMA') and p.permission_name in ${writing}) then 1
  when exists (
    select 1 from sys.objects as o
    join sys.schemas as s on s.schema_id = o.schema_id
    cross apply sys.fn_my_permissions(quotename(s.name) + N'.' + quotename(o.name), N'OBJECT') as p
    where o.type in ('U', 'V', 'P', 'PC') and o.is_ms_shipped = 0 and p.permission_name in ${writing}) then 1
  else 0 end`;

/** The server's version, and the number of its edition: 5 is Azure SQL Database. */
export const versionQuery = `
select cast(serverproperty(N'ProductVersion') as nvarchar(128)), cast(serverproperty(N'EngineEdition') as int)`;

const years: Record<string, string> = {
  "11": "2012",
  "12": "2014",
  "13": "2016",
  "14": "2017",
  "15": "2019",
  "16": "2022",
  "17": "2025",
};

/**
 * `16.0.4135.4` is "SQL Server 2022 (16.0.4135.4)".
 */
export function versionName(version: string, engineEdition: number): string {
  if (engineEdition === 5) return `Azure SQL Database (${version})`;
  const year = years[version.split(".")[0] ?? ""];
  return year ? `SQL Server ${year} (${version})` : `SQL Server ${version}`;
}

/** Our SQL needs DATEDIFF_BIG, which came with 2016. Azure's database numbers its versions differently, and has it. */
export function isOlderThan2016(version: string, engineEdition: number): boolean {
  return engineEdition !== 5 && Number(version.split(".")[0]) < 13;
}
