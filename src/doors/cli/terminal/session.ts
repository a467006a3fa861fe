import type { Cli } from "../cli.ts";
import { connectApi } from "./connect-api.ts";
import { createConsole } from "./console.ts";
import type { Session } from "./follow-task.ts";
import { TERMINAL_TEXTS } from "./terminal-texts.ts";

/** Opens a session with the daemon, which is started if none runs, for the time of the work. */
export async function withSession(
  cli: Cli,
  { approvesAll }: Pick<Session, "approvesAll">,
  work: (session: Session) => Promise<number>,
): Promise<number> {
  const api = await connectApi(cli);
  const session: Session = {
    api,
    console: createConsole({ input: process.stdin, output: process.stdout }, interrupt),
    texts: TERMINAL_TEXTS[await cli.locale()],
    approvesAll,
    onInterrupt: () => process.exit(130),
  };
  function interrupt(): void {
    session.onInterrupt();
  }
  process.on("SIGINT", interrupt);
  try {
    return await work(session);
  } finally {
    process.off("SIGINT", interrupt);
    session.console.close();
  }
}
