import * as z from "zod";
import { LOG_FORMATS, LOG_LEVELS, defaultConfig } from "../defaults.ts";
import { MAX_TIMER_MS, wholeNumber, oneOf, text, yesOrNo } from "../fields.ts";

const DEFAULTS = defaultConfig();

export const logSection = z.strictObject(
  {
    level: oneOf(LOG_LEVELS)
      .default(DEFAULTS.log.level)
      .describe("The least severe line that is written."),
    format: oneOf(LOG_FORMATS)
      .default(DEFAULTS.log.format)
      .describe("`json`: one JSON object per line, with `time`, `level`, `message` and fields."),
    file: text("a path")
      .exactOptional()
      .describe(
        "Write the log to this file instead of stderr; relative to this file. Left out: stderr, and `daemon.log` in the data directory for a daemon that a client started.",
      ),
    maxSize_mb: wholeNumber(1, 100_000)
      .default(DEFAULTS.log.maxSize_mb)
      .describe("A log file that would become larger (in MB of 1,048,576 bytes) is rotated."),
    keepFiles: wholeNumber(0, 1_000)
      .default(DEFAULTS.log.keepFiles)
      .describe("How many rotated files stay; `.1` is the newest."),
  },
  { error: "a map of log settings" },
);

export const healthCheckSection = z.strictObject(
  {
    enabled: yesOrNo()
      .default(DEFAULTS.healthCheck.enabled)
      .describe("`false`: models and roles are not checked when the daemon starts."),
    cacheTtl_ms: wholeNumber(0, Number.MAX_SAFE_INTEGER)
      .default(DEFAULTS.healthCheck.cacheTtl_ms)
      .describe("How long a result counts, over restarts too. 0 checks every time."),
    timeout_ms: wholeNumber(1, MAX_TIMER_MS)
      .default(DEFAULTS.healthCheck.timeout_ms)
      .describe("How long a CLI may take to answer one check."),
    concurrency: wholeNumber(1, 100)
      .default(DEFAULTS.healthCheck.concurrency)
      .describe("How many checks run at the same time, besides the agents."),
  },
  { error: "a map of health check settings" },
);

export const historySection = z.strictObject(
  {
    keep_days: wholeNumber(1, 36_500)
      .default(DEFAULTS.history.keep_days)
      .describe(
        "Agents that ended longer ago are removed, with their transcripts, once their group is deleted and they are no longer in view.",
      ),
  },
  { error: "a map with the key keep_days" },
);

const PRICE_RULE = "a number, 0 or more (per million tokens)";
const price = z.number({ error: PRICE_RULE }).min(0, { error: PRICE_RULE });

export const modelPriceSection = z.strictObject(
  {
    input: price.describe("Price of a million input tokens."),
    output: price.describe("Price of a million output tokens."),
    cacheRead: price.exactOptional().describe("Tokens read from a cache. Left out: as `input`."),
    cacheWrite: price.exactOptional().describe("Tokens written to a cache. Left out: as `input`."),
  },
  { error: "a map with the keys input and output (per million tokens)" },
);

const CURRENCY_RULE = "a currency of three capital letters, such as USD or JPY";

export const pricesSection = z.strictObject(
  {
    currency: z
      .string({ error: CURRENCY_RULE })
      .regex(/^[A-Z]{3}$/, { error: CURRENCY_RULE })
      .default(DEFAULTS.prices.currency)
      .describe("Currency of the prices, by its three letters."),
    models: z
      .preprocess(
        (value) => value ?? {},
        z.record(z.string(), modelPriceSection, { error: "a map from model name to its prices" }),
      )
      .prefault({})
      .describe(
        "Prices by model name, as the CLI or the role names it. A cost that the CLI reports is used instead. The cost of a model without a price is unknown, never 0.",
      ),
  },
  { error: "a map with the keys currency and models" },
);
