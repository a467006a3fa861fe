import { describeCron } from "../../../../src/contract/values.ts";
import type { AnswerOf } from "../../api/http.ts";
import { useLocale } from "../../i18n/locale.ts";
import { useTexts } from "../../i18n/texts.ts";
import { PlannedTime } from "./planned-time.tsx";
import { TEXTS } from "./texts.ts";

export type PreviewAnswer = AnswerOf<"get", "/api/schedule-preview">;

/** The expression in words and its next times, while a person types. */
export function Preview({ preview }: { readonly preview: PreviewAnswer | undefined }) {
  const text = useTexts(TEXTS);
  const locale = useLocale((state) => state.locale);
  const { cron = "", timeZone = null, next = [] } = preview ?? {};
  if (timeZone === null || next.length === 0) return null;
  return (
    <div className="rounded-lg border border-line bg-base p-3" role="status">
      <p className="font-semibold">
        {describeCron(cron, locale)}{" "}
        <span className="text-xs font-normal text-text-3">{timeZone}</span>
      </p>
      <p className="mt-2 text-xs text-text-3">{text.form.nextFive}</p>
      <ol className="text-xs">
        {next.map((at) => (
          <li key={at}>
            <PlannedTime at={at} timeZone={timeZone} />
          </li>
        ))}
      </ol>
    </div>
  );
}

/** What is wrong with the expression, in the reader's language. */
export function useCronProblem(preview: PreviewAnswer | undefined): string | undefined {
  const { problem: words } = useTexts(TEXTS);
  const problem = preview?.problem;
  switch (problem?.kind) {
    case "long":
    case "never":
      return words[problem.kind];
    case "fields":
      return words.fields(problem.count ?? 0);
    case "field":
      return words.field(problem.field ?? 1, problem.value ?? "");
    case undefined:
      return undefined;
  }
}
