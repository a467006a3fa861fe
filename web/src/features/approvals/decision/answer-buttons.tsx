import { Check, CircleX, Repeat } from "lucide-react";
import { useState } from "react";
import { COMMON } from "../../../i18n/common.ts";
import { useTexts } from "../../../i18n/texts.ts";
import { visibleName } from "../../../text/visible.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { Field } from "../../../ui/field.tsx";
import { useApprovalTitle } from "../approval-title.ts";
import { type DecisionButtonsProps, Row } from "./decision-buttons.tsx";
import { DECISION } from "./decision-texts.ts";

/** Answers a question by one of its choices or by text. */
export function AnswerButtons(props: DecisionButtonsProps) {
  const { approval, isSending, isClipped, size, fill, approve, reject } = props;
  const text = useTexts(DECISION);
  const [answer, setAnswer] = useState("");
  const send = () => {
    if (answer.trim() !== "" && !isSending) approve({ answer: answer.trim() });
  };
  const refuse = (
    <Button look="reject" size={size} onPress={reject} isDisabled={isSending}>
      {text.refuseAnswer}
    </Button>
  );
  if (approval.choices.length > 0) {
    return (
      <Row fill={fill} isLong>
        {refuse}
        {approval.choices.map((choice) => (
          <Button
            key={choice}
            look="plain"
            size={size}
            onPress={() => approve({ answer: choice })}
            isDisabled={isSending || isClipped}
          >
            {visibleName(choice)}
          </Button>
        ))}
      </Row>
    );
  }
  return (
    <div className="flex flex-col gap-2">
      <Field
        label={text.answer}
        value={answer}
        onChange={setAnswer}
        rows={3}
        help={text.answerHelp}
        onSubmit={send}
      />
      <Row fill={fill}>
        {refuse}
        <Button
          look="approve"
          size={size}
          onPress={send}
          isDisabled={answer.trim() === "" || isClipped}
          isPending={isSending}
        >
          {isSending ? text.sending : text.answerSend}
        </Button>
      </Row>
    </div>
  );
}

/** Resolves an unknown outcome: it was done, do it again, or it failed. */
export function OutcomeButtons(props: DecisionButtonsProps) {
  const { approval, isSending, isClipped, size, fill, approve, reject } = props;
  const text = useTexts(DECISION);
  const common = useTexts(COMMON);
  const titleOf = useApprovalTitle();
  const [isAsking, setAsking] = useState(false);
  return (
    <Row fill={fill}>
      <Button
        look="reject"
        size={size}
        icon={<CircleX size={14} aria-hidden />}
        onPress={reject}
        isDisabled={isSending}
      >
        {text.fail}
      </Button>
      <Button
        size={size}
        icon={<Repeat size={14} aria-hidden />}
        onPress={() => setAsking(true)}
        isDisabled={isSending || isClipped}
      >
        {text.repeat}
      </Button>
      <Button
        look="approve"
        size={size}
        icon={<Check size={14} aria-hidden />}
        onPress={() => approve({ answer: "done" })}
        isDisabled={isClipped}
        isPending={isSending}
      >
        {isSending ? text.sending : text.done}
      </Button>
      {isAsking && (
        <Dialog title={text.repeatTitle} isOpen onClose={() => setAsking(false)}>
          <p className="mb-2 font-semibold">{titleOf(approval)}</p>
          <p className="mb-4 text-text-2">{text.repeatNote}</p>
          <div className="flex justify-end gap-2">
            <Button onPress={() => setAsking(false)}>{common.cancel}</Button>
            <Button
              look="danger"
              onPress={() => {
                setAsking(false);
                approve({ answer: "repeat" });
              }}
            >
              {text.repeatSend}
            </Button>
          </div>
        </Dialog>
      )}
    </Row>
  );
}
