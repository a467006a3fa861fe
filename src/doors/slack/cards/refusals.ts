import { dateText } from "../text/date.ts";
import { literalText } from "../text/escape.ts";
import { mention, type PersonView } from "../text/mention.ts";
import { truncateMrkdwn } from "../text/truncate-mrkdwn.ts";
import { notice, type Notice } from "./answers.ts";
import { ANSWER_TEXTS } from "./texts/answer-texts.ts";
import type { CardView } from "./views.ts";

const MAX_PEOPLE = 10;
const MAX_MESSAGE = 1_000;

/** Why a click, a request or a command had no effect. */
export type RefusalView = CardView &
  (
    | {
        readonly reason:
          | "notLinked"
          | "guest"
          | "otherWorkspace"
          | "bot"
          | "viewer"
          | "stale"
          | "expired"
          | "closed"
          | "clickAgain"
          | "oldButton"
          | "taskOver"
          | "tooMany"
          | "failed";
      }
    | { readonly reason: "notApprover"; readonly approvers: readonly PersonView[] }
    | {
        readonly reason: "alreadyDecided";
        readonly decision: "approved" | "rejected";
        readonly by: PersonView;
        readonly decidedAt: number;
      }
    /** A refusal of the core, in its words. */
    | { readonly reason: "refused"; readonly message: string; readonly hint: string }
  );

/** The ephemeral message to the person whose click or request had no effect. */
export function refusalNotice(view: RefusalView): Notice {
  const texts = ANSWER_TEXTS[view.locale].refusals;
  switch (view.reason) {
    case "notApprover":
      return notice([texts.notApprover, ...whoMay(view.locale, view.approvers)].join("\n"));
    case "alreadyDecided": {
      const say = view.decision === "approved" ? texts.approvedBefore : texts.rejectedBefore;
      return notice(`${say(mention(view.by), dateText(view.decidedAt))}\n${texts.nothingChanged}`);
    }
    case "refused":
      return notice(`⚠️ ${said(view.message)}\n${said(view.hint)}`);
    case "notLinked":
    case "guest":
    case "otherWorkspace":
    case "bot":
    case "viewer":
    case "stale":
    case "expired":
    case "closed":
    case "clickAgain":
    case "oldButton":
    case "taskOver":
    case "tooMany":
    case "failed":
      return notice(texts[view.reason]);
  }
}

function whoMay(locale: CardView["locale"], approvers: readonly PersonView[]): readonly string[] {
  if (approvers.length === 0) return [];
  const people = approvers.slice(0, MAX_PEOPLE).map(mention).join(", ");
  return [ANSWER_TEXTS[locale].refusals.askThem(people)];
}

function said(text: string): string {
  return truncateMrkdwn(literalText(text).trim(), MAX_MESSAGE);
}
