import type { Log } from "../../app/ports/world.ts";

type Result = { readonly error?: Error };
type Exporter<Items> = { export(items: Items, done: (result: Result) => void): void };

/** Sees how the exports to one receiver end. */
export type ReceiverWatch = <Items, E extends Exporter<Items>>(exporter: E & Exporter<Items>) => E;

/**
 * Logs one warning when a receiver stops accepting data, and one line when it accepts everything
 * again. The set holds the exporters that fail: a receiver may accept traces and refuse metrics.
 */
export function watchReceiver(endpoint: string, log: Log): ReceiverWatch {
  const failing = new Set<object>();

  function seen(exporter: object, { error }: Result): void {
    const were = failing.size;
    if (error) failing.add(exporter);
    else failing.delete(exporter);
    if (error && were === 0) {
      log.warn(`OpenTelemetry data is lost: the receiver does not accept it. ${adviceFor(error)}`, {
        endpoint,
        error: reasonOf(error),
      });
    } else if (were > 0 && failing.size === 0) {
      log.info("The OpenTelemetry receiver accepts data again.", { endpoint });
    }
  }

  return (exporter) => {
    const send = exporter.export.bind(exporter);
    exporter.export = (items, done) =>
      send(items, (result) => {
        seen(exporter, result);
        done(result);
      });
    return exporter;
  };
}

function adviceFor(error: Error): string {
  const status = "code" in error ? error.code : undefined;
  if (status === 401 || status === 403) {
    return "Put its key into OTEL_EXPORTER_OTLP_HEADERS and restart the daemon.";
  }
  if (typeof status === "number") {
    return "Check that telemetry.otlpEndpoint is the base address of an OTLP/HTTP receiver (JSON), without /v1/traces.";
  }
  return "Start the receiver, or correct or remove telemetry.otlpEndpoint and restart the daemon.";
}

/** An error that tried several addresses has a code but no message. */
function reasonOf(error: Error): string {
  const code = "code" in error ? String(error.code) : "";
  return error.message.includes(code) ? error.message : `${code} ${error.message}`.trim();
}
