import { statusColour } from "@/components/ui/status.tsx";
import type { ExecutionStatus } from "@/server/subscriptions/schema.ts";
import { outcomeLooks } from "./outcome.tsx";

/** One run as a bar within an SVG: its colour, its height and its shape each tell the outcomes apart. */
export function OutcomeBar({
  status,
  x,
  width,
  bottom,
  height,
}: {
  status: ExecutionStatus;
  x: number;
  width: number;
  bottom: number;
  /** Of the tallest bar. */
  height: number;
}) {
  const { kind, bar } = outcomeLooks[status];
  const tall = bar.height * height;
  const top = bottom - tall;
  return (
    <g className={statusColour(kind)} fill="currentColor">
      {bar.shape === "full" && <rect x={x} y={top} width={width} height={tall} />}
      {bar.shape === "hollow" && (
        <rect
          x={x + 0.5}
          y={top + 0.5}
          width={Math.max(width - 1, 1)}
          height={tall - 1}
          fill="none"
          stroke="currentColor"
        />
      )}
      {bar.shape === "pointed" && (
        <path
          d={`M${x} ${bottom}V${top + Math.min(width, 8)}L${x + width / 2} ${top}L${x + width} ${top + Math.min(width, 8)}V${bottom}Z`}
        />
      )}
      {bar.shape === "split" && (
        <>
          <rect x={x} y={top} width={width} height={tall * 0.4} />
          <rect x={x} y={top + tall * 0.55} width={width} height={tall * 0.45} />
        </>
      )}
    </g>
  );
}
