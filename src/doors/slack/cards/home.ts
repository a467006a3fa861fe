import type { HomeView, KnownBlock, SectionBlock } from "@slack/types";
import { codeSpan } from "../text/code.ts";
import { dateText } from "../text/date.ts";
import { ACTIONS } from "./action-ids.ts";
import { actions, context, divider, header, linkButton, section } from "./blocks.ts";
import { bold } from "./lines.ts";
import { dashboardButton } from "./parts.ts";
import { CARD_TEXTS } from "./texts/card-texts.ts";
import { HOME_TEXTS } from "./texts/home-texts.ts";
import type { CardView, HomeApproval, HomeData, HomeTask } from "./views.ts";

const MAX_TITLE = 120;
const MAX_ID = 80;
/** A view has at most 100 blocks, and each entry is one. */
const MAX_APPROVALS = 20;
const MAX_RUNNING = 20;
const MAX_RECENT = 10;

/** The App Home of a person. */
export function homeView(data: HomeData): HomeView {
  const texts = HOME_TEXTS[data.locale];
  return {
    type: "home",
    blocks: [
      header(texts.approvals),
      ...listed(data, approvalSections(data, data.approvals), MAX_APPROVALS, texts.noApprovals),
      divider,
      header(texts.running),
      ...listed(data, taskSections(data, data.running), MAX_RUNNING, texts.noRunning),
      divider,
      header(texts.recent),
      ...listed(data, taskSections(data, data.recent), MAX_RECENT, texts.noRecent),
      ...actions(dashboardButton(data)),
    ],
  };
}

/** The App Home of a Slack user that is linked to no person. */
export function homeViewUnlinked(view: CardView): HomeView {
  const texts = HOME_TEXTS[view.locale];
  return {
    type: "home",
    blocks: [header(texts.notLinked), section(texts.howToLink), ...actions(dashboardButton(view))],
  };
}

export function approvalSections(
  { locale }: CardView,
  approvals: readonly HomeApproval[],
): readonly SectionBlock[] {
  return approvals.map(({ kind, title, askedAt, url }) =>
    linked(
      { locale },
      `${HOME_TEXTS[locale].kinds[kind]} — ${bold(title, MAX_TITLE)}\n${dateText(askedAt)}`,
      url,
    ),
  );
}

export function taskSections(
  { locale }: CardView,
  tasks: readonly HomeTask[],
): readonly SectionBlock[] {
  const texts = HOME_TEXTS[locale];
  return tasks.map(({ taskId, title, status, updatedAt, progress, url }) => {
    const small = [
      codeSpan(taskId, MAX_ID),
      ...(progress ? [texts.progress(progress.done, progress.total)] : []),
      dateText(updatedAt),
    ];
    return linked(
      { locale },
      `${texts.statuses[status]} — ${bold(title, MAX_TITLE)}\n${small.join(" · ")}`,
      url,
    );
  });
}

/** At most `max` entries, and how many others there are. */
export function listed(
  { locale }: CardView,
  entries: readonly SectionBlock[],
  max: number,
  none: string,
): readonly KnownBlock[] {
  if (entries.length === 0) return [section(none)];
  const others = entries.length - max;
  return [
    ...entries.slice(0, max),
    ...(others > 0 ? [context(CARD_TEXTS[locale].others(others))] : []),
  ];
}

function linked({ locale }: CardView, text: string, url: string | undefined): SectionBlock {
  const entry = section(text);
  if (url === undefined) return entry;
  return { ...entry, accessory: linkButton(HOME_TEXTS[locale].open, ACTIONS.openCard, url) };
}
