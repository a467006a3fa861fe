import { useNavigate } from "@tanstack/react-router";
import { useEffect, useEffectEvent } from "react";
import { useMe } from "../api/use-me.ts";
import { type AlertWords, TEXTS } from "../features/alerts/texts.ts";
import { isFor } from "../features/alerts/use-my-alerts.ts";
import {
  permission,
  useAttentionSettings,
} from "../features/notifications/attention/attention-settings.ts";
import { useTexts } from "../i18n/texts.ts";
import { onRaisedAlerts, type RaisedAlert, type RaisedAlerts } from "../live/raised-alerts.ts";
import { visible, visibleName } from "../text/visible.ts";
import { toast } from "../ui/toast.tsx";
import { isWatched, showNotification } from "./show-notification.ts";

/** More than this become one toast with a count. */
const MAX_EACH = 3;

type Words = { readonly title: string; readonly body: string };

/**
 * Shows the alerts for this person as they arrive: as a toast on a page that is looked at, otherwise
 * as a notification of the browser, if the person has turned these on.
 */
export function useRaisedAlerts(): void {
  const me = useMe()?.id;
  const text = useTexts(TEXTS);
  const navigate = useNavigate();
  const onRaised = useEffectEvent(({ messageId, isTest, alerts }: RaisedAlerts) => {
    const mine = alerts.filter((alert) => isFor(alert, me));
    const [first] = mine;
    if (!first) return;
    if (isWatched() || isTest) {
      for (const { title, body } of toastsOf(mine, isTest, text)) {
        toast({ kind: "info", title, detail: body });
      }
    }
    if (!useAttentionSettings.getState().browser || permission() !== "granted") return;
    if (isWatched() && !isTest) return;
    const { title, body } = wordsOf(mine, isTest, text);
    const isOne = mine.length === 1;
    // The page's own notification about an approval has the same tag, so one of them is shown.
    const tag = (isOne && first.approvalId) || messageId;
    showNotification(title, body, tag, () => {
      window.focus();
      void navigate({ to: isOne ? first.path : "/notifications" });
    });
  });
  useEffect(() => onRaisedAlerts(onRaised), []);
}

function toastsOf(
  alerts: readonly RaisedAlert[],
  isTest: boolean,
  text: AlertWords,
): readonly Words[] {
  if (isTest || alerts.length > MAX_EACH) return [wordsOf(alerts, isTest, text)];
  return alerts.map((alert) => wordsOf([alert], false, text));
}

function wordsOf(alerts: readonly RaisedAlert[], isTest: boolean, text: AlertWords): Words {
  if (isTest) return { title: text.isTest, body: text.isTestNote };
  const [first] = alerts;
  if (first && alerts.length === 1) {
    const lines = [visibleName(first.title), visible(first.detail ?? "")];
    return { title: text.kind[first.kind], body: lines.filter((line) => line !== "").join("\n") };
  }
  const lines = alerts.map(({ kind, title }) => `${text.kind[kind]}: ${visibleName(title)}`);
  return { title: text.raised(alerts.length), body: lines.slice(0, MAX_EACH).join("\n") };
}
