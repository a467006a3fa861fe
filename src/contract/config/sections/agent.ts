import * as z from "zod";
import { defaultConfig } from "../defaults.ts";
import { MAX_TIMER_MS, wholeNumber, yesOrNo, label, list, text } from "../fields.ts";
import { runnerChoice } from "./runner-choice.ts";

const DEFAULTS = defaultConfig();

/** In bytes it is still an exact number. */
const MAX_OUTPUT_MB = 1_000_000_000;

const VARIABLE_RULE = "the name of an environment variable, not one of our own (KUROMAJUTSU_…)";
const variableName = z
  .string({ error: VARIABLE_RULE })
  .regex(/^(?!KUROMAJUTSU_)[A-Za-z_][A-Za-z0-9_]*$/, { error: VARIABLE_RULE });

export const agentSection = z.strictObject(
  {
    runner: runnerChoice
      .default(DEFAULTS.agent.runner)
      .describe(
        "Which CLI runs the agents: one, `auto`, or a [fallback list](#runners) such as `[claude, codex]`. `auto`: the first CLI that is installed, signed in and not out of quota; `rehearsal` if none is installed.",
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
    limits: z
      .preprocess(
        (value) => value ?? {},
        z.record(label, wholeNumber(1, 10_000), {
          error: "a map from label (lower-case, such as gpu) to a whole number",
        }),
      )
      .prefault({})
      .describe(
        "How many agents with a [label](scale.md#labels) are alive at the same time, on all servers and workers together: `{ gpu: 2 }`.",
      ),
    defaultTimeout_ms: wholeNumber(1, MAX_TIMER_MS)
      .exactOptional()
      .describe("Timeout of an agent whose caller gave none. Left out: no timeout."),
    hardKillAfter_ms: wholeNumber(1, MAX_TIMER_MS)
      .default(DEFAULTS.agent.hardKillAfter_ms)
      .describe("From the polite signal to SIGKILL when an agent is stopped."),
    lingerAfterEnd_ms: wholeNumber(1, MAX_TIMER_MS)
      .default(DEFAULTS.agent.lingerAfterEnd_ms)
      .describe("How long a CLI may take to exit after its report or its last event."),
    maxRetries: wholeNumber(0, 1_000)
      .default(DEFAULTS.agent.maxRetries)
      .describe(
        "An agent whose requests to its model fail and are sent again more often than this in a row is stopped; its result has the last reason. 0: no limit.",
      ),
    maxRetryTime_ms: wholeNumber(0, MAX_TIMER_MS)
      .default(DEFAULTS.agent.maxRetryTime_ms)
      .describe(
        "An agent whose requests to its model have only failed for this long is stopped. 0: no limit.",
      ),
    maxEvents: wholeNumber(0, Number.MAX_SAFE_INTEGER)
      .default(DEFAULTS.agent.maxEvents)
      .describe(
        "An agent that has written more events (lines of output) than this is stopped. A busy day of a CLI that prints each piece of text has about a third of the default. 0: no limit.",
      ),
    maxToolCalls: wholeNumber(0, Number.MAX_SAFE_INTEGER)
      .default(DEFAULTS.agent.maxToolCalls)
      .describe(
        "An agent that has called more tools than this is stopped. The default is many hours of work, but ends a loop. 0: no limit.",
      ),
    maxOutput_mb: wholeNumber(0, MAX_OUTPUT_MB)
      .exactOptional()
      .describe(
        "An agent that has written more output than this (in MB of 1,048,576 bytes) is stopped. 0: no limit. Left out: `maxSpool_bytes`.",
      ),
    connectWithin_ms: wholeNumber(1, MAX_TIMER_MS)
      .default(DEFAULTS.agent.connectWithin_ms)
      .describe(
        "An agent that has not connected to Kuromajutsu by then after its start is shown as degraded.",
      ),
    maxSpool_bytes: wholeNumber(1_024, Number.MAX_SAFE_INTEGER)
      .default(DEFAULTS.agent.maxSpool_bytes)
      .describe("The older name of `maxOutput_mb`, in bytes; used if that one is left out."),
    acpCommand: list(
      text("a program or an argument"),
      "a list: a program and its arguments",
    ).describe(
      "The CLI that `runner: acp` starts, with the arguments that make it speak the Agent Client Protocol, such as `[gemini, --acp]`. Left out: the first of gemini, opencode, claude-agent-acp and codex-acp on `PATH`.",
    ),
    env: list(variableName, "a list of environment variable names").describe(
      "Names of further variables of the daemon's environment that agents get.",
    ),
  },
  { error: "a map of agent settings" },
);
