import type { ToolAnswer } from "./answer.ts";
import { readNotifications } from "./notifications.ts";
import { shorten } from "./read-prompt.ts";
import type { Report, Run } from "./run.ts";

const ANSWER_CHARS = 300;

/** Returns what went wrong. */
export async function report(run: Run, last: Report): Promise<string | undefined> {
  const { stream, tools, read, diary, texts } = run;
  diary.hasReported = true;
  if (!tools.isKnown) {
    stream.say(texts.simulated(texts.nowhereToReport));
    return undefined;
  }
  const agentId = run.agentId ?? read.agentId;
  if (agentId === undefined) return texts.noAgentId;
  if (read.agentId !== undefined && read.agentId !== agentId) {
    return texts.otherAgentId(agentId, read.agentId);
  }

  const answer = await tell(run, agentId, last);
  if (answer.isError) return texts.reportFailed(shorten(answer.text, ANSWER_CHARS));
  stream.say(texts.simulated(texts.reported));
  // Too late to act on, but the sender can see that the notification was read.
  if (answer.isNotifying) await readNotifications(run);
  return undefined;
}

function tell(run: Run, agentId: string, last: Report): Promise<ToolAnswer> {
  const { tools, touched, texts } = run;
  const { status, summary, result, response = responseOf(run) } = last;
  const words = { agentId, summary: texts.simulated(summary), response };
  if (result !== undefined) return tools.call("report_completed", { ...words, result });
  return tools.call("report_result", {
    ...words,
    status,
    editedFiles: [...touched.edited],
    createdFiles: [...touched.created],
    ...(status === "success" ? {} : { errorMessage: words.summary }),
  });
}

/** One line per fact: no line may look like a directive to a later stage that gets this report. */
function responseOf({ read, touched, model, diary, texts }: Run): string {
  const { report: words } = texts;
  const listed = (names: Iterable<string>) => texts.list([...names]) || texts.none;
  const lines = [
    words.did(model),
    words.firstLine(read.firstLine),
    words.directives(
      listed(read.directives.filter((each) => !diary.failures.has(each)).map(({ verb }) => verb)),
    ),
    ...[...diary.failures.values()].map(words.failed),
    ...diary.events,
    ...diary.notifications.map(({ type, text, from }) => words.notification(type, from, text)),
    words.created(listed(touched.created)),
    words.edited(listed(touched.edited)),
    words.caution,
  ];
  return [words.head, ...lines.map((line) => `- ${line}`)].join("\n");
}
