import { reasonIn } from "../../../contract/reason-texts.ts";
import { getAgent } from "../../../contract/routes/agents.ts";
import { getGroup } from "../../../contract/routes/groups.ts";
import { visibleLine } from "../../../contract/visible-text.ts";
import { DaemonStopped } from "../terminal/api.ts";
import { createBell } from "../terminal/bell.ts";
import type { Session } from "../terminal/session.ts";
import { watchTask } from "../terminal/watch-task.ts";
import { localeOf } from "./show-templates.ts";
import { TEMPLATE_TEXTS } from "./template-texts.ts";

const OPEN: readonly string[] = ["queued", "running"];
const MARKS: Readonly<Record<string, string>> = {
  queued: "⬜",
  running: "🔄",
  completed: "✅",
  resultReported: "✅",
  cancelled: "⏹️",
};

/** Shows the agents of a group until all have ended. Ctrl-C detaches. Returns the exit code. */
export async function followGroup(session: Session, groupId: string): Promise<number> {
  const { api, console, texts, program } = session;
  const words = TEMPLATE_TEXTS[localeOf(session)];
  const bell = createBell();
  const printed = new Map<string, string>();
  let isDetached = false;
  session.onInterrupt = () => {
    isDetached = true;
    bell.ring();
  };
  const stop = watchTask(api, groupId, () => bell.ring());
  bell.ring();
  try {
    for (;;) {
      await bell.next();
      if (isDetached) {
        console.print(words.detached);
        return EXIT.detached;
      }
      const agents = await readAgents(session, groupId);
      for (const { agentId, role, status } of agents) {
        if (printed.get(agentId) === status) continue;
        printed.set(agentId, status);
        const mark = MARKS[status] ?? "❌";
        console.print(`${mark} ${role}: ${words.agent[status]}  ${agentId}`);
      }
      if (agents.every(({ status }) => !OPEN.includes(status))) {
        return await printEnd(session, agents);
      }
    }
  } catch (error) {
    if (!(error instanceof DaemonStopped)) throw error;
    console.print(texts.daemonStopped(`${program} groups ${groupId}`));
    return EXIT.detached;
  } finally {
    stop();
  }
}

const EXIT = { ok: 0, failed: 1, detached: 3 } as const;

type ShownAgent = Awaited<ReturnType<typeof readAgents>>[number];

/** Oldest first. */
async function readAgents({ api }: Session, groupId: string) {
  const { agents } = await api.call(getGroup, { params: { id: groupId } });
  return agents.toReversed();
}

async function printEnd(session: Session, agents: readonly ShownAgent[]): Promise<number> {
  const { api, console } = session;
  const words = TEMPLATE_TEXTS[localeOf(session)];
  let succeeded = 0;
  for (const { agentId, role } of agents) {
    const { result } = await api.call(getAgent, { params: { id: agentId } });
    if (result?.status === "success") succeeded += 1;
    const said = result?.summary || reasonIn(result?.errorMessage ?? "", session.texts.locale);
    if (said !== "") console.print(`\n── ${role}\n${visibleLine(said)}`);
  }
  console.print(`\n${words.ended(succeeded, agents.length)}`);
  return succeeded === agents.length ? EXIT.ok : EXIT.failed;
}
