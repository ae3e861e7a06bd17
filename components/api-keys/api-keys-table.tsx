"use client";
import { useState } from "react";
import { KeyRound, Plug, Plus } from "@/components/ui/icons.tsx";
import { keyStates } from "@/server/api-keys/state.ts";
import { useMay } from "../auth/use-me.ts";
import { useProject } from "../projects/use-project.ts";
import { trpc } from "../trpc/client.tsx";
import { Button, ButtonLink } from "../ui/button.tsx";
import { FilterSelect } from "../ui/filter-select.tsx";
import { actionsColumn, type Columns } from "../ui/list.tsx";
import { ListPage } from "../ui/list-page.tsx";
import { SearchInput } from "../ui/search-input.tsx";
import { ApiKeyRow } from "./api-key-row.tsx";
import { NewKeyDialog } from "./new-key-dialog.tsx";
import { RevokeKey } from "./revoke-key.tsx";
import { RotateKeyDialog } from "./rotate-key-dialog.tsx";
import { type ApiKey, useApiKeys } from "./use-api-keys.ts";

export function ApiKeysTable() {
  const { list, page, seesEverybody, projectNames, me } = useApiKeys();
  const mayCreate = useMay("own-keys:manage");
  const { href } = useProject();
  const [creates, setCreates] = useState(false);
  const [rotated, setRotated] = useState<ApiKey | null>(null);
  const [revoked, setRevoked] = useState<ApiKey | null>(null);
  const createButton = mayCreate && (
    <Button variant="primary" icon={Plus} onClick={() => setCreates(true)}>
      New API key
    </Button>
  );

  const columns: Columns = [
    { title: "Name", sort: list.sortBy("name") },
    { title: "Key", from: "lg" },
    { title: "Scopes", from: "sm" },
    { title: "Projects", from: "lg" },
    { title: "Status", sort: list.sortBy("status") },
    { title: "Last used", from: "sm", sort: list.sortBy("lastUsed", "desc") },
    { title: "Expires", from: "md", sort: list.sortBy("expires") },
    { title: "Created", from: "xl", sort: list.sortBy("created", "desc") },
    seesEverybody && { title: "Owner", from: "md", sort: list.sortBy("owner") },
    actionsColumn(),
  ];

  return (
    <>
      <ListPage
        title="API keys"
        things="API keys"
        columns={columns}
        rows={page.items}
        page={page}
        list={list}
        keyOf={({ id }) => id}
        filters={<ApiKeyFilters list={list} seesEverybody={seesEverybody} />}
        actions={
          <>
            <ButtonLink href={href("/connect")} icon={Plug}>
              Connect an assistant
            </ButtonLink>
            {(page.totalCount > 0 || list.isFiltered) && createButton}
          </>
        }
        empty={{
          icon: KeyRound,
          title: "No API keys yet",
          action: createButton,
          children:
            "API keys are for programs: a pipeline, a dashboard, a script. A key can do what its scopes allow and never more than its owner. It can be limited to projects, and it works until it expires or is revoked.",
        }}
      >
        {(key, row) => (
          <ApiKeyRow
            apiKey={key}
            isOwn={key.user.id === me.id}
            maySeeNew={key.user.id === me.id || (seesEverybody && key.ownerKind === "ServiceAccount")}
            showsWhose={seesEverybody}
            projectNames={projectNames(key)}
            onRotate={() => setRotated(key)}
            onRevoke={() => setRevoked(key)}
            {...row}
          />
        )}
      </ListPage>
      {creates && <NewKeyDialog onClose={() => setCreates(false)} />}
      {rotated && <RotateKeyDialog apiKey={rotated} onClose={() => setRotated(null)} />}
      {revoked && <RevokeKey apiKey={revoked} onClose={() => setRevoked(null)} />}
    </>
  );
}

function ApiKeyFilters({
  list: { filters, set },
  seesEverybody,
}: Pick<ReturnType<typeof useApiKeys>, "list" | "seesEverybody">) {
  const owners = trpc.serviceAccounts.list.useQuery(undefined, { enabled: seesEverybody }).data?.items ?? [];
  return (
    <>
      {seesEverybody && (
        <FilterSelect
          label="Owner"
          any="Anyone’s"
          className="sm:w-36"
          value={filters.whose}
          onChange={(whose) => set({ whose })}
          options={[
            { value: "mine", label: "Mine" },
            ...owners.map(({ id, name }) => ({ value: String(id), label: name })),
          ]}
        />
      )}
      <FilterSelect
        label="Status"
        any="Any status"
        className="sm:w-36"
        value={filters.status}
        onChange={(status) => set({ status })}
        options={keyStates.map((state) => ({ value: state, label: state }))}
      />
      <SearchInput label="Search keys" value={filters.q} onValueChange={(q) => set({ q })} />
    </>
  );
}
