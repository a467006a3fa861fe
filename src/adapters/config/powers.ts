import { createHash } from "node:crypto";
import { isRecord } from "../../base/narrow.ts";
import { defaultConfig, LOG_LEVELS } from "../../contract/config/defaults.ts";
import type { Config, RoleSettings, UpstreamSettings } from "../../contract/config/schema.ts";
import type { PowerKind } from "../../contract/shapes/trust.ts";
import { placeOfUrl } from "../store/database-url.ts";
import { isLoopback } from "./is-loopback.ts";
import { isBuiltinRole } from "./restrict-roles.ts";
import { restrictionMarks } from "./restrictions.ts";
import { workspacePowers } from "./workspace-powers.ts";

/**
 * A setting that runs a program, opens a connection, passes on data, lets a person sign in,
 * instructs agents, or weakens a protection. No other setting needs trust: not restrictions, and
 * not numbers, times and languages.
 */
export type Power = {
  readonly kind: PowerKind;
  readonly name: string;
  readonly content: unknown;
};

const DEFAULTS = defaultConfig();

export function powersOf(config: Config): readonly Power[] {
  return [
    ...Object.entries(config.mcpServers).map(([name, server]) => serverPower(name, server)),
    ...config.tools.map(toolPower),
    ...config.agent.env.map(variablePower),
    programPower(config),
    bindPower(config),
    proxiesPower(config),
    labelsPower(config),
    ...config.dashboard.hosts.map(hostPower),
    ...config.dashboard.origins.map(originPower),
    ...config.auth.users.map(personPower),
    ...config.slack.people.map(slackPersonPower),
    ...config.slack.boards.map(boardPower),
    publicUrlPower(config),
    ...config.roles.map(rolePower),
    alertsPower(config),
    telemetryPower(config),
    storePower(config),
    unplannedPower(config),
    killPower(config),
    stopPower(config),
    outputPower(config),
    spoolPower(config),
    logPower(config),
    logFilePower(config),
    logRotationPower(config),
    historyPower(config),
    ...workspacePowers(config),
  ].filter((power) => power !== undefined);
}

/** A disabled server is not started. The timeout of a call is harmless. */
export function serverPower(name: string, server: UpstreamSettings): Power | undefined {
  const { disabled, timeout_ms: _timeout, placement: _placement, ...content } = server;
  return disabled ? undefined : { kind: "server", name, content };
}

/** The tool's instructions become part of prompts, and `check` is a command. */
export function toolPower(tool: Config["tools"][number]): Power {
  return { kind: "tool", name: tool.id, content: tool };
}

export function variablePower(name: string): Power {
  return { kind: "variable", name, content: null };
}

/** The program that `runner: acp` starts. */
export function programPower({ agent: { acpCommand } }: Config): Power | undefined {
  if (acpCommand.length === 0) return undefined;
  const [command, ...args] = acpCommand;
  return { kind: "program", name: "agent.acpCommand", content: { command, args } };
}

/** Other machines could reach the daemon. */
export function bindPower({ server: { bind } }: Config): Power | undefined {
  if (isLoopback(bind)) return undefined;
  return { kind: "protection", name: "server.bind", content: bind };
}

/** They say from which address a request came. */
export function proxiesPower({ server: { trustedProxies } }: Config): Power | undefined {
  if (trustedProxies.length === 0) return undefined;
  return { kind: "protection", name: "server.trustedProxies", content: trustedProxies };
}

/** An agent that needs a label, such as that of a sandbox, would run on a host that has it not. */
export function labelsPower({ server: { labels } }: Config): Power | undefined {
  if (labels.length === 0) return undefined;
  return { kind: "protection", name: "server.labels", content: labels };
}

export function hostPower(name: string): Power {
  return { kind: "host", name, content: null };
}

/** A page of this origin may use the daemon from a person's browser. */
export function originPower(name: string): Power {
  return { kind: "origin", name, content: null };
}

export function personPower(user: Config["auth"]["users"][number]): Power {
  const { id, role, tokenHash } = user;
  return { kind: "person", name: id, content: { role, tokenHash } };
}

/** This Slack user, or every member of this user group, may act here. */
export function slackPersonPower(entry: Config["slack"]["people"][number]): Power {
  return { kind: "slack", name: "user" in entry ? entry.user : entry.usergroup, content: entry };
}

/** Everybody in this channel sees what agents do. */
export function boardPower(board: Config["slack"]["boards"][number]): Power {
  return { kind: "slack", name: board.channel, content: board };
}

/** Links that let a browser install the app lead there. */
export function publicUrlPower({ slack: { publicUrl } }: Config): Power | undefined {
  return publicUrl === undefined
    ? undefined
    : { kind: "slack", name: "slack.publicUrl", content: publicUrl };
}

/**
 * The model, a restriction to reading, a worktree and labels are harmless: labels leave fewer hosts, and
 * every caller may name some. `requeue` may do work twice. A disabled role counts like any other:
 * changing one line would enable it, so its texts are shown and trusted with the rest.
 */
export function rolePower(role: RoleSettings): Power | undefined {
  const { id, disabled, model: _model, runner: _runner, labels: _labels, ...rest } = role;
  const { access, isolation, onLost, ...texts } = rest;
  const content = {
    ...texts,
    ...(onLost === "requeue" && { onLost }),
    ...(access === "read-write" && { access }),
    ...(isolation !== undefined && isolation !== "worktree" && { isolation }),
  };
  const isEmpty = Object.keys(content).length === 0;
  if (isEmpty && (disabled || isBuiltinRole(id))) return undefined;
  // A new role may write files unless its entry restricts it.
  const effective = isBuiltinRole(id)
    ? content
    : { ...content, access: access ?? "read-write", ...(isolation && { isolation }) };
  return { kind: "role", name: id, content: effective };
}

