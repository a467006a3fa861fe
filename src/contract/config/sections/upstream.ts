import * as z from "zod";
import { HUMAN_CHECKS } from "../../../domain/gateway/human-check.ts";
import { MAX_TIMER_MS, wholeNumber, oneOf, yesOrNo, text } from "../fields.ts";

export const SERVER_PATTERN = /^[A-Za-z0-9][A-Za-z0-9_-]{0,39}$/;
export const SERVER_RULE = "a server name of letters, digits, - and _, at most 40 characters";

export const upstreamToolSection = z.strictObject(
  {
    readOnly: yesOrNo()
      .default(false)
      .describe("`true`: it changes nothing, so it may be called while a stop is open."),
    disabled: yesOrNo().default(false).describe("`true`: no agent sees it."),
    humanCheck: oneOf(HUMAN_CHECKS)
      .default("as-planned")
      .describe(
        "When a person checks a call before it is sent. `as-planned`: in a task as the approved step says, outside a task if the server's own hints call the tool destructive. `always`: every call, in tasks and outside. `never`: steps are drafted without a check, and calls outside a task are not checked.",
      ),
  },
  { error: "a map with the keys readOnly, disabled and humanCheck" },
);

export const UPSTREAM_PLACEMENTS = ["each", "one"] as const;

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
      placement: oneOf(UPSTREAM_PLACEMENTS)
        .default("each")
        .describe(
          "stdio, with several servers: `each` starts a copy on every server, `one` a single copy for all of them, for a program that keeps state.",
        ),
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
