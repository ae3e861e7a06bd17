"use client";
import { useMay } from "@/components/auth/use-me.ts";
import { useProject, useProjectInput, useProjects } from "@/components/projects/use-project.ts";
import { trpc } from "@/components/trpc/client.tsx";
import { Badge } from "@/components/ui/badge.tsx";
import { ButtonLink } from "@/components/ui/button.tsx";
import { plural } from "@/components/ui/format.ts";
import { Copy, Plus } from "@/components/ui/icons.tsx";
import { Link } from "@/components/ui/link.tsx";
import type { Columns } from "@/components/ui/list.tsx";
import { ListPage } from "@/components/ui/list-page.tsx";
import { SearchInput } from "@/components/ui/search-input.tsx";
import { Status } from "@/components/ui/status.tsx";
import { Td, Tr } from "@/components/ui/table.tsx";
import { useListFilters } from "@/components/ui/use-list-filters.ts";
import { ruleSentence } from "@/server/data-quality/rules/rule-sentence.ts";
import type { RuleTemplate } from "@/server/data-quality/templates/schema.ts";
import { templateParameters, templatesInput } from "./template-list-input.ts";
import { selectorWords } from "./template-words.ts";

/** The rule templates of the selected project. */
export function TemplateList() {
  const { project, href } = useProject();
  const { nameOf } = useProjects();
  const mayWrite = useMay("contracts:configure");
  const inProject = useProjectInput();
  const list = useListFilters(templateParameters, (filters) => templatesInput(inProject, filters));
  const [page] = trpc.dataQuality.templatesPage.useSuspenseQuery(list.input, {
    refetchInterval: ({ state }) => (state.data?.isApplied ? 30_000 : 2_000),
  });
  const hrefOf = ({ id }: RuleTemplate) => href(`/data-quality/templates/${id}`);
  const write = mayWrite && (
    <ButtonLink href={href("/data-quality/templates/new")} variant="primary" icon={Plus}>
      New template
    </ButtonLink>
  );
  const columns: Columns = [
    { title: "Template", sort: list.sortBy("name") },
    project === null && { title: "Project", from: "lg" },
    { title: "For", from: "md" },
    { title: "Rules in contracts" },
    { title: "State" },
  ];
  return (
    <ListPage
      title="Rule templates"
      things="templates"
      parent={{ href: href("/data-quality"), label: "Data quality" }}
      columns={columns}
      rows={page.items}
      page={page}
      list={list}
      keyOf={({ id }) => id}
      hrefOf={hrefOf}
      filters={
        <SearchInput value={list.filters.q} onValueChange={(q) => list.set({ q })} label="Search templates" />
      }
      actions={(page.totalCount > 0 || list.isFiltered) && write}
      empty={{
        icon: Copy,
        title: "No rule templates yet",
        action: write,
        children:
          "A template gives many tables the same rule: the contracts of all tables and columns whose names match, also of those that come later.",
      }}
    >
      {(template, row) => (
        <Tr {...row}>
          <Td className="w-full max-w-0 md:w-auto md:max-w-80 md:min-w-48">
            <Link
              href={hrefOf(template)}
              className="block truncate font-medium hover:underline"
              title={template.name}
            >
              {template.name}
            </Link>
            <span className="block truncate text-xs text-ink-3">{ruleWords(template)}</span>
          </Td>
          {project === null && (
            <Td className="hidden whitespace-nowrap text-ink-2 lg:table-cell">
              {nameOf(template.projectId)}
            </Td>
          )}
          <Td className="hidden max-w-80 text-ink-2 md:table-cell">
            <span className="block truncate" title={selectorWords(template)}>
              {selectorWords(template)}
            </span>
          </Td>
          <Td className="whitespace-nowrap tabular-nums">
            {plural(template.ruleCount, "rule")}{" "}
            <span className="text-ink-3 max-sm:hidden">in {plural(template.contractCount, "contract")}</span>
            {template.departedCount > 0 && (
              <span className="block text-xs text-ink-3">{template.departedCount} left out or detached</span>
            )}
          </Td>
          <Td className="whitespace-nowrap">
            <TemplateState template={template} />
          </Td>
        </Tr>
      )}
    </ListPage>
  );
}

/** What its rule says, with the column to be filled in. */
export const ruleWords = ({ rule }: Pick<RuleTemplate, "rule">): string =>
  ruleSentence({ ...rule, configuration: { column: "{column}", ...rule.configuration } });

/** Whether every contract has it. */
export function TemplateState({ template }: { template: Pick<RuleTemplate, "isApplied" | "enabled"> }) {
  if (!template.isApplied) return <Status kind="running">Applying</Status>;
  return template.enabled ? <Status kind="ok">Applied</Status> : <Badge>disabled</Badge>;
}
