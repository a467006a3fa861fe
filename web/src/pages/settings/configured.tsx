import type { ReactNode } from "react";
import type { WireApproval } from "../../../../src/contract/shapes/approvals.ts";
import type { WireSettings } from "../../../../src/contract/shapes/settings.ts";
import { sizeText } from "../../../../src/contract/size-text.ts";
import { APPROVAL_KINDS } from "../../../../src/contract/values.ts";
import { COMMON } from "../../i18n/common.ts";
import { useTexts } from "../../i18n/texts.ts";
import { useSpan } from "../../i18n/use-span.ts";
import { Card } from "../../ui/card.tsx";
import { type SettingsWords, TEXTS } from "./texts.ts";
import { WORKSPACE_TEXTS } from "./workspace-texts.ts";

const MB = 1_048_576;

/** Read-only view of the configuration: approvals, holding, stopping. */
export function Configured({ settings }: { readonly settings: WireSettings }) {
  const text = useTexts(TEXTS);
  const { approvalKind } = useTexts(COMMON);
  const span = useSpan();
  const { tasks, interrupt } = settings;
  return (
    <div className="grid items-start gap-3 lg:grid-cols-2">
      <Card className="p-4">
        <h3 className="mb-2 font-semibold">{text.approvals}</h3>
        <dl className="divide-y divide-line">
          {APPROVAL_KINDS.map((kind) => (
            <Line key={kind} name={approvalKind[kind]}>
              {policyWords(tasks.approvals[kind], text.policies)}
            </Line>
          ))}
        </dl>
      </Card>
      <Card className="p-4">
        <dl className="divide-y divide-line">
          <Line name={text.expiry}>
            {tasks.approvalExpiry_ms === null ? text.expiryNever : span(tasks.approvalExpiry_ms)}
          </Line>
          <Line name={text.remind}>
            {tasks.remindAfter_ms === null
              ? text.remindNever
              : text.remindAfter(span(tasks.remindAfter_ms))}
          </Line>
          <Line name={text.hold} note={text.holdNote}>
            {span(tasks.holdFor_ms)}
          </Line>
          <Line name={text.unplanned}>{text.unplannedWords[tasks.unplannedTools]}</Line>
          <Line name={text.regenerations}>{text.times(tasks.maxRegenerations)}</Line>
          <Line name={text.hardStop}>
            {interrupt.hardStopAfter_ms === null
              ? text.hardStopNever
              : text.hardStopAfter(span(interrupt.hardStopAfter_ms))}
          </Line>
        </dl>
      </Card>
      <WorkspaceSettings workspace={settings.workspace} />
    </div>
  );
}

function WorkspaceSettings({ workspace }: Pick<WireSettings, "workspace">) {
  const text = useTexts(WORKSPACE_TEXTS);
  const span = useSpan();
  return (
    <Card className="p-4">
      <h3 className="mb-2 font-semibold">{text.title}</h3>
      <dl className="divide-y divide-line">
        <Line name={text.isolation}>{text.isolationWords[workspace.isolation]}</Line>
        <Line name={text.base}>{text.baseWords[workspace.base]}</Line>
        <Line name={text.setup}>{workspace.hasSetup ? text.isSet : text.isNotSet}</Line>
        <Line name={text.check}>{workspace.hasCheck ? text.isSet : text.isNotSet}</Line>
        <Line name={text.mode}>{text.modeWords[workspace.mergeMode]}</Line>
        <Line name={text.target}>{workspace.mergeTarget ?? text.targetDefault}</Line>
        <Line name={text.maxTotal}>
          {workspace.maxTotal_mb === null ? text.noLimit : sizeText(workspace.maxTotal_mb * MB)}
        </Line>
        <Line name={text.keepDecided}>{span(workspace.keepDecided_ms)}</Line>
        <Line name={text.keepOpen} note={text.keepOpenNote}>
          {span(workspace.keepOpen_ms)}
        </Line>
        <Line name={text.keepRefs}>{span(workspace.keepRefs_ms)}</Line>
      </dl>
    </Card>
  );
}

function Line({
  name,
  note,
  children,
}: {
  readonly name: string;
  readonly note?: string;
  readonly children: ReactNode;
}) {
  return (
    <div className="flex flex-wrap justify-between gap-x-6 py-1.5">
      <dt className="text-text-2">{name}</dt>
      <dd className="text-right font-semibold">{children}</dd>
      {note && <dd className="basis-full text-xs text-text-3">{note}</dd>}
    </div>
  );
}

function policyWords(policy: WireApproval["policy"], words: SettingsWords["policies"]): string {
  switch (policy.who) {
    case "anyone":
      return words.anyone;
    case "requester":
      return words.requester;
    case "not-requester":
      return words.notRequester;
    case "approvers":
      return words.approvers(policy.users.join("、"));
    case "quorum":
      return policy.users === null
        ? words.quorum(policy.count)
        : words.quorumOf(policy.count, policy.users.join("、"));
  }
}
