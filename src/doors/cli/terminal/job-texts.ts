import type { Locale } from "../../../domain/locale.ts";

/** What the terminal says about jobs that were given up. */
export type JobTexts = {
  readonly none: string;
  readonly headings: Readonly<
    Record<"id" | "givenUp" | "tries" | "job" | "about" | "error", string>
  >;
  readonly more: (count: number) => string;
  readonly hint: string;
  readonly retried: (count: number) => string;
  readonly unclear: (start: string) => string;
  readonly notListed: (start: string, listed: number, total: number) => string;
};

export const JOB_TEXTS: Readonly<Record<Locale, JobTexts>> = {
  en: {
    none: "No job was given up.",
    headings: {
      id: "ID",
      givenUp: "GIVEN UP",
      tries: "TRIES",
      job: "JOB",
      about: "ABOUT",
      error: "LAST ERROR",
    },
    more: (count) => `${count} older ones are not shown.`,
    hint: "Correct what the errors name, then `kuromajutsu jobs retry` tries all of them again, and `kuromajutsu jobs retry ID` one.",
    retried: (count) =>
      count === 1
        ? "1 job is back in the queue. A server tries it within a few seconds."
        : `${count} jobs are back in the queue. A server tries them within a few seconds.`,
    unclear: (start) => `Several jobs have an id that begins with "${start}". Give more of the id.`,
    notListed: (start, listed, total) =>
      `"${start}" may name an older job: only the newest ${listed} of ${total} were looked at. Give the whole id, or all characters that \`kuromajutsu jobs\` shows.`,
  },
  ja: {
    none: "あきらめたジョブはありません。",
    headings: {
      id: "ID",
      givenUp: "あきらめた日時",
      tries: "試行回数",
      job: "ジョブ",
      about: "対象",
      error: "最後のエラー",
    },
    more: (count) => `ほかに古いものが ${count} 件あります。`,
    hint: "エラーの原因を直してから、`kuromajutsu jobs retry` ですべてを、`kuromajutsu jobs retry ID` で 1 件を再試行できます。",
    retried: (count) => `ジョブ ${count} 件をキューに戻しました。数秒以内にサーバーが試します。`,
    unclear: (start) =>
      `ID が「${start}」で始まるジョブは複数あります。ID をもっと長く指定してください。`,
    notListed: (start, listed, total) =>
      `「${start}」は古いジョブかもしれません。${total} 件のうち、新しい ${listed} 件だけを調べました。ID 全体か、\`kuromajutsu jobs\` に表示された文字をすべて指定してください。`,
  },
};
