import { create } from "zustand";

export type AttentionSettings = {
  /** Notifications of the browser, for tabs in the background. */
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

/** Off until somebody asks for it; remembered in this browser. */
export const useAttentionSettings = create<AttentionSettings>(remembered);

export function setAttention(change: Partial<AttentionSettings>): void {
  useAttentionSettings.setState(change);
  try {
    localStorage.setItem(KEY, JSON.stringify(useAttentionSettings.getState()));
  } catch {
    // A browser that keeps nothing still does it now.
  }
}

export type Permission = NotificationPermission | "unsupported";

/** Browsers offer them only on this machine's own address or over HTTPS. */
export function permission(): Permission {
  return "Notification" in window ? Notification.permission : "unsupported";
}

/** Only ever called from a click. */
export async function askPermission(): Promise<Permission> {
  if (!("Notification" in window)) return "unsupported";
  return Notification.permission === "default"
    ? await Notification.requestPermission()
    : Notification.permission;
}
