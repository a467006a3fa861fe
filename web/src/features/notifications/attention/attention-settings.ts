import { create } from "zustand";

export type AttentionSettings = {
  /** Browser notifications, for tabs in the background. */
  readonly browser: boolean;
  readonly sound: boolean;
};

const KEY = "kuromajutsu.attention";
const OFF: AttentionSettings = { browser: false, sound: false };

function remembered(): AttentionSettings {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    if (typeof kept !== "object" || kept === null) return OFF;
    return {
      browser: "browser" in kept && kept.browser === true,
      sound: "sound" in kept && kept.sound === true,
    };
  } catch {
    return OFF;
  }
}

/** Off by default; stored in this browser. */
export const useAttentionSettings = create<AttentionSettings>(remembered);

export function setAttention(change: Partial<AttentionSettings>): void {
  useAttentionSettings.setState(change);
  try {
    localStorage.setItem(KEY, JSON.stringify(useAttentionSettings.getState()));
  } catch {
    // Without storage the setting holds until the page is reloaded.
  }
}

export type Permission = NotificationPermission | "unsupported";

/** Browsers offer notifications only on localhost or over HTTPS. */
export function permission(): Permission {
  return "Notification" in window ? Notification.permission : "unsupported";
}

/** Call it only from a click handler. */
export async function askPermission(): Promise<Permission> {
  if (!("Notification" in window)) return "unsupported";
  return Notification.permission === "default"
    ? await Notification.requestPermission()
    : Notification.permission;
}
