import { defineTexts } from "../i18n/texts.ts";

export const LONG_TEXT = defineTexts({
  ja: {
    all: (count: string) => `全文を見る (${count} 文字)`,
    less: "たたむ",
    whole: "全文",
    tooDifferent: "違いが大きすぎるため、新しいバージョンだけを表示しています。",
    same: "違いはありません。",
    raw: "JSON を見る",
    rows: (shown: number, all: number) =>
      shown < all ? `${all} 行のうち ${shown} 行` : `${all} 行`,
    items: (count: number) => `${count} 件`,
    more: (left: number) => `さらに表示 (残り ${left} 件)`,
    noArguments: "引数なし",
  },
  en: {
    all: (count) => `Read in full (${count} characters)`,
    less: "Show less",
    whole: "Full text",
    tooDifferent: "The versions differ too much to compare; only the new one is shown.",
    same: "No changes.",
    raw: "Show JSON",
    rows: (shown, all) => (shown < all ? `${shown} of ${all} rows` : `${all} rows`),
    items: (count) => `${count} items`,
    more: (left) => `Show more (${left} left)`,
    noArguments: "No arguments",
  },
});
