import { useNavigate } from "@tanstack/react-router";
import { useEffect, useEffectEvent, useState } from "react";
import type { WireApproval } from "../../../src/contract/shapes/approvals.ts";
import type { WireTask } from "../../../src/contract/shapes/tasks.ts";
import { useMyAlerts } from "../features/alerts/use-my-alerts.ts";
import { useApprovalTitle } from "../features/approvals/approval-title.ts";
import { useWaitsForMe } from "../features/approvals/may-decide.ts";
import {
  permission,
  useAttentionSettings,
} from "../features/notifications/attention/attention-settings.ts";
import { chime } from "../features/notifications/attention/chime.ts";
import { COMMON } from "../i18n/common.ts";
import { defineTexts, useTexts } from "../i18n/texts.ts";
import { type LiveStore, useLive } from "../live/store.ts";
import { isWatched, showNotification } from "./show-notification.ts";
import { useCounts } from "./use-counts.ts";
import { useTabMark } from "./use-tab-mark.ts";

const TEXTS = defineTexts({
  ja: {
    waits: (kind: string) => `承認が必要です: ${kind}`,
    more: (count: number) => `ほか ${count} 件の承認が待っています`,
    failed: (title: string) => `タスクが失敗しました: ${title}`,
  },
  en: {
    waits: (kind) => `Approval needed: ${kind}`,
    more: (count) => `${count} more waiting for approval`,
    failed: (title) => `A task failed: ${title}`,
  },
});

/** More than this become one notification with a count. */
const MAX_EACH = 3;
/** Minimum time between announcements to screen readers. */
const CALM_MS = 5_000;

/**
 * Draws attention to pending approvals and unread alerts: always by the title and the icon of the tab,
 * optionally by browser notifications and a sound. Returns the announcement for screen readers.
 */
export function useAttention(): string {
  const text = useTexts(TEXTS);
  const { approvalKind } = useTexts(COMMON);
  const titleOf = useApprovalTitle();
  const waitsForMe = useWaitsForMe();
  const { approvals } = useCounts();
  const navigate = useNavigate();
  const [words, setWords] = useState("");
  const { unread } = useMyAlerts();
  useTabMark(approvals, unread > 0);

  const open = (to: string) => {
    window.focus();
    void navigate({ to });
  };
  const onNews = useEffectEvent((asked: readonly WireApproval[], failed: readonly WireTask[]) => {
    const waiting = asked.filter(waitsForMe);
    const lines = [
      ...waiting.map((each) => `${text.waits(approvalKind[each.kind])} — ${titleOf(each)}`),
      ...failed.map(({ title, request }) => text.failed(title ?? request.slice(0, 80))),
    ];
    setWords(lines.slice(0, MAX_EACH).join("\n"));
    if (waiting.length === 0) return;
    const settings = useAttentionSettings.getState();
    if (settings.sound) chime();
    if (!settings.browser || permission() !== "granted") return;
    if (isWatched()) return;
    for (const approval of waiting.slice(0, MAX_EACH)) {
      const { approvalId, kind } = approval;
      showNotification(text.waits(approvalKind[kind]), titleOf(approval), approvalId, () =>
        open(`/approvals/${encodeURIComponent(approvalId)}`),
      );
    }
    const rest = waiting.length - MAX_EACH;
    if (rest > 0) showNotification(text.more(rest), "", "approvals", () => open("/approvals"));
  });
  useEffect(() => watchNews(onNews), []);
  return words;
}

type OnNews = (waiting: readonly WireApproval[], failed: readonly WireTask[]) => void;

/** Reports approvals that are new since the page was opened, in batches. */
function watchNews(onNews: OnNews): () => void {
  let known: Known | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let quietUntil = 0;

  function look(): void {
    timer = undefined;
    const state = useLive.getState();
    const before = known;
    known = knownOf(state);
    // Approvals that were pending at the start are not news.
    if (!before) return;
    const waiting = [...state.approvals.values()].filter(
      (each) => !before.waiting.has(each.approvalId),
    );
    const failed = [...state.tasks.values()].filter(
      (task) => task.status === "failed" && !before.failed.has(task.taskId),
    );
    if (waiting.length + failed.length === 0) return;
    quietUntil = Date.now() + CALM_MS;
    onNews(waiting, failed);
  }

  const stop = useLive.subscribe((state, before) => {
    if (state.connection.status === "signed-out") return void (known = undefined);
    if (state.connection.status !== "live" && !known) return;
    if (known && state.approvals === before.approvals && state.tasks === before.tasks) return;
    if (!known) known = knownOf(state);
    timer ??= setTimeout(look, Math.max(150, quietUntil - Date.now()));
  });
  return () => {
    stop();
    clearTimeout(timer);
  };
}

type Known = { readonly waiting: ReadonlySet<string>; readonly failed: ReadonlySet<string> };

function knownOf({ approvals, tasks }: LiveStore): Known {
  const failed = [...tasks.values()].filter(({ status }) => status === "failed");
  return {
    waiting: new Set(approvals.keys()),
    failed: new Set(failed.map(({ taskId }) => taskId)),
  };
}
