import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { dataDirFor, findConfigFile, socketPathFor } from "../adapters/config/locate.ts";
import { TERMINAL_TEXTS } from "../contract/terminal-texts.ts";
import { LOCALES } from "../domain/locale.ts";
import { type Api, createApi } from "../doors/cli/terminal/api.ts";
import {
  actOnTask,
  decideApproval,
  listApprovals,
  listTasks,
  runTask,
  showApproval,
  showTask,
  TASK_ACTIONS,
} from "../doors/cli/terminal/commands.ts";
import { createConsole } from "../doors/cli/terminal/console.ts";
import type { Session } from "../doors/cli/terminal/follow-task.ts";
import { askOn } from "./client/ask-daemon.ts";
import { connectOrStart } from "./client/connect-or-start.ts";

const URL_WITHIN_MS = 20_000;

export type TerminalOptions = {
  readonly yes?: boolean | undefined;
  readonly detach?: boolean | undefined;
  readonly priority?: string | undefined;
  readonly reason?: string | undefined;
  readonly answer?: string | undefined;
  readonly status?: string | undefined;
  readonly skip?: boolean | undefined;
  readonly "any-arguments"?: boolean | undefined;
};

/** `run`, `tasks` and `approvals`: a person's hands on the daemon of this place. */
export async function runTerminal(
  command: string,
  args: readonly string[],
  options: TerminalOptions,
): Promise<number> {
  check(command, args);
  const session = await openSession(options);
  const interrupt = () => session.onInterrupt();
  process.on("SIGINT", interrupt);
  try {
    return await carryOut(session, command, args, options);
  } finally {
    process.off("SIGINT", interrupt);
    session.console.close();
  }
}

function carryOut(
  session: Session,
  command: string,
  [first, action]: readonly string[],
  options: TerminalOptions,
): Promise<number> {
  if (command === "run") {
    return runTask(session, {
      text: first ?? "",
      workingDirectory: process.cwd(),
      detach: options.detach ?? false,
      ...(options.priority && { priority: options.priority }),
    });
  }
  if (command === "tasks") {
    if (first === undefined) return listTasks(session, options.status);
    return action === undefined
      ? showTask(session, first)
      : actOnTask(session, first, action, options.reason);
  }
  if (first === undefined) return listApprovals(session);
  if (action === undefined) return showApproval(session, first);
  return decideApproval(session, first, {
    decision: action === "reject" ? "reject" : "approve",
    ...(options.reason && { reason: options.reason }),
    ...(options.answer && { answer: options.answer }),
    ...(options["any-arguments"] && { scope: "any_arguments" }),
    ...(options.skip && { onReject: "skip" }),
  });
}

/** Before a daemon is started for nothing. */
function check(command: string, [first, action, ...more]: readonly string[]): void {
  if (more.length > 0) throw new Error(`Unexpected: ${more.join(" ")}.`);
  if (command === "run" && (!first || action !== undefined)) {
    throw new Error('Say what is to be done, in quotes: kuromajutsu run "…"');
  }
  if (action === undefined) return;
  const known = command === "tasks" ? TASK_ACTIONS : ["approve", "reject"];
  if (!known.includes(action)) {
    throw new Error(`${command} <id> takes ${known.join(", ")}; found "${action}".`);
  }
}

async function openSession({ yes }: TerminalOptions): Promise<Session> {
  const api = createApi(await daemonUrl(), process.env["KUROMAJUTSU_TOKEN"] || undefined);
  const session: Session = {
    api,
    console: createConsole({ input: process.stdin, output: process.stdout }, () =>
      session.onInterrupt(),
    ),
    texts: TERMINAL_TEXTS[await localeOf(api)],
    approvesAll: yes ?? false,
    onInterrupt: () => process.exit(130),
  };
  return session;
}

async function localeOf(api: Api): Promise<(typeof LOCALES)[number]> {
  const shape = z.looseObject({ locale: z.enum(LOCALES).catch("ja") });
  return (await api.get("/api/system", shape)).locale;
}

/** Of the daemon of this place; starts one if none runs. */
async function daemonUrl(): Promise<string> {
  const config = findConfigFile(process.cwd(), process.env);
  const dataDir = dataDirFor(config?.path, process.env);
  const named = process.env["KUROMAJUTSU_SOCKET"];
  const socketPath = named || socketPathFor(dataDir, process.env);
  const place = { socketPath, dataDir, config, insideAgent: false };
  for (const giveUpAt = Date.now() + URL_WITHIN_MS; Date.now() < giveUpAt; await sleep(50)) {
    const socket = await connectOrStart(place, () => "start");
    const status = socket && (await askOn(socket, "status"));
    if (status?.url) return status.url;
  }
  throw new Error(`The daemon for ${dataDir} has no HTTP address; its log says more.`);
}
