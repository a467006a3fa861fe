import type { ReactNode } from "react";
import type { WireApproval } from "../../../../../src/contract/shapes/approvals.ts";
import { useFormat } from "../../../i18n/format.ts";
import { useTexts } from "../../../i18n/texts.ts";
import { visibleName } from "../../../text/visible.ts";
import { Arguments } from "../../../ui/arguments.tsx";
import { LongText } from "../../../ui/long-text.tsx";
import { APPROVALS, type ApprovalWords } from "../texts.ts";
import { MergeContent } from "./merge-content.tsx";
import { numberIn, stepsIn, textIn } from "./shown.ts";
import { StepsList } from "./steps-list.tsx";

export type ApprovalContentProps = {
  readonly approval: WireApproval;
  /** For pages that already show the request and the question. */
  readonly bare?: boolean;
};

/** The full content that is to be decided on. */
export function ApprovalContent({ approval, bare = false }: ApprovalContentProps) {
  const text = useTexts(APPROVALS);
  const { kind, shown } = approval;
  const request = bare ? null : textIn(shown, "request");
  switch (kind) {
    case "prompt":
      return (
        <Sections>
          {request !== null && <Request request={request} />}
          <Section title={text.promptText}>
            <LongText text={textIn(shown, "content") ?? ""} full />
          </Section>
        </Sections>
      );
    case "process": {
      const steps = stepsIn(shown);
      return (
        <Sections>
          {request !== null && <Request request={request} />}
          <Section title={`${text.steps} · ${text.stepCount(steps.length)}`}>
            <StepsList steps={steps} />
          </Section>
        </Sections>
      );
    }
    case "step":
    case "unplanned_tool":
    case "call":
      return <Call kind={kind} shown={shown} bare={bare} />;
    case "question":
      return (
        <Sections>
          <Section title={bare ? "" : text.questionTitle}>
            <LongText text={textIn(shown, "question") ?? approval.title} full />
          </Section>
          {approval.choices.length > 0 && (
            <Section title={text.choices}>
              <ul className="list-disc pl-5">
                {approval.choices.map((choice) => (
                  <li key={choice}>{visibleName(choice)}</li>
                ))}
              </ul>
            </Section>
          )}
        </Sections>
      );
    case "outcome":
      return <Outcome approval={approval} />;
    case "merge":
      return <MergeContent approval={approval} />;
  }
}

function Sections({ children }: { readonly children: ReactNode }) {
  return <div className="flex min-w-0 flex-col gap-4">{children}</div>;
}

function Section({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <div className="min-w-0">
      {title && <p className="mb-1 text-xs font-semibold text-text-3">{title}</p>}
      {children}
    </div>
  );
}

function Request({ request }: { readonly request: string }) {
  const text = useTexts(APPROVALS);
  return (
    <Section title={text.request}>
      <div className="border-l-2 border-line pl-3 text-text-2">
        <LongText text={request} lines={4} />
      </div>
    </Section>
  );
}

type CallKind = Extract<WireApproval["kind"], "step" | "unplanned_tool" | "call">;

const CALL_NOTE: Record<CallKind, (text: ApprovalWords) => string> = {
  step: (text) => text.callTitle,
  unplanned_tool: (text) => text.unplannedTitle,
  call: (text) => text.agentCallNote,
};

type CallProps = { readonly shown: WireApproval["shown"]; readonly bare: boolean };

function Call({ kind, shown, bare }: CallProps & { readonly kind: CallKind }) {
  const text = useTexts(APPROVALS);
  const order = numberIn(shown["step"], "order");
  return (
    <Sections>
      {(kind === "unplanned_tool" || !bare) && (
        <p className={kind === "unplanned_tool" ? "text-timeout" : "text-text-2"}>
          {CALL_NOTE[kind](text)}
        </p>
      )}
      <Section title={order === null ? text.tool : `${text.tool} · ${text.step(order)}`}>
        <code className="font-mono font-semibold">{visibleName(textIn(shown, "tool") ?? "")}</code>
      </Section>
      <Section title={text.arguments}>
        <Arguments value={shown["args"]} />
      </Section>
    </Sections>
  );
}

function Outcome({ approval: { shown, executionId } }: { readonly approval: WireApproval }) {
  const text = useTexts(APPROVALS);
  const format = useFormat();
  const sentAt = textIn(shown, "forwardedAt");
  const error = textIn(shown, "error");
  return (
    <Sections>
      <div className="rounded-lg border border-timeout/40 bg-timeout/10 p-3">
        <p>{text.outcomeNote}</p>
        <ul className="mt-2 list-disc pl-5 text-text-2">
          <li>{text.outcomeDone}</li>
          <li>{text.outcomeRepeat}</li>
          <li>{executionId === null ? text.outcomeFailCall : text.outcomeFail}</li>
        </ul>
      </div>
      <Section title={text.tool}>
        <code className="font-mono font-semibold">{visibleName(textIn(shown, "tool") ?? "")}</code>
        {sentAt !== null && (
          <span className="ml-3 text-xs text-text-3">
            {text.sentAt} {format.dateTime(sentAt)}
          </span>
        )}
      </Section>
      <Section title={text.arguments}>
        <Arguments value={shown["args"]} />
      </Section>
      {error !== null && (
        <Section title={text.error}>
          <LongText text={error} lines={4} mono className="text-failed" />
        </Section>
      )}
    </Sections>
  );
}
