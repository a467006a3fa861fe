import type { WireApproval } from "../../../contract/shapes/approvals.ts";
import type { WireTaskDetail } from "../../../contract/shapes/tasks.ts";
import type { Cli } from "../cli.ts";
import { writeWrapped } from "../screen/wrap-text.ts";
import { type Api, DaemonStopped } from "./api.ts";
import { connectApi } from "./connect-api.ts";
import { type Console, createConsole } from "./console.ts";
import { TERMINAL_TEXTS, type TerminalTexts } from "./terminal-texts.ts";

export type Session = {
  readonly api: Api;
  readonly console: Console;
  readonly texts: TerminalTexts;
  /** How a person starts this program. */
  readonly program: string;
  /** `--yes`: approves everything that is asked, except questions. */
  readonly approvesAll: boolean;
  /** Explains a demo while it runs. */
  readonly guide?: Guide;
  /** Called on Ctrl-C. Replaced while a question is open. */
  onInterrupt: () => void;
  /** Called with a sentence when another daemon follows one that has ended. Replaced on a full screen. */
  onRevived: (sentence: string) => void;
};

export type Guide = {
  /** Before a person is asked to decide. */
  explain(approval: Pick<WireApproval, "kind">): void;
  /** Whenever the task has changed; nothing else is asked until it resolves. */
  look(task: WireTaskDetail): Promise<void>;
};

/** What a command needs that only asks and prints. */
export type Face = Pick<Session, "api" | "console" | "texts" | "program">;

/** Opens a session with the daemon, which is started if none runs, for the time of the work. */
export async function withSession(
  cli: Cli,
  { approvesAll }: Pick<Session, "approvesAll">,
  work: (session: Session) => Promise<number>,
): Promise<number> {
  const running = await cli.daemon().ask("status");
  const texts = TERMINAL_TEXTS[await cli.locale()];
  const api = await connectApi(cli, async () => {
    const revived = await cli.reviveDaemon();
    if (revived.kind === "stopped") {
      throw new DaemonStopped(texts.daemonStopped(`${cli.command} serve`));
    }
    const { kind, url } = revived;
    session.onRevived(kind === "started" ? texts.daemonRevived(url) : texts.reconnected);
    return url;
  });
  // On stderr, so that a script which reads the answer is not disturbed. On a terminal it was said.
  if (!running && !process.stderr.isTTY)
    writeWrapped(process.stderr, `${texts.daemonStarted(api.url)}\n`);
  const session: Session = {
    api,
    console: createConsole({ input: process.stdin, output: process.stdout }, interrupt),
    texts,
    program: cli.command,
    approvesAll,
    onInterrupt: () => process.exit(130),
    // On stderr for scripts, which read the answer.
    onRevived: (sentence) =>
      session.console.canRedraw
        ? session.console.print(sentence)
        : writeWrapped(process.stderr, `${sentence}\n`),
  };
  function interrupt(): void {
    if (!session.console.isPaging()) session.onInterrupt();
  }
  process.on("SIGINT", interrupt);
  try {
    return await work(session);
  } finally {
    process.off("SIGINT", interrupt);
    session.console.close();
  }
}

/** The page of the dashboard that shows it. */
export function addressOf(
  { url }: Pick<Api, "url">,
  page: "tasks" | "approvals" | "agents" | "groups",
  id: string,
): string {
  return new URL(`/${page}/${encodeURIComponent(id)}`, url).href;
}
