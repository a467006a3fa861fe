import type { DesignedStep, PlanAnswer, PlanInput } from "../../../../domain/drafting.ts";
import { isDirective } from "../directives.ts";
import { oneLine } from "../read-prompt.ts";

const REQUEST_CHARS = 300;
const REASON_CHARS = 300;

/** Says what it is, what was asked, what it would use, and everything it was told about earlier drafts. */
export function writePolicy(input: PlanInput, steps: readonly DesignedStep[]): PlanAnswer {
  const said = input.request.split("\n").filter((line) => !isDirective(line));
  const request = oneLine(said.join("\n"), REQUEST_CHARS);
  const reasons = input.rejections.map(({ version, reason }) => ({
    version,
    reason: oneLine(reason, REASON_CHARS),
  }));
  const lines =
    input.locale === "en"
      ? inEnglish(request, steps, reasons)
      : inJapanese(request, steps, reasons);
  return { content: lines.join("\n") };
}

type Reasons = readonly { readonly version: number; readonly reason: string }[];

function inJapanese(request: string, steps: readonly DesignedStep[], reasons: Reasons) {
  return [
    "リハーサルの実行方針です。モデルには尋ねず、ツールの名前、スキーマ、順序だけから決めました。",
    `依頼: 「${request}」`,
    "使うツール:",
    ...steps.map(
      ({ tool, requiresHumanCheck }, index) =>
        `${index + 1}. ${tool}${requiresHumanCheck ? " (実行前に人が確認)" : ""}`,
    ),
    ...(reasons.length > 0 ? ["これまでの却下の理由:"] : []),
    ...reasons.map(({ version, reason }) => `- v${version}: 「${reason}」`),
    ...(reasons.length > 0
      ? ["リハーサルは理由の中身を読み取れないので、方針は変わりません。"]
      : []),
  ];
}

function inEnglish(request: string, steps: readonly DesignedStep[], reasons: Reasons) {
  return [
    "The policy of a rehearsal (リハーサル). No model was asked: it follows from the names, schemas and order of the tools alone.",
    `What was asked: "${request}"`,
    "Tools it would use:",
    ...steps.map(
      ({ tool, requiresHumanCheck }, index) =>
        `${index + 1}. ${tool}${requiresHumanCheck ? " (a person checks first)" : ""}`,
    ),
    ...(reasons.length > 0 ? ["Reasons of the rejections so far:"] : []),
    ...reasons.map(({ version, reason }) => `- v${version}: "${reason}"`),
    ...(reasons.length > 0
      ? ["A rehearsal cannot tell what a reason means, so the policy stays the same."]
      : []),
  ];
}
