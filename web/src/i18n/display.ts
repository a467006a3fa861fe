import { defineTexts } from "./texts.ts";

/** Language and theme: the menu of the header, the palette and the sign-in page. */
export const DISPLAY = defineTexts({
  ja: {
    account: "アカウントのメニュー",
    language: "言語",
    theme: "テーマ",
    themes: { system: "システムに合わせる", light: "ライト", dark: "ダーク" },
    settings: "設定",
    signOut: "サインアウト",
  },
  en: {
    account: "Account menu",
    language: "Language",
    theme: "Theme",
    themes: { system: "System", light: "Light", dark: "Dark" },
    settings: "Settings",
    signOut: "Sign out",
  },
});

export const LANGUAGE_NAMES = { ja: "日本語", en: "English" } as const;
