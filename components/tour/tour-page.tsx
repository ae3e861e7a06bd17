"use client";
import { useProject } from "../projects/use-project.ts";
import { Badge } from "../ui/badge.tsx";
import { ButtonLink } from "../ui/button.tsx";
import { Empty } from "../ui/empty.tsx";
import { ListChecks } from "../ui/icons.tsx";
import { PageHeader } from "../ui/page-header.tsx";
import { tourSteps } from "./tour-steps.ts";
import { useTourPlaces, useTourProgress } from "./use-tour.tsx";

/** All steps of the tour, each with a button that leads to it. */
export function TourPage() {
  const { href } = useProject();
  const { progress, setProgress } = useTourProgress();
  const tour = useTourPlaces();
  return (
    <>
      <PageHeader title="Tour of the demo" {...(tour && { count: `${tourSteps.length} steps` })} />
      {tour ? (
        <ol className="max-w-4xl border-t">
          {tourSteps.map(({ title, text, button, path }, index) => (
            <li key={title} className="flex flex-wrap items-center gap-x-6 gap-y-2 border-b py-3">
              <div className="min-w-0 flex-1 basis-80">
                <h2 className="flex flex-wrap items-center gap-x-3 text-base font-medium">
                  <span>
                    <span className="text-ink-3 tabular-nums">{index + 1}.</span> {title}
                  </span>
                  {progress === index + 1 && <Badge tone="accent">You are here</Badge>}
                </h2>
                <p className="max-w-prose text-ink-2">{text}</p>
              </div>
              <ButtonLink size="sm" href={href(path(tour))} onClick={() => setProgress(index + 1)}>
                {button}
              </ButtonLink>
            </li>
          ))}
        </ol>
      ) : (
        <Empty
          icon={ListChecks}
          title="There is no demo here"
          action={<ButtonLink href={href("/getting-started")}>Getting started</ButtonLink>}
        >
          The tour is one of the demo's data, which this service does not have, or you cannot see.
        </Empty>
      )}
    </>
  );
}
