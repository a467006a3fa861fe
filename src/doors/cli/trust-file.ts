import { visibleLine } from "../../contract/visible-text.ts";
import type { Cli, TrustFiles } from "./cli.ts";
import { writeWrapped } from "./screen/wrap-text.ts";
import { askTrust } from "./terminal/ask-trust.ts";
import { createConsole } from "./terminal/console.ts";
import { TRUST_TEXTS, type TrustTexts } from "./terminal/trust-texts.ts";

/**
 * For a command that uses the file in use: asks on a terminal, otherwise says what is missing. If the
 * file cannot be read, the daemon will explain why.
 */
export async function offerTrust(files: TrustFiles, cli: Cli): Promise<void> {
  if (cli.isInsideAgent()) return;
  const path = files.inUse();
  if (path === undefined) return;
  const inspected = await files.inspect(path).catch(() => undefined);
  if (!inspected) return;
  const { trust, weakened } = inspected;
  if (weakened.length === 0 && trust.powers.every(({ isTrusted }) => isTrusted)) return;
  await trustFile(files, cli, { path, yes: false });
}

/** Returns exit code 0 if the file is trusted or needs no trust, else 1. */
export async function trustFile(
  files: TrustFiles,
  cli: Cli,
  { path, yes }: { readonly path: string; readonly yes: boolean },
): Promise<number> {
  const { trust, locale, weakened } = await files.inspect(path);
  const texts = TRUST_TEXTS[locale];
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
    if (!(await askTrust(console, { trust, locale, weakened, yes }))) return 1;
  } finally {
    console.close();
  }
  await files.trust(path, trust.hash);
  say(texts.trusted(visibleLine(path)));
  await reloadDaemon(cli, path, texts);
  return 0;
}

export async function revokeTrust(files: TrustFiles, cli: Cli, path: string): Promise<number> {
  const wasTrusted = files.revoke(path);
  const inspected = await files.inspect(path).catch(() => undefined);
  const texts = TRUST_TEXTS[inspected?.locale ?? (await cli.locale())];
  say(wasTrusted ? texts.revoked(visibleLine(path)) : texts.neverTrusted(visibleLine(path)));
  if (wasTrusted) await reloadDaemon(cli, path, texts);
  return 0;
}

export async function listTrusted(files: TrustFiles, cli: Cli): Promise<number> {
  const trusted = files.list();
  if (trusted.length === 0) say(TRUST_TEXTS[await cli.locale()].noFiles);
  for (const { path, at } of trusted) process.stdout.write(`${at}  ${visibleLine(path)}\n`);
  return 0;
}

async function reloadDaemon(cli: Cli, path: string, texts: TrustTexts): Promise<void> {
  const answer = await cli
    .daemon(path)
    .ask("reload")
    .catch((error: unknown) => ({ notReloaded: String(error), waitingForRestart: undefined }));
  if (!answer) return;
  if (answer.notReloaded) return say(texts.daemonRefused(answer.notReloaded));
  say(texts.daemonTook);
  const waiting = answer.waitingForRestart ?? [];
  if (waiting.length > 0) say(texts.daemonAfterRestart(waiting.join(", ")));
}

function say(text: string): void {
  writeWrapped(process.stderr, `${text}\n`);
}
