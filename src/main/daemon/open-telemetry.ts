import type { Telemetry } from "../../app/ports/telemetry.ts";
import type { Log } from "../../app/ports/world.ts";
import type { Config } from "../../contract/config/schema.ts";
import { VERSION } from "../version.ts";

/** undefined: OpenTelemetry is off. The SDK is loaded only when it is used. */
export async function openTelemetry(
  { otlpEndpoint, serviceName, interval_ms }: Config["telemetry"],
  log: Log,
): Promise<Telemetry | undefined> {
  if (otlpEndpoint === undefined) return undefined;
  const { createOtlpTelemetry } = await import("../../adapters/telemetry/otlp-telemetry.ts");
  return createOtlpTelemetry({
    endpoint: otlpEndpoint,
    serviceName,
    intervalMs: interval_ms,
    version: VERSION,
    log,
  });
}
