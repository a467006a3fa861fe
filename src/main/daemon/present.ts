import { setTimeout as sleep } from "node:timers/promises";
import type { Core } from "../../app/core.ts";
import { whyRehearsalOnly } from "../../app/roles/rehearsal-only.ts";
import { clisOf, cliTitle } from "../../app/roles/resolve-runner.ts";
import { runnersInUse } from "../../app/roles/runners-in-use.ts";
import { abilitiesOf, createStyle } from "../../doors/cli/screen/style.ts";
import { writeWrapped } from "../../doors/cli/screen/wrap-text.ts";
import { NARRATION_TEXTS } from "../../doors/cli/serve/narration-texts.ts";
import { renderWelcome, type RunsAgents } from "../../doors/cli/serve/welcome.ts";
import { openBrowser } from "../cli/open-browser.ts";
import { commandName } from "../entries.ts";
import { claudeCommand } from "./mcp-snippet.ts";
import { startNarration } from "./narrate.ts";
import type { Daemon } from "./serve.ts";

/** Dashboards that are still open connect again within this time; then no other tab is opened. */
const RECONNECT_MS = 700;

export type Present = {
  /** Only the address, then nothing but warnings and errors. */
  readonly isQuiet: boolean;
  readonly opensBrowser: boolean;
};

/** Shows a person in the terminal where the daemon is and what happens in it. */
export async function present(daemon: Daemon, { isQuiet, opensBrowser }: Present) {
  const { core } = daemon;
  const { stderr } = process;
  const style = createStyle(abilitiesOf(process.env, stderr.isTTY));
  const status = await daemon.status();
  const { url } = status;
  const { locale } = core.settings;
  const mcpCommand = claudeCommand();
  const print = (text: string) => writeWrapped(stderr, text, mcpCommand);
  if (isQuiet) print(`${style.link(url ?? "", url ?? "")}\n`);
  else {
    const runsAgents = await whatRunsAgents(core);
    const command = commandName();
    print(renderWelcome({ status, runsAgents, command, claudeCommand: mcpCommand }, locale, style));
  }
  if (opensBrowser && url !== null) void openUnlessOpen(daemon, url);
  if (isQuiet) return { stop: () => Promise.resolve() };
  const texts = NARRATION_TEXTS[locale];
  return startNarration(core, {
    locale,
    texts,
    style,
    url,
    timeOf,
    print: (line) => print(`${line}\n`),
  });
}

async function openUnlessOpen(daemon: Daemon, url: string): Promise<void> {
  await sleep(RECONNECT_MS);
  const { clients } = await daemon.status();
  if (clients === 0) openBrowser(url);
}

async function whatRunsAgents(core: Core): Promise<RunsAgents> {
  const why = await whyRehearsalOnly(core);
  if (why === "no-cli") return { kind: "no-cli", clis: clisOf(core).map(cliTitle) };
  if (why === "configured") return { kind: "configured" };
  const runners = await runnersInUse(core);
  return runners.length === 0
    ? { kind: "nothing" }
    : { kind: "clis", names: runners.map(cliTitle) };
}

/** In the time zone of the terminal. */
function timeOf(at: number): string {
  return new Date(at).toTimeString().slice(0, "HH:MM:SS".length);
}
