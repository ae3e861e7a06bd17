"use client";
import { Boxes, ChevronsUpDown } from "@/components/ui/icons.tsx";
import { useMe } from "../auth/use-me.ts";
import { useProject, useProjects } from "../projects/use-project.ts";
import {
  Menu,
  MenuContent,
  MenuItem,
  MenuRadioGroup,
  MenuSeparator,
  MenuTrigger,
} from "../ui/dropdown-menu.tsx";

const all = "all";

/** Selects the project the lists show. It is kept in the URL, so that links can be shared. */
export function ProjectSwitcher({ narrow = false }: { narrow?: boolean }) {
  const { project, setProject, href } = useProject();
  const { projects } = useProjects();
  const chosen = projects.find((each) => each.id === project);
  const whole = useMe().projectIds === null ? "All projects" : "All your projects";
  const name = chosen?.name ?? (project === null ? whole : "Unknown project");
  return (
    <Menu>
      <MenuTrigger>
        <button
          type="button"
          aria-label={`Project: ${name}`}
          title={narrow ? name : undefined}
          className={
            narrow
              ? "flex size-8 items-center justify-center rounded-md border bg-canvas hover:bg-hover"
              : "flex h-8 w-full min-w-0 items-center gap-2 rounded-md border bg-canvas px-2 text-left hover:bg-hover"
          }
        >
          <Boxes aria-hidden className="size-4 shrink-0 text-ink-3" />
          {!narrow && (
            <>
              <span className="min-w-0 flex-1 truncate">{name}</span>
              <ChevronsUpDown aria-hidden className="size-3.5 shrink-0 text-ink-3" />
            </>
          )}
        </button>
      </MenuTrigger>
      <MenuContent align="start" className="min-w-52">
        <MenuRadioGroup
          value={project === null ? all : String(project)}
          onValueChange={(value) => setProject(value === all ? null : Number(value))}
          options={[
            { value: all, label: whole },
            ...projects.map(({ id, name: label }) => ({ value: String(id), label })),
          ]}
        />
        <MenuSeparator />
        <MenuItem href={href("/projects")} icon={Boxes}>
          Manage projects
        </MenuItem>
      </MenuContent>
    </Menu>
  );
}
