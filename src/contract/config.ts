import * as z from "zod";
import { RUNNER_IDS } from "../domain/runner.ts";

/**
 * The one description of `kuromajutsu.config.yaml`. Each section is one exported object; every
 * field carries its reference text. The `error` of a field is what the loader prints after
 * "expected", so it is a noun phrase.
 */
export const LOG_LEVELS = ["debug", "info", "warn", "error"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export const LOCALES = ["ja", "en"] as const;
export type Locale = (typeof LOCALES)[number];

export const ACCESS_MODES = ["read-only", "read-write"] as const;
export const RUNNER_CHOICES = ["auto", ...RUNNER_IDS] as const;

/** Node's timers fire at once above this. */
const MAX_TIMER_MS = 2_147_483_647;
const GIBIBYTE = 1_073_741_824;

function wholeNumber(min: number, max: number) {
  const error = `a whole number from ${min} to ${max}`;
  return z.int({ error }).min(min, { error }).max(max, { error });
}

function oneOf<const Choices extends readonly [string, ...string[]]>(choices: Choices) {
  return z.enum(choices, { error: `one of ${choices.join(", ")}` });
}

function yesOrNo() {
  return z.boolean({ error: "true or false" });
}

function text(error = "a text that is not empty") {
  return z.string({ error }).regex(/\S/, { error });
}

/** A section whose keys are all commented out is null in YAML: it means the defaults. */
function section<Shape extends z.core.$ZodShape>(of: z.ZodObject<Shape, z.core.$strict>) {
  return z.preprocess((value) => value ?? {}, of).prefault({});
}

function listOrNull<Item extends z.ZodType>(item: Item, error: string) {
  return z.preprocess((value) => value ?? [], z.array(item, { error }));
}

function list<Item extends z.ZodType>(item: Item, error: string) {
  return listOrNull(item, error).prefault([]);
}

const ID_RULE =
  "an id of lower-case letters, digits and hyphens, at most 40 characters, beginning with a letter or a digit";
const ID_PATTERN = /^[a-z0-9][a-z0-9-]{0,39}$/;

/** Prefixes of our own ids: an agent of a role `grp` would be taken for a group. */
const RESERVED_ROLE_IDS = ["grp", "task", "prm", "prc", "exe", "apr", "ntf"];

const roleId = z
  .string({ error: ID_RULE })
  .regex(ID_PATTERN, { error: ID_RULE })
  .refine((id) => !RESERVED_ROLE_IDS.includes(id), {
    error: `an id other than ${RESERVED_ROLE_IDS.join(", ")} (prefixes of other ids)`,
  });

const MODEL_RULE = "a model name";
/** A leading hyphen would be read as an option by the CLI that gets it. */
const modelName = z
  .string({ error: MODEL_RULE })
  .regex(/^[^-\s][^\r\n]*$/, { error: `${MODEL_RULE} on one line that does not begin with "-"` });

const modelPerRunner = z.strictObject(
  {
    cursor: modelName.exactOptional(),
    claude: modelName.exactOptional(),
    codex: modelName.exactOptional(),
    gemini: modelName.exactOptional(),
    opencode: modelName.exactOptional(),
    rehearsal: modelName.exactOptional(),
  },
  { error: "a map from runner to model name" },
);

const VARIABLE_RULE = "the name of an environment variable, not one of our own (KUROMAJUTSU_…)";
const variableName = z
  .string({ error: VARIABLE_RULE })
  .regex(/^(?!KUROMAJUTSU_)[A-Za-z_][A-Za-z0-9_]*$/, { error: VARIABLE_RULE });

export const dashboardSection = z.strictObject(
  {
    port: wholeNumber(0, 65_535)
      .default(9696)
      .describe("Port of everything over HTTP: the dashboard and `/mcp`. 0 takes any free port."),
  },
  { error: "a map with the key port" },
);

export const agentSection = z.strictObject(
  {
    runner: oneOf(RUNNER_CHOICES)
      .default("auto")
      .describe(
        "Which CLI runs the agents. `auto` takes the first one installed of cursor, claude, codex, gemini, opencode, else rehearsal.",
      ),
    maxConcurrent: wholeNumber(1, 1_000)
      .default(10)
      .describe("How many agents are alive at the same time; the others wait in the queue."),
    maxQueued: wholeNumber(1, 100_000)
      .default(1_000)
      .describe("How many agents may wait; past it `MAX_CONCURRENT_REACHED`."),
    maxOrchestrators: wholeNumber(1, 1_000)
      .default(4)
      .describe("How many orchestrators are alive at the same time, besides `maxConcurrent`."),
    defaultTimeout_ms: wholeNumber(1, MAX_TIMER_MS)
      .exactOptional()
      .describe("Timeout of an agent whose caller gave none. Left out: no timeout."),
    hardKillAfter_ms: wholeNumber(1, MAX_TIMER_MS)
      .default(5_000)
      .describe("From the polite signal to SIGKILL when an agent is stopped."),
    lingerAfterEnd_ms: wholeNumber(1, MAX_TIMER_MS)
      .default(30_000)
      .describe("How long a CLI may take to exit after its report or its last event."),
    maxSpool_bytes: wholeNumber(1_024, Number.MAX_SAFE_INTEGER)
      .default(GIBIBYTE)
      .describe("An agent that has written more output than this is stopped."),
    env: list(variableName, "a list of environment variable names").describe(
      "Names of further variables of the daemon's environment that agents get.",
    ),
  },
  { error: "a map of agent settings" },
);

export const logSection = z.strictObject(
  {
    level: oneOf(LOG_LEVELS).default("info").describe("The least severe line that is written."),
  },
  { error: "a map with the key level" },
);

export const healthCheckSection = z.strictObject(
  {
    enabled: yesOrNo()
      .default(true)
      .describe("`false`: models and roles are not checked when the daemon starts."),
    cacheTtl_ms: wholeNumber(0, Number.MAX_SAFE_INTEGER)
      .default(600_000)
      .describe("How long a result counts, over restarts too. 0 checks every time."),
    timeout_ms: wholeNumber(1, MAX_TIMER_MS)
      .default(60_000)
      .describe("How long a CLI may take to answer one check."),
    concurrency: wholeNumber(1, 100)
      .default(2)
      .describe("How many checks run at the same time, besides the agents."),
  },
  { error: "a map of health check settings" },
);

export const historySection = z.strictObject(
  {
    keep_days: wholeNumber(1, 36_500)
      .default(90)
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
      .default("USD")
      .describe("Currency of the prices, by its three letters."),
    models: z
      .preprocess(
        (value) => value ?? {},
        z.record(z.string(), modelPriceSection, { error: "a map from model name to its prices" }),
      )
      .prefault({})
      .describe("Prices by model name. The cost of a model without one is unknown, never 0."),
  },
  { error: "a map with the keys currency and models" },
);

export const roleSection = z.strictObject(
  {
    id: roleId.describe("The role's id. The id of a built-in role changes that role."),
    name: text().exactOptional().describe("Name shown to people."),
    description: text()
      .exactOptional()
      .describe("What the role is for; `list_roles` gives it to the main agent."),
    model: z
      .union([modelName, modelPerRunner], {
        error: "a model name, or a map from runner to model name",
      })
      .exactOptional()
      .describe(
        "Model name, or a map from runner to model name. What you write is never replaced.",
      ),
    systemPrompt: text().exactOptional().describe("First layer of the agent's prompt."),
    healthCheckPrompt: text()
      .exactOptional()
      .describe("What a health check asks. New roles have `Hello, respond with exactly: OK`."),
    tools: listOrNull(z.string({ error: "the id of a role tool" }), "a list of role tool ids")
      .exactOptional()
      .describe("Ids of role tools (`textlint`, or one of `tools`)."),
    runner: oneOf(RUNNER_CHOICES).exactOptional().describe("Left out: `agent.runner`."),
    access: oneOf(ACCESS_MODES)
      .exactOptional()
      .describe("May this role edit files? New roles are `read-write`."),
    disabled: yesOrNo().default(false).describe("`true` removes the role, built-in or not."),
  },
  { error: "a map that describes one role" },
);

export const toolSection = z.strictObject(
  {
    id: z
      .string({ error: ID_RULE })
      .regex(ID_PATTERN, { error: ID_RULE })
      .describe("The tool's id, for `roles[].tools`. The id of a built-in tool replaces it."),
    name: text().describe("Name shown to people and in the prompt."),
    description: text().describe("What the tool does."),
    promptInstructions: text().describe(
      "How to use it (Markdown); goes into the prompt of every agent whose role has the tool.",
    ),
    check: z
      .array(text("a text"), { error: "a list: the command and its arguments" })
      .min(1, { error: "a list: the command and its arguments" })
      .exactOptional()
      .describe(
        "Command and arguments that end with 0 where the tool is installed; run only when somebody asks.",
      ),
  },
  { error: "a map that describes one role tool" },
);

export const configSchema = z.strictObject(
  {
    locale: oneOf(LOCALES)
      .default("ja")
      .describe("Language of the texts that are ours, such as the orchestrator's prompt."),
    dashboard: section(dashboardSection).describe("The dashboard and everything else over HTTP."),
    agent: section(agentSection).describe("How agents run."),
    log: section(logSection).describe("What is logged."),
    healthCheck: section(healthCheckSection).describe("How roles and models are checked."),
    history: section(historySection).describe("How long things are kept."),
    prices: section(pricesSection).describe("What tokens cost."),
    roles: list(roleSection, "a list of roles").describe(
      "Roles, merged by id with the built-in ones: a role with a built-in id changes only what it writes; a new role needs `name`, `description`, `model` and `systemPrompt`.",
    ),
    tools: list(toolSection, "a list of role tools").describe("Role tools of your own."),
  },
  { error: "a map of settings" },
);

export type Config = z.infer<typeof configSchema>;
export type RoleSettings = z.infer<typeof roleSection>;
