import { setTimeout as sleep } from "node:timers/promises";
import type { ConfigError } from "../../adapters/config/config-error.ts";
import type { Cli } from "../../doors/cli/cli.ts";
import { isInsideAgent } from "../client/agent-above.ts";
import { askDaemon, askOn } from "../client/ask-daemon.ts";
import { connectOrStart, connectToRunning } from "../client/connect-or-start.ts";
import { createKeyLender } from "../client/lend-keys.ts";
import { commandName, ownCommand } from "../entries.ts";
import { VERSION } from "../version.ts";
import { findPlace, placeOf } from "./find-place.ts";
import { localeHere } from "./locale-here.ts";

const URL_WITHIN_MS = 20_000;
const POLL_MS = 50;

/** What the commands need. Adapters are loaded by the commands that use them. */
export function createCli(): Cli {
  return {
    version: VERSION,
    command: commandName(),
    ownCommand: ownCommand(),
    locale: localeHere,
    isInsideAgent,
    daemon(configPath) {
      const place = configPath === undefined ? findPlace() : placeOf(configPath);
      return { dataDir: place.dataDir, ask: (command) => askDaemon(place, command) };
    },
    daemonUrl,
    async reviveDaemon() {
      const { reviveDaemon } = await import("../client/revive-daemon.ts");
      return reviveDaemon(findPlace());
    },
    keyTicket: createKeyLender(() => connectToRunning(findPlace())),
    async serve({ quiet, open, ...options }) {
      const { runDaemon } = await import("../daemon/run-daemon.ts");
      const isTerminal = process.stderr.isTTY;
      return runDaemon(
        { ...options, background: false, foundConfig: undefined, isWatched: isTerminal },
        { isQuiet: quiet, opensBrowser: open && isTerminal && process.stdin.isTTY },
      );
    },
    async demo(options) {
      const { runDemo } = await import("../demo/run-demo.ts");
      return runDemo(options);
    },
    async clientSetup() {
      const { mcpSnippet, claudeCommand } = await import("../daemon/mcp-snippet.ts");
      return { snippet: mcpSnippet(), claudeCommand: claudeCommand() };
    },
    async openBrowser(url) {
      const { openBrowser } = await import("./open-browser.ts");
      return openBrowser(url);
    },
    async setup() {
      const { createSetup } = await import("./create-setup.ts");
      return createSetup(await localeHere());
    },
    async trust() {
      const { createTrustFiles } = await import("./trust-files.ts");
      return createTrustFiles();
    },
    async users() {
      const { createUserFile } = await import("./user-file.ts");
      return createUserFile();
    },
    async audit() {
      const { createOfflineAudit } = await import("./offline-audit.ts");
      const { findStore } = await import("./with-store.ts");
      return createOfflineAudit(await findStore());
    },
    async slack() {
      const { createSlackSetup } = await import("./slack-setup.ts");
      return createSlackSetup();
    },
    async slackWorkspaces() {
      const { createOfflineSlack } = await import("./slack-setup.ts");
      const { findStore } = await import("./with-store.ts");
      return createOfflineSlack(await findStore());
    },
    async services() {
      const { createServices } = await import("./services.ts");
      return createServices();
    },
    async migration() {
      const { createStoreMigration } = await import("./store-migration.ts");
      return createStoreMigration();
    },
    work: async (options) => (await import("../worker/run-worker.ts")).runWorker(options),
    async backups() {
      const { createBackups } = await import("../backup/backups.ts");
      return createBackups(findPlace());
    },
  };
}

async function daemonUrl(): Promise<string> {
  const place = findPlace();
  let hasStarted = false;
  for (const giveUpAt = Date.now() + URL_WITHIN_MS; Date.now() < giveUpAt; await sleep(POLL_MS)) {
    const socket = await connectOrStart(
      place,
      () => "start",
      () => (hasStarted = true),
    ).catch(async (error: unknown) => {
      throw (await problemOfConfig()) ?? error;
    });
    const status = socket && (await askOn(socket, "status"));
    if (status?.url) {
      if (hasStarted) await sayStarted(status.url);
      return status.url;
    }
  }
  throw new Error(`The daemon for ${place.dataDir} has no HTTP address; its log says more.`);
}

/** Says it in the language of the person; the log of the daemon is in English. */
async function problemOfConfig(): Promise<ConfigError | undefined> {
  const { configSource } = await import("../daemon/config-source.ts");
  const { ConfigError } = await import("../../adapters/config/config-error.ts");
  const source = configSource({
    background: true,
    port: undefined,
    foundConfig: undefined,
    conformance: false,
  });
  return source.load().then(
    () => undefined,
    (error: unknown) => (error instanceof ConfigError ? error : undefined),
  );
}

/** For a person, so not to a script; on stderr, because the output of commands may be piped. */
async function sayStarted(url: string): Promise<void> {
  if (!process.stderr.isTTY) return;
  const said = {
    ja: `デーモンをバックグラウンドで起動しました。ダッシュボード: ${url}`,
    en: `Started a daemon in the background. Dashboard: ${url}`,
  };
  process.stderr.write(`${said[await localeHere()]}\n`);
}
