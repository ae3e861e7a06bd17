"use client";
import { KeyRound, Plug, Plus } from "lucide-react";
import { useState } from "react";
import { useMay } from "../auth/use-me.ts";
import { useProject } from "../projects/use-project.ts";
import { Button, ButtonLink } from "../ui/button.tsx";
import { cn } from "../ui/class-names.ts";
import { Empty } from "../ui/empty.tsx";
import { PageHeader } from "../ui/page-header.tsx";
import { SearchInput } from "../ui/search-input.tsx";
import { Select } from "../ui/select.tsx";
import { Table, Th, Thead } from "../ui/table.tsx";
import { useRowKeys } from "../ui/use-row-keys.ts";
import { useSort } from "../ui/use-sort.ts";
import { ApiKeyRow } from "./api-key-row.tsx";
import { activeKeysMadeWith, makerName } from "./key-line.ts";
import { keyStateOf, keyStates } from "./key-state.ts";
import { NewKeyDialog } from "./new-key-dialog.tsx";
import { RevokeKey } from "./revoke-key.tsx";
import { type ApiKey, useApiKeys } from "./use-api-keys.ts";

export function ApiKeysTable() {
  const { items, found, filters, setFilters, seesEverybody, projectNames, me } = useApiKeys();
  const mayCreate = useMay("own-keys:manage");
  const { href } = useProject();
  const [creates, setCreates] = useState(false);
  const [revoked, setRevoked] = useState<ApiKey | null>(null);
  const sort = useSort(
    {
      name: (key: ApiKey) => key.name,
      status: (key) => keyStates.indexOf(keyStateOf(key)),
      used: (key) => key.lastUsedAt,
      expires: (key) => key.expiresAt,
      created: (key) => key.createdAt,
      whose: (key) => key.user.name,
    },
    "-created",
    ["used", "created"],
  );
  const rows = sort.rows(found);
  const keys = useRowKeys({ count: rows.length });
  const createButton = mayCreate && (
    <Button variant="primary" icon={Plus} onClick={() => setCreates(true)}>
      New API key
    </Button>
  );

  return (
    <>
      <PageHeader
        title="API keys"
        count={
          items.length === 0
            ? undefined
            : found.length === items.length
              ? items.length
              : `${found.length} of ${items.length}`
        }
        filters={
          items.length > 0 && (
            <>
              {seesEverybody && (
                <Select
                  aria-label="Whose"
                  className={cn("w-[calc(50%-0.25rem)] sm:w-36")}
                  value={filters.whose ?? "all"}
                  onValueChange={(whose) => void setFilters({ whose: whose === "all" ? null : whose })}
                  options={[
                    { value: "all", label: "Everybody’s" },
                    { value: "mine", label: "Mine" },
                  ]}
                />
              )}
              <Select
                aria-label="Status"
                className="w-[calc(50%-0.25rem)] sm:w-36"
                value={filters.status ?? "all"}
                onValueChange={(status) => void setFilters({ status: status === "all" ? null : status })}
                options={[
                  { value: "all", label: "Any status" },
                  ...keyStates.map((state) => ({ value: state, label: state })),
                ]}
              />
              <SearchInput
                label="Search keys"
                value={filters.q}
                onValueChange={(q) => void setFilters({ q: q || null })}
              />
            </>
          )
        }
        actions={
          <>
            <ButtonLink href={href("/connect")} icon={Plug}>
              Connect an assistant
            </ButtonLink>
            {items.length > 0 && createButton}
          </>
        }
      />
      {items.length === 0 ? (
        <Empty icon={KeyRound} title="No API key yet" action={createButton}>
          A key lets a program in: a pipeline, a dashboard, a script. It does what its scopes say and never
          more than the person who made it, it can be limited to projects, and it ends when it expires or is
          revoked.
        </Empty>
      ) : rows.length === 0 ? (
        <Empty
          title="No key matches"
          action={
            <Button onClick={() => void setFilters({ q: null, status: null, whose: null })}>
              Show all {items.length}
            </Button>
          }
        >
          None has all of what the filters ask for.
        </Empty>
      ) : (
        <Table label="API keys">
          <Thead>
            <tr>
              <Th sort={sort.of("name")}>Name</Th>
              <Th className="hidden lg:table-cell">Key</Th>
              <Th className="hidden sm:table-cell">Scopes</Th>
              <Th className="hidden lg:table-cell">Projects</Th>
              <Th sort={sort.of("status")}>Status</Th>
              <Th sort={sort.of("used")} className="hidden sm:table-cell">
                Last used
              </Th>
              <Th sort={sort.of("expires")} className="hidden md:table-cell">
                Expires
              </Th>
              <Th sort={sort.of("created")} className="hidden xl:table-cell">
                Created
              </Th>
              {seesEverybody && (
                <Th sort={sort.of("whose")} className="hidden md:table-cell">
                  Whose
                </Th>
              )}
              <Th>
                <span className="sr-only">Actions</span>
              </Th>
            </tr>
          </Thead>
          <tbody>
            {rows.map((key, index) => (
              <ApiKeyRow
                key={key.id}
                apiKey={key}
                isOwn={key.user.id === me.id}
                showsWhose={seesEverybody}
                projectNames={projectNames(key)}
                madeBy={makerName(items, key)}
                onRevoke={() => setRevoked(key)}
                {...keys.row(index)}
              />
            ))}
          </tbody>
        </Table>
      )}
      {creates && <NewKeyDialog onClose={() => setCreates(false)} />}
      {revoked && (
        <RevokeKey
          apiKey={revoked}
          made={activeKeysMadeWith(items, revoked.id)}
          onClose={() => setRevoked(null)}
        />
      )}
    </>
  );
}
