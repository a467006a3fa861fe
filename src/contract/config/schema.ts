import * as z from "zod";
import { HUMAN_CHECKS } from "../../domain/gateway/human-check.ts";
import { LOCALES } from "../../domain/locale.ts";
import { ACCESS_MODES, defaultConfig, LOG_LEVELS, RUNNER_CHOICES } from "./defaults.ts";

/**
 * The one description of `kuromajutsu.config.yaml`. Each section is one exported object; every
 * field carries its reference text. The `error` of a field is what the loader prints after
 * "expected", so it is a noun phrase.
 */
const DEFAULTS = defaultConfig();

/** Node's timers fire at once above this. */
const MAX_TIMER_MS = 2_147_483_647;

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

const HOST_RULE = "a host name or an address, without a port";
const hostName = z
  .string({ error: HOST_RULE })
  .regex(/^(?:[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?|\[[0-9A-Fa-f:.]+\])$/, {
    error: HOST_RULE,
  });

const ORIGIN_RULE = "an origin as a browser shows it, such as https://kuro.example.com";
const origin = z.string({ error: ORIGIN_RULE }).refine(isOrigin, { error: ORIGIN_RULE });

function isOrigin(value: string): boolean {
  return /^https?:\/\//.test(value) && URL.canParse(value) && new URL(value).origin === value;
}

export const dashboardSection = z.strictObject(
  {
    port: wholeNumber(0, 65_535)
      .default(DEFAULTS.dashboard.port)
      .describe("Port of everything over HTTP: the dashboard and `/mcp`. 0 takes any free port."),
    hosts: list(hostName, "a list of host names").describe(
      "Further names people reach it by, such as that of a proxy in front of it. Used where people sign in.",
    ),
    origins: list(origin, "a list of origins").describe(
      "Further origins whose pages may use the daemon, each with scheme and port. The daemon's own address and `https://` with each of `hosts` need no entry.",
    ),
  },
  { error: "a map with the keys port, hosts and origins" },
);

export const agentSection = z.strictObject(
  {
    runner: oneOf(RUNNER_CHOICES)
      .default(DEFAULTS.agent.runner)
      .describe(
        "Which CLI runs the agents. `auto`: cursor if it is installed, else rehearsal. This version cannot run claude, codex, gemini and opencode yet.",
      ),
    rehearseWithoutCli: yesOrNo()
      .default(DEFAULTS.agent.rehearseWithoutCli)
      .describe("`false`: with `runner: auto` and no CLI installed, agents are refused."),
    maxConcurrent: wholeNumber(1, 1_000)
      .default(DEFAULTS.agent.maxConcurrent)
      .describe("How many agents are alive at the same time; the others wait in the queue."),
    maxQueued: wholeNumber(1, 100_000)
      .default(DEFAULTS.agent.maxQueued)
      .describe("How many agents may wait; past it `MAX_CONCURRENT_REACHED`."),
    maxOrchestrators: wholeNumber(1, 1_000)
      .default(DEFAULTS.agent.maxOrchestrators)
      .describe("How many orchestrators are alive at the same time, besides `maxConcurrent`."),
    defaultTimeout_ms: wholeNumber(1, MAX_TIMER_MS)
      .exactOptional()
      .describe("Timeout of an agent whose caller gave none. Left out: no timeout."),
    hardKillAfter_ms: wholeNumber(1, MAX_TIMER_MS)
      .default(DEFAULTS.agent.hardKillAfter_ms)
      .describe("From the polite signal to SIGKILL when an agent is stopped."),
    lingerAfterEnd_ms: wholeNumber(1, MAX_TIMER_MS)
      .default(DEFAULTS.agent.lingerAfterEnd_ms)
      .describe("How long a CLI may take to exit after its report or its last event."),
    maxSpool_bytes: wholeNumber(1_024, Number.MAX_SAFE_INTEGER)
      .default(DEFAULTS.agent.maxSpool_bytes)
      .describe("An agent that has written more output than this is stopped."),
    env: list(variableName, "a list of environment variable names").describe(
      "Names of further variables of the daemon's environment that agents get.",
    ),
  },
  { error: "a map of agent settings" },
);

export const logSection = z.strictObject(
  {
    level: oneOf(LOG_LEVELS)
      .default(DEFAULTS.log.level)
      .describe("The least severe line that is written."),
  },
  { error: "a map with the key level" },
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
      .describe("Prices by model name. The cost of a model without one is unknown, never 0."),
  },
  { error: "a map with the keys currency and models" },
);

