import type { Locale } from "../domain/locale.ts";

/** By kind of job; a newer server may store kinds that are missing here. */
const WORDS: Readonly<Record<Locale, Readonly<Record<string, string>>>> = {
  ja: {
    agent_settled: "エージェントの終了後の処理",
    question_answered: "質問への回答後の処理",
    task_due: "タスクの次の処理",
  },
  en: {
    agent_settled: "What follows the end of an agent",
    question_answered: "What follows the answer to a question",
    task_due: "The next step of a task",
  },
};

/** What a job does, for the dashboard and the terminal. */
export function jobWords(kind: string, locale: Locale): string {
  const words = WORDS[locale];
  return Object.hasOwn(words, kind) ? (words[kind] ?? kind) : kind;
}
