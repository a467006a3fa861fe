import { Check, ChevronDown, CircleX, Repeat, ShieldCheck, X } from "lucide-react";
import { type ReactNode, useState } from "react";
import type { WireApproval } from "../../../src/contract/task-shapes.ts";
import { COMMON } from "../i18n/common.ts";
import { useTexts } from "../i18n/texts.ts";
import { cx } from "../lib/cx.ts";
import { Button, IconButton } from "./button.tsx";
import { DECISION } from "./decision-texts.ts";
import { Dialog } from "./dialog.tsx";
import { Field } from "./field.tsx";
import { Menu } from "./menu.tsx";
import type { Said } from "./use-decide.ts";

export type DecisionButtonsProps = {
  readonly approval: WireApproval;
  readonly isSending: boolean;
  readonly size: "small" | "normal" | "large";
  readonly fill: boolean;
  readonly approve: (more?: Partial<Said>) => void;
  readonly reject: () => void;
};

function Row({ fill, children }: { readonly fill: boolean; readonly children: ReactNode }) {
  return (
    <div
      className={cx(
        "flex flex-wrap items-center gap-2",
        fill ? "[&>button]:flex-1" : "justify-end",
      )}
    >
      {children}
    </div>
  );
}

/** Policy, steps, and a call that waits. */
export function YesNoButtons(props: DecisionButtonsProps) {
  const { approval, isSending, size, fill, approve, reject } = props;
  const text = useTexts(DECISION);
  const common = useTexts(COMMON);
  const isCall = approval.kind === "step" || approval.kind === "unplanned_tool";
  return (
    <Row fill={fill}>
      <Button
        look="reject"
        size={size}
        icon={<X size={14} aria-hidden />}
        onPress={reject}
        isDisabled={isSending}
      >
        {common.rejectMore}
      </Button>
      <Button
        look="approve"
        size={size}
        icon={<Check size={14} aria-hidden />}
        onPress={() => approve(isCall ? { scope: "once" } : {})}
        isPending={isSending}
      >
        {isSending ? text.sending : common.approve}
      </Button>
      {isCall && (
        <Menu
          label={text.approveMore}
          trigger={
            <IconButton
              label={text.approveMore}
              size={size}
              look="plain"
              isDisabled={isSending}
              className="!flex-none"
            >
              <ChevronDown size={14} aria-hidden />
            </IconButton>
          }
          actions={[
            {
              id: "any",
              label: approval.kind === "step" ? text.approveAny : text.approveAnyTool,
              icon: <ShieldCheck size={14} aria-hidden />,
              run: () => approve({ scope: "any_arguments" }),
            },
          ]}
        />
      )}
    </Row>
  );
}

/** A question of an agent: one of its choices, or words. */
export function AnswerButtons(props: DecisionButtonsProps) {
  const { approval, isSending, size, fill, approve, reject } = props;
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
      <Row fill={fill}>
        {refuse}
        {approval.choices.map((choice) => (
          <Button
            key={choice}
            look="plain"
            size={size}
            onPress={() => approve({ answer: choice })}
            isDisabled={isSending}
          >
            {choice}
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
          isDisabled={answer.trim() === ""}
          isPending={isSending}
        >
          {isSending ? text.sending : text.answerSend}
        </Button>
      </Row>
    </div>
  );
}

/** The answer of a call was lost: it was done, do it again, or it failed. */
export function OutcomeButtons(props: DecisionButtonsProps) {
  const { approval, isSending, size, fill, approve, reject } = props;
  const text = useTexts(DECISION);
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
        isDisabled={isSending}
      >
        {text.repeat}
      </Button>
      <Button
        look="approve"
        size={size}
        icon={<Check size={14} aria-hidden />}
        onPress={() => approve({ answer: "done" })}
        isPending={isSending}
      >
        {isSending ? text.sending : text.done}
      </Button>
      {isAsking && (
        <Dialog title={text.repeatTitle} isOpen onClose={() => setAsking(false)}>
          <p className="mb-2 font-semibold">{approval.title}</p>
          <p className="mb-4 text-text-2">{text.repeatNote}</p>
          <div className="flex justify-end gap-2">
            <Button onPress={() => setAsking(false)}>{text.ask}</Button>
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