const SERVER_PATTERN = /^[A-Za-z0-9][A-Za-z0-9_-]{0,39}$/;
const SERVER_RULE = "a server name of letters, digits, - and _, at most 40 characters";
const ALLOWED_PATTERN = /^(?:\*|[A-Za-z0-9][A-Za-z0-9_-]{0,39}(?:\/\S{1,200})?)$/;
const ALLOWED_RULE = "a server of mcpServers, `server/tool`, or `*`";

export const upstreamToolSection = z.strictObject(
  {
    readOnly: yesOrNo()
      .default(false)
      .describe("`true`: it changes nothing, so it may be called while a stop is open."),
    disabled: yesOrNo().default(false).describe("`true`: no agent sees it."),
    humanCheck: oneOf(HUMAN_CHECKS)
      .default("as-planned")
      .describe(
        "When a person checks a call before it is sent. `as-planned`: in a task as the approved step says, outside a task if the server's own hints call the tool destructive. `always`: every call, in tasks and outside. `never`: steps are drafted without a check, and outside a task nobody is asked.",
      ),
  },
  { error: "a map with the keys readOnly, disabled and humanCheck" },
);

const stringMap = (error: string) => z.record(z.string(), z.string({ error }), { error });

export const upstreamSection = z
  .strictObject(
    {
      command: text().exactOptional().describe("stdio: the program to start."),
      args: z
        .array(z.string({ error: "a text" }), { error: "a list of arguments" })
        .exactOptional()
        .describe("stdio: its arguments."),
      env: stringMap("a map from variable to text")
        .exactOptional()
        .describe("stdio: its environment; `${env:NAME}` takes a variable of the daemon's."),
      cwd: text().exactOptional().describe("stdio: its working directory, relative to this file."),
      url: z
        .url({ protocol: /^https?$/, error: "an http or https address" })
        .exactOptional()
        .describe("HTTP: its address."),
      headers: stringMap("a map from header to text")
        .exactOptional()
        .describe("HTTP: headers of every request; `${env:NAME}` takes a variable."),
      timeout_ms: wholeNumber(1, MAX_TIMER_MS)
        .default(300_000)
        .describe("How long one call may take without a sign of progress."),
      disabled: yesOrNo().default(false).describe("`true`: it is not started."),
      tools: z
        .record(z.string(), upstreamToolSection, { error: "a map from tool name to its settings" })
        .default({})
        .describe("Settings of single tools."),
    },
    { error: "a map with command (stdio) or url (HTTP)" },
  )
  .refine(({ command, url }) => (command === undefined) !== (url === undefined), {
    error: "a map with either command (stdio) or url (HTTP)",
  });

const PERSON_RULE = "the id of a person: letters, digits and . _ @ -, at most 80 characters";
/** What the audit calls those who are nobody in particular. */
const RESERVED_PEOPLE = ["system", "main", "unknown"];
const personId = z
  .string({ error: PERSON_RULE })
  .regex(/^[A-Za-z0-9][\w.@-]{0,79}$/, { error: PERSON_RULE })
  .refine((id) => !RESERVED_PEOPLE.includes(id), {
    error: `the id of a person, other than ${RESERVED_PEOPLE.join(", ")}`,
  });
const people = z
  .array(personId, { error: "a list of people" })
  .min(1, { error: "a list of people, not empty" });

/** Who may decide. */
export const policySection = z.union(
  [
    oneOf(["anyone", "requester", "not-requester"]),
    z.strictObject({ approvers: people }),
    z.strictObject({ quorum: wholeNumber(2, 100), approvers: people.exactOptional() }),
  ],
  {
    error:
      "anyone, requester, not-requester, {approvers: [ids]} or {quorum: n, approvers: [ids]} with n from 2",
  },
);

