import type { HomeView, ModalView } from "@slack/types";
import type { Locale } from "../../../../src/domain/locale.ts";
import type { StepStatus } from "../../../../src/domain/tasks/execution.ts";
import type { Notice } from "../../../../src/doors/slack/cards/answers.ts";
import { renderCard } from "../../../../src/doors/slack/cards/render-card.ts";
import type { CardName, CardViews, StepProgress } from "../../../../src/doors/slack/cards/views.ts";
import type { CardMessage } from "../../../../src/doors/slack/cards/wrap-card.ts";
import { SAMPLE_WORDS } from "./sample-words.ts";

/** Something that a person sees in Slack. */
export type Shown =
  | { readonly kind: "card"; readonly message: CardMessage }
  | { readonly kind: "view"; readonly view: ModalView | HomeView }
  | { readonly kind: "notice"; readonly notice: Notice; readonly isForAll: boolean };

/** Changes the texts of a view, and keeps its shape. */
export type Change = <View>(view: View) => View;

export type Sample = {
  /** Names the picture, too: `prompt-pending`. */
  readonly name: string;
  readonly cardName: CardName | null;
  readonly show: (locale: Locale, change?: Change) => Shown;
};

export const AT = Date.UTC(2026, 3, 20, 5, 33, 12);
export const MINUTE = 60_000;
export const HANA = { name: "hana", slackUserId: "U012HANA" };
export const KEN = { name: "ken", slackUserId: "U034KEN" };
export const MARI = { name: "mari" };
export const TASK_ID = "task-01JSGX7Q2M";
export const VALUE = "v1:apr-01JSGX8A0C:1";
export const dashboardUrl = "http://127.0.0.1:3901/tasks/task-01JSGX7Q2M";
const TOOLS = [
  "hr/list_employees",
  "hr/list_attendance",
  "hr/calculate_overtime",
  "sheets/write_rows",
  "slack/send_dm",
] as const;
export function steps(locale: Locale, ...statuses: readonly StepStatus[]): StepProgress[] {
  return SAMPLE_WORDS[locale].steps.map((title, index) => ({
    id: `step-${index + 1}`,
    order: index + 1,
    title,
    tool: TOOLS[index] ?? "",
    requiresHumanCheck: index === 3,
    status: statuses[index] ?? "waiting",
  }));
}

export function card<Name extends CardName>(
  name: string,
  cardName: Name,
  viewOf: (locale: Locale) => CardViews[Name],
): Sample {
  return {
    name,
    cardName,
    show: (locale, change = same) => ({
      kind: "card",
      message: renderCard(cardName, change(viewOf(locale))),
    }),
  };
}

export function viewSample<Data>(
  name: string,
  build: (data: Data) => ModalView | HomeView,
  dataOf: (locale: Locale) => Data,
): Sample {
  return {
    name,
    cardName: null,
    show: (locale, change = same) => ({ kind: "view", view: build(change(dataOf(locale))) }),
  };
}

export function notice<Data>(
  name: string,
  build: (data: Data) => Notice,
  dataOf: (locale: Locale) => Data,
  isForAll = false,
): Sample {
  return {
    name,
    cardName: null,
    show: (locale, change = same) => ({
      kind: "notice",
      notice: build(change(dataOf(locale))),
      isForAll,
    }),
  };
}

function same<View>(view: View): View {
  return view;
}
