import { fieldsOf, textOf } from "../../../base/narrow.ts";
import { acceptedAnswer, helpAnswer, notice } from "../cards/answers.ts";
import type { SlackRequest } from "../receive/inbox.ts";
import { SlackCallFailed } from "../slack-api.ts";
import { actAsPerson } from "./act.ts";
import { answer } from "./answer.ts";
import type { Incoming } from "./context.ts";
import { DOOR_TEXTS } from "./door-texts.ts";
import { readText } from "./read-text.ts";
import { requestTask } from "./request-task.ts";

/** The shortcut of a message: its text becomes a task of the person who used the shortcut. */
export async function handleShortcut(incoming: Incoming, request: SlackRequest): Promise<void> {
  await request.ack.send();
  const message = fieldsOf(request.body["message"]);
  const channel = textOf(fieldsOf(request.body["channel"])["id"]) ?? "";
  const messageTs = textOf(message["ts"]) ?? "";
  const threadTs = textOf(message["thread_ts"]) ?? messageTs;
  const self = await incoming.api.botUserOf(request.team);
  const text = readText(textOf(message["text"]) ?? "", self);
  const { files } = message;
  const hasFiles = Array.isArray(files) && files.length > 0;
  const act = { action: "request.refused", subject: "task.created" };
  await actAsPerson(incoming, request, act, async (actor) => {
    const { locale, place } = actor;
    const say = (view: ReturnType<typeof helpAnswer>) => answer(incoming, request, view, place);
    if (text === "" && !hasFiles) return say(helpAnswer({ locale }));
    if (!(await mayPost(incoming, request, channel))) {
      return say(notice(DOOR_TEXTS[locale].notInChannel));
    }
    await requestTask(incoming, request, actor, { channel, threadTs, messageTs, text, files });
    await say(acceptedAnswer({ locale }));
  });
}

/** A shortcut works in every channel of the person, also where the app is not a member. */
async function mayPost(
  { api }: Incoming,
  { team }: SlackRequest,
  channel: string,
): Promise<boolean> {
  try {
    const args = { channel };
    const found = await api.call({ team, method: "conversations.info", args, isUrgent: true });
    const { is_member, is_im } = fieldsOf(found["channel"]);
    return is_member === true || is_im === true;
  } catch (error) {
    if (error instanceof SlackCallFailed && error.failure === "refused") return false;
    throw error;
  }
}
