import { statusColor } from "@/components/ui/status.tsx";
import type { OutcomeLook } from "./outcome-looks.ts";

/** One run as an SVG bar: color, height, and shape each distinguish the outcomes. */
export function OutcomeBar({
  look: { kind, bar },
  x,
  width,
  bottom,
  height,
}: {
  look: OutcomeLook;
  x: number;
  width: number;
  bottom: number;
  /** Height of the tallest bar. */
  height: number;
}) {
  const tall = bar.height * height;
  const top = bottom - tall;
  const isOutlined = bar.shape === "hollow" || bar.shape === "dashed" || bar.shape === "struck";
  return (
    <g className={statusColor(kind)} fill="currentColor">
      {bar.shape === "full" && <rect x={x} y={top} width={width} height={tall} />}
      {isOutlined && (
        <rect
          x={x + 0.5}
          y={top + 0.5}
          width={Math.max(width - 1, 1)}
          height={tall - 1}
          fill="none"
          stroke="currentColor"
          {...(bar.shape === "dashed" && { strokeDasharray: "2 2" })}
        />
      )}
      {bar.shape === "struck" && (
        <path d={`M${x} ${bottom}L${x + width} ${top}`} stroke="currentColor" strokeWidth={1.5} />
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
