"use client";
import { useProject } from "../projects/use-project.ts";
import { Button, ButtonLink } from "../ui/button.tsx";
import { tourSteps } from "./tour-steps.ts";
import { useTourPlaces, useTourProgress } from "./use-tour.tsx";

/** On Home, in the demo: the tour, until someone takes it or does not want it. */
export function TourOffer() {
  const { href } = useProject();
  const { progress, setProgress } = useTourProgress();
  const tour = useTourPlaces();
  const [first] = tourSteps;
  if (!tour || progress !== null || !first) return null;
  return (
    <section
      aria-labelledby="tour-offer"
      className="mb-6 flex flex-wrap items-center gap-x-3 gap-y-2 rounded-md border px-4 py-3"
    >
      <h2 id="tour-offer" className="text-sm font-semibold">
        Tour of the demo
      </h2>
      <p className="text-sm text-ink-2">{tourSteps.length} steps on live data, about five minutes.</p>
      <span className="ml-auto flex gap-2">
        <Button size="sm" variant="ghost" onClick={() => setProgress("over")}>
          Not now
        </Button>
        <ButtonLink size="sm" variant="primary" href={href(first.path(tour))} onClick={() => setProgress(1)}>
          Start the tour
        </ButtonLink>
      </span>
    </section>
  );
}
