import * as z from "zod";
import { LOCALES } from "../../domain/locale.ts";
import { list, oneOf, section } from "./fields.ts";
import { agentSection } from "./sections/agent.ts";
import { alertsSection } from "./sections/alerts.ts";
import { dashboardSection } from "./sections/dashboard.ts";
import {
  healthCheckSection,
  historySection,
  logSection,
  pricesSection,
} from "./sections/operation.ts";
import { authSection } from "./sections/people.ts";
import { roleSection, toolSection } from "./sections/roles.ts";
import { serverSection } from "./sections/server.ts";
import { slackSection } from "./sections/slack.ts";
import { storeSection } from "./sections/store.ts";
import { interruptSection, type policySection, tasksSection } from "./sections/tasks.ts";
import { telemetrySection } from "./sections/telemetry.ts";
import { SERVER_PATTERN, SERVER_RULE, upstreamSection } from "./sections/upstream.ts";
import { workspaceSection } from "./sections/workspace.ts";

/** The one description of `kuromajutsu.config.yaml`; the reference is generated from it. */
export const configSchema = z.strictObject(
  {
    locale: oneOf(LOCALES)
      .optional()
      .describe(
        "Language of the product's own texts, for every person and client. Left out: each request decides (the browser, `LC_ALL`, `LC_MESSAGES` or `LANG` of a terminal or an MCP client, `Accept-Language`), and these variables of the daemon decide for what it writes by itself.",
      ),
    server: section(serverSection).describe("Where the daemon listens."),
    dashboard: section(dashboardSection).describe("The dashboard and everything else over HTTP."),
    agent: section(agentSection).describe("How agents run."),
    log: section(logSection).describe("What is logged."),
    healthCheck: section(healthCheckSection).describe("How roles and models are checked."),
    history: section(historySection).describe("How long things are kept."),
    store: section(storeSection).describe(
      "Where everything is kept; SQLite unless it has an address.",
    ),
    prices: section(pricesSection).describe("What tokens cost."),
    tasks: section(tasksSection).describe("How tasks are planned, approved and executed."),
    workspace: section(workspaceSection).describe(
      "Worktrees of agents, and how their changes are merged.",
    ),
    interrupt: section(interruptSection).describe("How agents are stopped by people."),
    alerts: section(alertsSection).describe(
      "Alerts for people: what waits for them, finished or failed.",
    ),
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
    slack: section(slackSection).describe(
      "Slack; nothing of it is started without SLACK_BOT_TOKEN or SLACK_CLIENT_ID.",
    ),
    telemetry: section(telemetrySection).describe(
      "Traces and metrics for OpenTelemetry; off unless it has an address.",
    ),
    auth: section(authSection).describe("The people who may sign in."),
    roles: list(roleSection, "a list of roles").describe(
      "Roles, merged by id with the built-in ones: a role with a built-in id changes only what it writes; a new role needs `name`, `description`, `model` and `systemPrompt`.",
    ),
    tools: list(toolSection, "a list of role tools").describe("Role tools of your own."),
  },
  { error: "a map of settings" },
);

export type Config = z.infer<typeof configSchema>;
export type AlertsSettings = z.infer<typeof alertsSection>;
export type UpstreamSettings = z.infer<typeof upstreamSection>;
export type PolicySettings = z.infer<typeof policySection>;
export type RoleSettings = z.infer<typeof roleSection>;