/** Alerts carry texts of tasks and agents to other places. The language is harmless. */
export function alertsPower({ alerts }: Config): Power | undefined {
  const { locale: _harmless, ...content } = alerts;
  const { rules, webhooks, dashboardUrl } = content;
  const isEmpty = rules.length === 0 && Object.keys(webhooks).length === 0;
  if (isEmpty && dashboardUrl === undefined) return undefined;
  return { kind: "alerts", name: "alerts", content };
}

/** Ids, roles, models and times of all work go there. */
export function telemetryPower({ telemetry: { otlpEndpoint } }: Config): Power | undefined {
  if (otlpEndpoint === undefined) return undefined;
  return { kind: "telemetry", name: "telemetry.otlpEndpoint", content: otlpEndpoint };
}

/**
 * Everything that tasks and agents write goes there, and decisions are read from there. A new password
 * of the same database needs no new trust, and is not shown to the person who decides.
 */
export function storePower({ store: { url, urlFile } }: Config): Power | undefined {
  if (urlFile !== undefined) return { kind: "store", name: "store.urlFile", content: urlFile };
  if (url === undefined) return undefined;
  return { kind: "store", name: "store.url", content: placeOfUrl(url) };
}

export function unplannedPower({ tasks }: Config): Power | undefined {
  if (tasks.unplannedTools !== "allow") return undefined;
  return { kind: "unplanned-tools", name: "tasks.unplannedTools", content: "allow" };
}

export function killPower({ agent }: Config): Power | undefined {
  const ms = agent.hardKillAfter_ms;
  if (ms <= DEFAULTS.agent.hardKillAfter_ms) return undefined;
  return { kind: "stop", name: "agent.hardKillAfter_ms", content: ms };
}

export function stopPower({ interrupt }: Config): Power | undefined {
  const ms = interrupt.hardStopAfter_ms;
  if (ms > 0 && ms <= DEFAULTS.interrupt.hardStopAfter_ms) return undefined;
  return { kind: "stop", name: "interrupt.hardStopAfter_ms", content: ms };
}

/** A larger limit lets an agent fill the disk with output. */
export function spoolPower({ agent }: Config): Power | undefined {
  const bytes = agent.maxSpool_bytes;
  if (bytes <= DEFAULTS.agent.maxSpool_bytes) return undefined;
  return { kind: "protection", name: "agent.maxSpool_bytes", content: bytes };
}

export function outputPower({ agent }: Config): Power | undefined {
  const mb = agent.maxOutput_mb;
  const isSafe = mb !== undefined && mb > 0 && mb * 1_048_576 <= DEFAULTS.agent.maxSpool_bytes;
  if (mb === undefined || isSafe) return undefined;
  return { kind: "protection", name: "agent.maxOutput_mb", content: mb };
}

/** A less detailed log hides what happened. */
export function logPower({ log }: Config): Power | undefined {
  if (LOG_LEVELS.indexOf(log.level) <= LOG_LEVELS.indexOf(DEFAULTS.log.level)) return undefined;
  return { kind: "protection", name: "log.level", content: log.level };
}

/** The daemon would write to any file of its user. */
export function logFilePower({ log }: Config): Power | undefined {
  if (log.file === undefined) return undefined;
  return { kind: "protection", name: "log.file", content: log.file };
}

/** Less hides what happened, more may fill the disk. */
export function logRotationPower({ log: { maxSize_mb, keepFiles } }: Config): Power | undefined {
  const { log } = DEFAULTS;
  if (maxSize_mb === log.maxSize_mb && keepFiles === log.keepFiles) return undefined;
  return { kind: "protection", name: "log rotation", content: { maxSize_mb, keepFiles } };
}

/** A shorter history deletes transcripts that people may need. */
export function historyPower({ history }: Config): Power | undefined {
  const days = history.keep_days;
  if (days >= DEFAULTS.history.keep_days) return undefined;
  return { kind: "protection", name: "history.keep_days", content: days };
}

/** Identifies one power in the trust store. The kind stays readable. */
export function markOf(power: Power): string {
  return `${power.kind}:${sha256(stable([power.kind, power.name, power.content]))}`;
}

/**
 * Identifies the approval rules. In a file that was never trusted they can only restrict; in a
 * trusted one a changed rule may be weaker.
 */
export function rulesMark({ tasks }: Config): string {
  const { approval, approvals, unplannedTools } = tasks;
  return `rules:${sha256(stable({ approval, approvals, unplannedTools }))}`;
}

/** Everything that trusting the file covers. */
export function marksOf(config: Config): readonly string[] {
  return [...powersOf(config).map(markOf), rulesMark(config), ...restrictionMarks(config)];
}

/** The hash of everything that a person is shown and agrees to. */
export function hashOfPowers(config: Config): string {
  return hashOfMarks(marksOf(config));
}

/** Independent of the order of the marks. */
export function hashOfMarks(marks: readonly string[]): string {
  return sha256(marks.toSorted().join("\n"));
}

/** JSON that is independent of the order of keys. */
function stable(value: unknown): string {
  return JSON.stringify(value, (_key, each: unknown) =>
    isRecord(each)
      ? Object.fromEntries(Object.entries(each).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  );
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
