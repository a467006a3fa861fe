import type { DaemonStatus } from "../../../contract/hello.ts";
import { visibleLine } from "../../../contract/visible-text.ts";
import type { Locale } from "../../../domain/locale.ts";
import type { Style } from "../screen/style.ts";
import { displayWidth, padLabel } from "./display-width.ts";
import { WELCOME_TEXTS, type WelcomeTexts } from "./welcome-texts.ts";

/** What runs agents here. */
export type RunsAgents =
  | { readonly kind: "clis"; readonly names: readonly string[] }
  | { readonly kind: "no-cli"; readonly clis: readonly string[] }
  | { readonly kind: "configured" }
  | { readonly kind: "nothing" };

export type Welcome = {
  readonly status: Pick<
    DaemonStatus,
    "version" | "url" | "configPath" | "dataDir" | "untrusted" | "addresses" | "signIn"
  >;
  readonly runsAgents: RunsAgents;
  /** How a person starts this program. */
  readonly command: string;
  /** The command line that adds our MCP server to Claude Code. */
  readonly claudeCommand: string;
};

/** The banner of `kuromajutsu serve`. */
export function renderWelcome(welcome: Welcome, locale: Locale, style: Style): string {
  const texts = WELCOME_TEXTS[locale];
  const { status, command } = welcome;
  const { untrusted } = status;
  const addresses = status.addresses ?? [];
  const main: readonly Row[] = [
    [texts.dashboard, linked(status.url ?? "—", style)],
    ...addresses.map((address): Row => [texts.team, linked(address, style)]),
    ...(status.signIn === true ? [[texts.signIn, texts.signInNote(command)] as const] : []),
  ];
  const more: readonly Row[] = [
    [texts.clients, style.bold(`${command} init`)],
    [texts.claude, welcome.claudeCommand],
    [texts.json, `${command} mcp`],
  ];
  const places: readonly Row[] = [
    [texts.config, status.configPath === null ? texts.defaults : visibleLine(status.configPath)],
    [texts.data, visibleLine(status.dataDir)],
    [texts.stop, "Ctrl-C"],
  ];
  const width = Math.max(...[...main, ...more, ...places].map(([label]) => displayWidth(label)));
  const rows = (all: readonly Row[]) => all.map((row) => rowLine(row, width, style));
  const lines = [
    `${style.magenta(style.bold("黒魔術 Kuromajutsu"))} ${style.dim(status.version)}`,
    "",
    ...rows(main),
    "",
    sentence(welcome.runsAgents, texts, style),
    "",
    ...rows(more),
    "",
    ...rows(places),
    ...(untrusted ? untrustedLines(untrusted, texts, style) : []),
  ];
  return `\n${lines.map((line) => (line === "" ? "" : `  ${line}`)).join("\n")}\n\n`;
}

type Row = readonly [label: string, value: string];

function rowLine([label, value]: Row, width: number, style: Style): string {
  return `${style.dim(padLabel(label, width))}  ${value}`;
}

function linked(address: string, style: Style): string {
  return style.cyan(style.bold(style.link(address, address)));
}

function sentence(runs: RunsAgents, texts: WelcomeTexts, style: Style): string {
  switch (runs.kind) {
    case "clis":
      return `${style.green("●")} ${texts.agents(runs.names)}`;
    case "no-cli":
      return `${style.yellow("●")} ${texts.noCli(runs.clis)}`;
    case "configured":
      return `${style.yellow("●")} ${texts.rehearsalConfigured}`;
    case "nothing":
      return `${style.red("●")} ${texts.noRole}`;
  }
}

function untrustedLines(
  { notUsed, problem, command }: NonNullable<DaemonStatus["untrusted"]>,
  texts: WelcomeTexts,
  style: Style,
): readonly string[] {
  return [
    "",
    `${style.yellow("!")} ${texts.untrusted}`,
    `    ${notUsed.map(visibleLine).join(", ")}`,
    ...(problem ? [`    ${visibleLine(problem)}`] : []),
    `  ${texts.trust} ${style.bold(command)}`,
  ];
}
