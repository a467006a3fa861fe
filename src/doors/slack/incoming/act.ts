import type { PersonIdentity } from "../../../app/core.ts";
import { auditRefusals } from "../../../app/people/audit-refusals.ts";
import type { Locale } from "../../../domain/locale.ts";
import { slackPersonId } from "../../../domain/people/slack-ids.ts";
import { Refusal } from "../../../domain/refusal.ts";
import { refusalNotice } from "../cards/refusals.ts";
import type { FoundSender } from "../people/slack-people.ts";
import type { SlackRequest } from "../receive/inbox.ts";
import { answer } from "./answer.ts";
import type { Incoming } from "./context.ts";
import { localeOf, placeOf, type Place } from "./place.ts";
import { explainRefusal } from "./refusals.ts";

/** A person who does something in Slack. */
export type Actor = {
  readonly identity: PersonIdentity;
  readonly locale: Locale;
  readonly place: Place;
};

export type Act = {
  /** For the audit of refusals: what the person tried. */
  readonly action: string;
  readonly subject: string;
  readonly approvalId?: string;
  readonly taskId?: string;
  /** The use case audits its own refusals. */
  readonly isAudited?: boolean;
};

/** Runs the work for the person behind the request. A refusal is audited and explained to them. */
export async function actAsPerson(
  incoming: Incoming,
  request: SlackRequest,
  act: Act,
  work: (actor: Actor) => Promise<void>,
): Promise<void> {
  const place = placeOf(request);
  const found = await incoming.people.find(request);
  const locale = await localeOf(incoming, request, place);
  if ("stranger" in found) {
    await auditStranger(incoming, request, act, found.stranger);
    return answer(incoming, request, refusalNotice({ locale, reason: found.stranger }), place);
  }
  const identity: PersonIdentity = { kind: "person", person: found.person };
  const run = () => work({ identity, locale, place });
  try {
    await (act.isAudited ? run() : auditRefusals(incoming.core, attemptOf(act, identity), run));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    await answer(incoming, request, await noticeOf(incoming, request, act, found, error), place);
  }
}

/** The explanation of a refusal, in the language of the thread. */
export async function noticeOf(
  incoming: Incoming,
  request: SlackRequest,
  { approvalId, taskId }: Pick<Act, "approvalId" | "taskId">,
  found: Extract<FoundSender, { readonly person: unknown }>,
  error: Refusal,
) {
  const locale = await localeOf(incoming, request, placeOf(request));
  const { id: by, groups } = found.person;
  const subject = { team: request.team, locale, by, groups, approvalId, taskId };
  return refusalNotice(await explainRefusal(incoming, subject, error));
}

function attemptOf({ action, subject, approvalId, taskId }: Act, identity: PersonIdentity) {
  const ids = [approvalId, taskId].filter((id) => id !== undefined);
  return { identity, subject, ids, action, data: { door: "slack" } };
}

/** The refusal is thrown only to be audited. */
async function auditStranger(
  { core }: Incoming,
  { team, user }: SlackRequest,
  act: Act,
  reason: string,
): Promise<void> {
  const id = slackPersonId(team, user);
  const identity = { kind: "person", person: { id, name: id, role: "viewer" } } as const;
  const attempt = { ...attemptOf(act, identity), action: "slack.refused" };
  const data = { ...attempt.data, reason, tried: act.action };
  await auditRefusals(core, { ...attempt, data }, async () => {
    throw new Refusal("NOT_ALLOWED", {
      en: [`${id} may not act here (${reason}).`, "See slack.people."],
      ja: [`${id} はここで操作できません（${reason}）。`, "slack.people を確かめてください。"],
    });
  }).catch(() => undefined);
}
