import * as z from "zod";
import { defaultConfig } from "../defaults.ts";
import { MAX_TIMER_MS, wholeNumber } from "../fields.ts";

const DEFAULTS = defaultConfig();
const ENDPOINT_RULE = "the address of an OTLP/HTTP receiver, such as http://127.0.0.1:4318";
const NAME_RULE = "a name of at most 100 characters";

function isReceiver(value: string): boolean {
  if (!/^https?:\/\//.test(value) || !URL.canParse(value)) return false;
  const { username, password, search, hash } = new URL(value);
  return username === "" && password === "" && search === "" && hash === "";
}

export const telemetrySection = z.strictObject(
  {
    otlpEndpoint: z
      .string({ error: ENDPOINT_RULE })
      .refine(isReceiver, { error: ENDPOINT_RULE })
      .exactOptional()
      .describe(
        "Turns OpenTelemetry on: where traces and metrics are sent (OTLP over HTTP; `/v1/traces` and `/v1/metrics` are added). Keys for the receiver belong into the environment variable `OTEL_EXPORTER_OTLP_HEADERS`.",
      ),
    serviceName: z
      .string({ error: NAME_RULE })
      .min(1, { error: NAME_RULE })
      .max(100, { error: NAME_RULE })
      .default(DEFAULTS.telemetry.serviceName)
      .describe("The name that the receiver shows (`service.name`)."),
    interval_ms: wholeNumber(100, MAX_TIMER_MS)
      .default(DEFAULTS.telemetry.interval_ms)
      .describe("How often they are sent."),
  },
  { error: "a map with the keys otlpEndpoint, serviceName and interval_ms" },
);
