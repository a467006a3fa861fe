import { fieldsOf, textOf } from "../../../base/narrow.ts";
import { greeting, suggestedPrompts } from "../cards/answers.ts";
import type { Incoming } from "../incoming/context.ts";
import { localeOf } from "../incoming/place.ts";
import type { SlackRequest } from "../receive/inbox.ts";
import { SlackCallFailed, type SlackCall } from "../slack-api.ts";

const NAME = "Kuromajutsu";

/** A person opened the conversation with the app: offer prompts. It has no thread yet. */
export async function greetInMessages(incoming: Incoming, request: SlackRequest): Promise<void> {
  const channel = textOf(fieldsOf(request.body["event"])["channel"]);
  if (channel === undefined) return;
  await offerPrompts(incoming, request, { channel_id: channel });
}

/** The same in the assistant view of apps that were made earlier: each conversation is a thread. */
export async function greetInThread(incoming: Incoming, request: SlackRequest): Promise<void> {
  const thread = fieldsOf(fieldsOf(request.body["event"])["assistant_thread"]);
  const user = textOf(thread["user_id"]) ?? request.user;
  const [channel, thread_ts] = [textOf(thread["channel_id"]), textOf(thread["thread_ts"])];
  if (channel === undefined || thread_ts === undefined) return;
  const from = { ...request, user };
  const locale = await localeIn(incoming, from);
  const { text } = greeting({ locale, name: NAME });
  const { team } = request;
  if (!request.isRepeated) {
    await tolerant(incoming, {
      team,
      method: "chat.postMessage",
      args: { channel, thread_ts, text },
    });
  }
  await offerPrompts(incoming, from, { channel_id: channel, thread_ts });
}

async function offerPrompts(
  incoming: Incoming,
  request: Pick<SlackRequest, "team" | "user">,
  place: Readonly<Record<string, string>>,
): Promise<void> {
  const prompts = suggestedPrompts({ locale: await localeIn(incoming, request) });
  const args = { ...place, prompts };
  const method = "assistant.threads.setSuggestedPrompts";
  await tolerant(incoming, { team: request.team, method, args });
}

function localeIn(incoming: Incoming, request: Pick<SlackRequest, "team" | "user">) {
  const nowhere = { channel: undefined, threadTs: undefined, messageTs: undefined };
  return localeOf(incoming, request, nowhere);
}

/** A greeting is not worth a second try. */
async function tolerant({ api, core }: Incoming, call: SlackCall): Promise<void> {
  try {
    await api.call(call);
  } catch (error) {
    if (!(error instanceof SlackCallFailed)) throw error;
    core.log.debug("Slack refused a greeting.", { method: call.method, error: error.code });
  }
}
