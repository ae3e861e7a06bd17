import type { Resource } from "@opentelemetry/resources";

/** What spans and metrics say of where they come from: by OpenTelemetry's own variables, or our name. */
export async function otlpResource(): Promise<Resource> {
  const { resourceFromAttributes, detectResources, envDetector } = await import("@opentelemetry/resources");
  return resourceFromAttributes({ "service.name": "plumbline" }).merge(
    detectResources({ detectors: [envDetector] }),
  );
}
