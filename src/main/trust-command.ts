import { realpathSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { inspectTrust, trustFile } from "../adapters/config/inspect-trust.ts";
import {
  CONFIG_FILE_NAME,
  dataDirFor,
  findConfigFile,
  socketPathFor,
} from "../adapters/config/locate.ts";
import { createTrustStore } from "../adapters/config/trust-store.ts";
import { TRUST_TEXTS, type TrustTexts } from "../contract/trust-texts.ts";
import { visibleLine } from "../contract/visible-text.ts";
import { askTrust } from "../doors/cli/terminal/ask-trust.ts";
import { createConsole } from "../doors/cli/terminal/console.ts";
import { isInsideAgent, refuseAgents } from "./client/agent-above.ts";
import { askDaemon } from "./client/ask-daemon.ts";

export type TrustOptions = {
  readonly yes?: boolean | undefined;
  readonly list?: boolean | undefined;
  readonly revoke?: boolean | undefined;
};

/** `kuromajutsu trust [path]`. Exit code 0: it is trusted, or needs no trust; 1: it is not. */
export async function runTrust(args: readonly string[], options: TrustOptions): Promise<number> {
  refuseAgents("trust");
  const [named, ...more] = args;
  if (more.length > 0) throw new Error(`Unexpected: ${more.join(" ")}.`);
  if (options.list) return list();
  const path = named === undefined ? nearest() : fileOf(named);
  return options.revoke ? revoke(path) : decide(path, options.yes ?? false);
}

/**
 * Before a command that uses the file: asks on a terminal, and otherwise says what is missing. A file
 * that cannot be read is left to the daemon, which explains it.
 */
export async function offerTrust(): Promise<void> {
  if (isInsideAgent()) return;
  const found = findConfigFile(process.cwd(), process.env);
  if (!found || found.explicit) return;
  const inspected = await inspectTrust(found.path, process.env).catch(() => undefined);
  if (!inspected) return;
  const { trust, weakened } = inspected;
  if (weakened.length === 0 && trust.powers.every(({ isTrusted }) => isTrusted)) return;
  await decide(found.path, false);
}

async function decide(path: string, yes: boolean): Promise<number> {
  const { trust, config, weakened } = await inspectTrust(path, process.env);
  const texts = TRUST_TEXTS[config.locale];
  if (trust.problem) throw new Error(trust.problem);
  const isTrusted = trust.powers.every((power) => power.isTrusted);
  if (isTrusted && weakened.length === 0) {
    const isHarmless = trust.powers.length === 0;
    say(isHarmless ? texts.harmless(visibleLine(path)) : texts.already(visibleLine(path)));
    return 0;
  }
  const console = createConsole({ input: process.stdin, output: process.stderr }, () =>
    process.exit(130),
  );
  try {
    if (!(await askTrust(console, { trust, locale: config.locale, weakened, yes }))) return 1;
  } finally {
    console.close();
  }
  await trustFile(path, process.env, trust.hash);
  say(texts.trusted(visibleLine(path)));
  await reloadDaemon(path, texts);
  return 0;
}

async function revoke(path: string): Promise<number> {
  const store = createTrustStore(process.env);
  const wasTrusted = store.read().files[path] !== undefined;
  store.change(path, () => undefined);
  const texts = TRUST_TEXTS[await localeOf(path)];
  say(wasTrusted ? texts.revoked(visibleLine(path)) : texts.neverTrusted(visibleLine(path)));
  if (wasTrusted) await reloadDaemon(path, texts);
  return 0;
}

function list(): number {
  const { files, problem } = createTrustStore(process.env).read();
  if (problem) throw new Error(problem);
  const paths = Object.keys(files).toSorted();
  if (paths.length === 0) say(TRUST_TEXTS.en.noFiles);
  for (const path of paths) process.stdout.write(`${files[path]?.at}  ${visibleLine(path)}\n`);
  return 0;
}

function nearest(): string {
  const found = findConfigFile(process.cwd(), { ...process.env, KUROMAJUTSU_CONFIG: "" });
  if (!found) throw new Error(TRUST_TEXTS.en.none);
  return found.path;
}

/** As the search gives it: links are followed. */
function fileOf(named: string): string {
  const path = resolve(named);
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  const file = isFolder ? join(path, CONFIG_FILE_NAME) : path;
  try {
    return realpathSync(file);
  } catch {
    // It may be revoked after it was deleted.
    return file;
  }
}

async function localeOf(path: string) {
  const inspected = await inspectTrust(path, process.env).catch(() => undefined);
  return inspected?.config.locale ?? "ja";
}

async function reloadDaemon(path: string, texts: TrustTexts): Promise<void> {
  const dataDir = dataDirFor(path, process.env);
  const socketPath = process.env["KUROMAJUTSU_SOCKET"] || socketPathFor(dataDir, process.env);
  const told = await askDaemon({ socketPath, dataDir }, "reload").catch((error: unknown) => ({
    notReloaded: String(error),
    waitingForRestart: undefined,
  }));
  if (!told) return;
  if (told.notReloaded) return say(texts.daemonRefused(told.notReloaded));
  say(texts.daemonTook);
  const waiting = told.waitingForRestart ?? [];
  if (waiting.length > 0) say(texts.daemonAfterRestart(waiting.join(", ")));
}

function say(text: string): void {
  process.stderr.write(`${text}\n`);
}