export const tasksSection = z.strictObject(
  {
    maxRegenerations: wholeNumber(0, 100)
      .default(DEFAULTS.tasks.maxRegenerations)
      .describe("How many drafts of one task people may reject before it is cancelled."),
    holdFor_ms: wholeNumber(0, MAX_TIMER_MS)
      .default(DEFAULTS.tasks.holdFor_ms)
      .describe(
        "How long an agent's call is held for a person before the agent is asked to end; the decision starts the next one.",
      ),
    unplannedTools: oneOf(["ask", "allow", "refuse"])
      .default(DEFAULTS.tasks.unplannedTools)
      .describe("What happens when an execution calls a tool that is in no approved step."),
    approval: policySection
      .default(DEFAULTS.tasks.approval)
      .describe(
        "Who decides: `anyone`, `requester`, `not-requester`, `{approvers: [ids]}` or `{quorum: n}`.",
      ),
    approvals: z
      .strictObject(
        {
          prompt: policySection.exactOptional().describe("The prompt (実行方針) of a task."),
          process: policySection.exactOptional().describe("The process (実行ステップ) of a task."),
          step: policySection
            .exactOptional()
            .describe("A call of a step that requires a human check."),
          unplanned_tool: policySection
            .exactOptional()
            .describe("A tool that is in no approved step."),
          call: policySection
            .exactOptional()
            .describe("A call of an agent outside a task that a person must check."),
          question: policySection.exactOptional().describe("A question of an agent."),
          outcome: policySection
            .exactOptional()
            .describe("Whether a call whose answer was lost took effect."),
        },
        { error: "a map from kind of approval to who decides" },
      )
      .default({})
      .describe("Who decides approvals of one kind, where it differs from `approval`."),
    approvalExpiry_ms: wholeNumber(0, Number.MAX_SAFE_INTEGER)
      .default(DEFAULTS.tasks.approvalExpiry_ms)
      .describe("After this time without a decision an approval expires. 0: never."),
    remindAfter_ms: wholeNumber(0, Number.MAX_SAFE_INTEGER)
      .default(DEFAULTS.tasks.remindAfter_ms)
      .describe(
        "After this time without a decision people are reminded; half-way where it would expire before that. 0: never.",
      ),
    types: list(
      z.string().max(30, { error: "a text of at most 30 characters" }),
      "a list of texts",
    ).describe("Suggestions for the type of a task."),
  },
  { error: "a map of task settings" },
);

export const interruptSection = z.strictObject(
  {
    hardStopAfter_ms: wholeNumber(0, MAX_TIMER_MS)
      .default(DEFAULTS.interrupt.hardStopAfter_ms)
      .describe("An agent told to stop that has not reported by then is ended. 0: never."),
  },
  { error: "a map with the key hardStopAfter_ms" },
);

export const userSection = z.strictObject(
  {
    id: personId.describe("Who it is, in approvals and in the audit."),
    name: text().exactOptional().describe("Name shown to people. Left out: the id."),
    role: oneOf(["viewer", "operator", "admin"])
      .default("operator")
      .describe(
        "`viewer` looks, `operator` also asks, decides and stops, `admin` also configures.",
      ),
    tokenHash: z
      .string({ error: "the hash `kuromajutsu user add` wrote" })
      .regex(/^[0-9a-f]{64}$/, { error: "the hash `kuromajutsu user add` wrote" })
      .describe("sha256 of the person's token; the token itself is nowhere."),
  },
  { error: "a map that describes one person" },
);

export const authSection = z.strictObject(
  {
    users: list(userSection, "a list of people").describe(
      "Who may sign in. Empty: no sign-in; everyone on this machine is the person `local`.",
    ),
  },
  { error: "a map with the key users" },
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
    mcpServers: listOrNull(
      z.string({ error: ALLOWED_RULE }).regex(ALLOWED_PATTERN, { error: ALLOWED_RULE }),
      "a list of upstream servers or tools",
    )
      .exactOptional()
      .describe(
        "Upstream tools agents of this role may use: names of `mcpServers`, `server/tool`, or `*` for all. New roles have none, `executor` has all.",
      ),
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
      .default(DEFAULTS.locale)
      .describe("Language of the texts that are ours, such as the orchestrator's prompt."),
    dashboard: section(dashboardSection).describe("The dashboard and everything else over HTTP."),
    agent: section(agentSection).describe("How agents run."),
    log: section(logSection).describe("What is logged."),
    healthCheck: section(healthCheckSection).describe("How roles and models are checked."),
    history: section(historySection).describe("How long things are kept."),
    prices: section(pricesSection).describe("What tokens cost."),
    tasks: section(tasksSection).describe("How tasks are planned, approved and executed."),
    interrupt: section(interruptSection).describe("How agents are stopped by people."),
    mcpServers: z
      .preprocess(
        (value) => value ?? {},
        z.record(
          z.string({ error: SERVER_RULE }).regex(SERVER_PATTERN, { error: SERVER_RULE }),
          upstreamSection,
          { error: "a map from server name to how it is reached" },
        ),
      )
      .prefault({})
      .describe(
        "Upstream MCP servers whose tools agents may use, in the shape of `.cursor/mcp.json`.",
      ),
    auth: section(authSection).describe("Who may sign in."),
    roles: list(roleSection, "a list of roles").describe(
      "Roles, merged by id with the built-in ones: a role with a built-in id changes only what it writes; a new role needs `name`, `description`, `model` and `systemPrompt`.",
    ),
    tools: list(toolSection, "a list of role tools").describe("Role tools of your own."),
  },
  { error: "a map of settings" },
);

export type Config = z.infer<typeof configSchema>;
export type UpstreamSettings = z.infer<typeof upstreamSection>;
export type PolicySettings = z.infer<typeof policySection>;
export type RoleSettings = z.infer<typeof roleSection>;
