import { useState } from "react";
import type { WireApproval } from "../../../../../src/contract/shapes/approvals.ts";
import { COMMON } from "../../../i18n/common.ts";
import { useTexts } from "../../../i18n/texts.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { Field } from "../../../ui/field.tsx";
import { RadioChoice } from "../../../ui/radio.tsx";
import { DECISION } from "./decision-texts.ts";
import type { DecisionInput } from "./use-decide.ts";

export type RejectDialogProps = {
  readonly kind: WireApproval["kind"];
  /** The waiting agent belongs to no execution. */
  readonly isOutsideTask: boolean;
  /** Title of what is being rejected. */
  readonly subject: string;
  readonly isSending: boolean;
  readonly onClose: () => void;
  readonly onSend: (decision: DecisionInput) => void;
};

type Words = ReturnType<typeof useTexts<(typeof DECISION)["ja"]>>;

/** Asks for the reason. For a draft it is required, because the next version is drafted from it. */
export function RejectDialog(props: RejectDialogProps) {
  const { kind, isOutsideTask, subject, isSending, onClose, onSend } = props;
  const text = useTexts(DECISION);
  const common = useTexts(COMMON);
  const [reason, setReason] = useState("");
  const [onReject, setOnReject] = useState<"fail" | "skip">("fail");
  const isDraft = kind === "prompt" || kind === "process";
  const isCall = kind === "step" || kind === "unplanned_tool";
  const words = wordsOf(kind, isOutsideTask, text);
  const isReady = !isDraft || reason.trim() !== "";
  const send = () => {
    if (!isReady || isSending) return;
    onSend({
      decision: "reject",
      ...(reason.trim() && { reason: reason.trim() }),
      ...(isCall && { onReject }),
    });
  };
  return (
    <Dialog title={words.title} isOpen onClose={onClose}>
      <div className="flex flex-col gap-4">
        <p className="border-l-2 border-failed pl-3 font-semibold">{subject}</p>
        <p className="text-text-2">{words.note}</p>
        <Field
          label={isDraft ? text.reasonRequired : text.reasonOptional}
          value={reason}
          onChange={setReason}
          rows={4}
          isRequired={isDraft}
          placeholder={isDraft ? text.rejectDraftExample : ""}
          help={text.answerHelp}
          onSubmit={send}
          autoFocus
        />
        {isCall && (
          <RadioChoice
            label={text.afterwards}
            value={onReject}
            onChange={setOnReject}
            options={[
              { id: "fail", label: text.thenFail, note: text.thenFailNote },
              { id: "skip", label: text.thenSkip, note: text.thenSkipNote },
            ]}
          />
        )}
        <div className="flex justify-end gap-2">
          <Button onPress={onClose}>{common.cancel}</Button>
          <Button look="danger" onPress={send} isDisabled={!isReady} isPending={isSending}>
            {isSending ? text.sending : words.send}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

function wordsOf(kind: WireApproval["kind"], isOutsideTask: boolean, text: Words) {
  switch (kind) {
    case "prompt":
    case "process":
      return { title: text.rejectTitle, note: text.rejectDraft, send: text.rejectDraftSend };
    case "step":
    case "unplanned_tool":
      return { title: text.rejectTitle, note: text.rejectStep, send: text.rejectStepSend };
    case "call":
      return { title: text.rejectTitle, note: text.rejectCall, send: text.rejectStepSend };
    case "merge":
      return { title: text.rejectTitle, note: text.rejectMerge, send: text.rejectStepSend };
    case "question":
      return { title: text.refuseTitle, note: text.refuseNote, send: text.refuseSend };
    case "outcome": {
      const note = isOutsideTask ? text.failCallNote : text.failNote;
      return { title: text.failTitle, note, send: text.failSend };
    }
  }
}
