"use client";
import { useProject } from "../projects/use-project.ts";
import { trpc } from "../trpc/client.tsx";
import { Button, ButtonLink } from "../ui/button.tsx";
import { Link } from "../ui/link.tsx";
import { tourSteps } from "./tour-steps.ts";
import { useTourProgress } from "./use-tour.tsx";

/** Above each page while someone takes the tour: what to look at there, and a button that leads to the next step. */
export function TourBar() {
  const { progress } = useTourProgress();
  return typeof progress === "number" ? <Step number={progress} /> : null;
}

function Step({ number }: { number: number }) {
  const { href } = useProject();
  const { setProgress } = useTourProgress();
  const { data: tour } = trpc.gettingStarted.tour.useQuery(undefined, { staleTime: 30_000 });
  const step = tourSteps[number - 1];
  const next = tourSteps[number];
  if (!tour || !step) return null;
  return (
    <section
      aria-label="Tour of the demo"
      className="mb-4 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-md border border-accent/50 px-4 py-3"
    >
      <div className="min-w-0 flex-1 basis-80">
        <p className="flex flex-wrap items-baseline gap-x-2">
          <Link href={href("/tour")} className="text-xs text-ink-3 underline">
            Step {number} of {tourSteps.length}
          </Link>
          <span className="font-medium">{step.title}</span>
        </p>
        <p className="max-w-prose text-ink-2">{step.text}</p>
      </div>
      <span className="ml-auto flex flex-wrap gap-2">
        <Button size="sm" variant="ghost" onClick={() => setProgress("over")}>
          End tour
        </Button>
        {next ? (
          <ButtonLink
            size="sm"
            variant="primary"
            href={href(next.path(tour))}
            onClick={() => setProgress(number + 1)}
          >
            Next: {next.title}
          </ButtonLink>
        ) : (
          <ButtonLink size="sm" variant="primary" href={href("/home")} onClick={() => setProgress("over")}>
            Finish
          </ButtonLink>
        )}
      </span>
    </section>
  );
}
