import { requirePerson } from "../../../app/people/require-person.ts";
import { linkSlackUser } from "../../../app/people/slack-codes.ts";
import { changeTaskStatus } from "../../../app/tasks/change-task-status.ts";
import { textOf } from "../../../base/narrow.ts";
import {
  acceptedAnswer,
  approvalsAnswer,
  cancelledAnswer,
  helpAnswer,
  linkedAnswer,
  linkFailedAnswer,
  linkHelpAnswer,
  notice,
  statusAnswer,
  unknownAnswer,
} from "../cards/answers.ts";
import type { SlackRequest } from "../receive/inbox.ts";
import { SlackCallFailed } from "../slack-api.ts";
import { literalText } from "../text/escape.ts";
import { mention } from "../text/mention.ts";
import { truncateMrkdwn } from "../text/truncate-mrkdwn.ts";
import { actAsPerson, type Actor } from "./act.ts";
import { answer } from "./answer.ts";
import type { Incoming } from "./context.ts";
import { DOOR_TEXTS } from "./door-texts.ts";
import { listMyApprovals, listMyTasks } from "./my-work.ts";
import { localeOf, placeOf } from "./place.ts";
import { readText } from "./read-text.ts";
import { requestTask } from "./request-task.ts";

const MAX_QUOTED = 2_000;

/** `/kuro`: a request, or one of a few words. */
export async function handleCommand(incoming: Incoming, request: SlackRequest): Promise<void> {
  const text = readText(textOf(request.body["text"]) ?? "", undefined);
  const [word = "", ...rest] = text.split(/\s+/);
  const act = { action: "request.refused", subject: `/kuro ${word}` };
  const say = async (build: typeof helpAnswer) => {
    const locale = await localeOf(incoming, request, placeOf(request));
    await answer(incoming, request, build({ locale }));
  };
  switch (word.toLowerCase()) {
    case "":
    case "help":
      return say(helpAnswer);
    case "link":
      return link(incoming, request, rest.join(""));
    case "status":
      return actAsPerson(incoming, request, act, (actor) => showTasks(incoming, request, actor));
    case "approvals":
      return actAsPerson(incoming, request, act, (actor) =>
        showApprovals(incoming, request, actor),
      );
    case "cancel":
      return cancel(incoming, request, rest[0]?.replaceAll("`", ""));
    default:
      // A single word is more likely a mistyped command than a request.
      if (rest.length === 0 && /^[\w-]+$/.test(word)) {
        return say((view) => unknownAnswer({ ...view, word }));
      }
      return actAsPerson(incoming, request, { ...act, subject: "task.created" }, (actor) =>
        requestByCommand(incoming, request, actor, text),
      );
  }
}

async function showTasks(incoming: Incoming, request: SlackRequest, actor: Actor) {
  const { team } = request;
  const tasks = await listMyTasks(incoming, team, actor.identity.person, "running");
  await answer(incoming, request, statusAnswer({ locale: actor.locale, tasks }), actor.place);
}

async function showApprovals(incoming: Incoming, request: SlackRequest, actor: Actor) {
  const approvals = await listMyApprovals(incoming, request.team, actor.identity.person);
  const view = approvalsAnswer({ locale: actor.locale, approvals });
  await answer(incoming, request, view, actor.place);
}

async function cancel(incoming: Incoming, request: SlackRequest, taskId: string | undefined) {
  const subject = `task.cancelled ${taskId ?? ""}`;
  const act = { action: "request.refused", subject, ...(taskId !== undefined && { taskId }) };
  await actAsPerson(incoming, request, act, async ({ identity, locale, place }) => {
    if (taskId === undefined) {
      return answer(incoming, request, notice(DOOR_TEXTS[locale].commandNeedsId), place);
    }
    if (!(await incoming.core.store.getTask(taskId))) {
      return answer(incoming, request, notice(DOOR_TEXTS[locale].noSuchTask), place);
    }
    const change = { taskId, status: "cancelled" } as const;
    const changed = await changeTaskStatus(incoming.core, identity, change);
    const { title, request: asked } = changed.task;
    const view = cancelledAnswer({ locale, title: title ?? asked });
    await answer(incoming, request, view, place);
  });
}

/** Anyone may try a code: it is what makes them a person. */
async function link(incoming: Incoming, request: SlackRequest, code: string): Promise<void> {
  const { core } = incoming;
  const { team, user, userTeam, isRepeated } = request;
  const locale = await localeOf(incoming, request, placeOf(request));
  const say = (view: ReturnType<typeof linkHelpAnswer>) => answer(incoming, request, view);
  if (code === "") return say(linkHelpAnswer({ locale }));
  if (!incoming.linkLimit.admits(`${team}:${user}`)) {
    return say(linkFailedAnswer({ locale, reason: "too_many" }));
  }
  const before = await core.store.getSlackLink(team, user);
  const known = isRepeated && before ? core.people.find(before.personId) : undefined;
  const isMember = await incoming.people.isMember({ team, user, userTeam });
  const person = known ?? (isMember ? await linkSlackUser(core, { team, user, code }) : undefined);
  await say(
    person
      ? linkedAnswer({ locale, name: person.name })
      : linkFailedAnswer({ locale, reason: "expired" }),
  );
}

/** A command leaves no message in the channel, so the thread begins with one of ours. */
async function requestByCommand(
  incoming: Incoming,
  request: SlackRequest,
  actor: Actor,
  text: string,
): Promise<void> {
  const { core } = incoming;
  const { team, key: messageTs } = request;
  const { locale, place } = actor;
  const { channel = "" } = place;
  requirePerson(actor.identity, "operator");
  if (!(await core.store.getSlackRequest(team, channel, messageTs))) {
    const threadTs = await postRequest(incoming, request, actor, text);
    if (threadTs === undefined) {
      return answer(incoming, request, notice(DOOR_TEXTS[locale].notInChannel), place);
    }
    await requestTask(incoming, request, actor, { channel, threadTs, messageTs, text, files: [] });
  }
  await answer(incoming, request, acceptedAnswer({ locale }), place);
}

/** Undefined: the app may not post in this channel. */
async function postRequest(
  { api }: Incoming,
  { team, user }: SlackRequest,
  { locale, identity, place }: Actor,
  text: string,
): Promise<string | undefined> {
  const who = mention({ name: identity.person.name, slackUserId: user });
  const quoted = truncateMrkdwn(literalText(text), MAX_QUOTED).replaceAll("\n", "\n>");
  const said = `${DOOR_TEXTS[locale].requestedBy(who)}\n>${quoted}`;
  const args = { channel: place.channel, text: said };
  try {
    const posted = await api.call({ team, method: "chat.postMessage", args, isUrgent: true });
    return textOf(posted["ts"]);
  } catch (error) {
    if (error instanceof SlackCallFailed && error.failure === "refused") return undefined;
    throw error;
  }
}
