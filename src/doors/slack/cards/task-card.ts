import { dateText } from "../text/date.ts";
import { mention } from "../text/mention.ts";
import { shortLine } from "../text/short-line.ts";
import { actions, context, divider, fields, header, section, type CardBlock } from "./blocks.ts";
import {
  cancelTaskButton,
  dashboardButton,
  literalSection,
  markdownSection,
  reasonText,
  restNote,
  retryTaskButton,
  taskIdText,
} from "./parts.ts";
import { CARD_TEXTS } from "./texts/card-texts.ts";
import type { CardView, TaskCancelledView, TaskCompleteView, TaskFailedView } from "./views.ts";

const MAX_TYPE = 100;

export function taskCardGenerating({ locale }: CardView): readonly CardBlock[] {
  return [section(CARD_TEXTS[locale].received)];
}

export function taskCardComplete(view: TaskCompleteView): readonly CardBlock[] {
  const texts = CARD_TEXTS[view.locale];
  const type = shortLine(view.type, MAX_TYPE);
  return [
    header(view.title),
    divider,
    markdownSection(texts.description, view.description),
    ...restNote(view, view.description),
    fields(`*${texts.priority}*\n${texts.priorities[view.priority]}`, `*${texts.type}*\n${type}`),
    divider,
    context(taskIdText(view, view.taskId)),
    ...actions(dashboardButton(view), cancelTaskButton(view, view.cancelValue)),
  ];
}

/** The analysis failed. */
export function taskCardFailed(view: TaskFailedView): readonly CardBlock[] {
  const texts = CARD_TEXTS[view.locale];
  return [
    header(texts.analysisFailed),
    literalSection(texts.error, view.error),
    ...actions(retryTaskButton(view, view.retryValue), dashboardButton(view)),
    context(`${taskIdText(view, view.taskId)} · ${texts.failedAt(dateText(view.failedAt))}`),
  ];
}

export function taskCardCancelled(view: TaskCancelledView): readonly CardBlock[] {
  const texts = CARD_TEXTS[view.locale];
  return [
    header(texts.taskCancelled),
    ...(view.title === null ? [] : [section(shortLine(view.title, 300, ""))]),
    ...(view.reason === null ? [] : [section(`*${texts.reason}*\n${reasonText(view.reason)}`)]),
    divider,
    context(
      texts.cancelledBy(mention(view.by), dateText(view.cancelledAt)),
      taskIdText(view, view.taskId),
    ),
  ];
}
