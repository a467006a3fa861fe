import { CircleCheck, CircleX, Send } from "lucide-react";
import { type ReactNode, useState } from "react";
import { type AnswerOf, post } from "../../api/http.ts";
import { useMayOperate } from "../../api/use-me.ts";
import { useFormat } from "../../i18n/format.ts";
import { useReason } from "../../i18n/reasons.ts";
import { useTexts } from "../../i18n/texts.ts";
import { visible } from "../../text/visible.ts";
import { Button } from "../../ui/button.tsx";
import { useAction } from "../../ui/use-action.ts";
import { targetWords, TEXTS } from "./texts.ts";

type Tested = AnswerOf<"post", "/api/alerts/test">["targets"][number];

/** A target with a button that sends a test, and what happened. */
export function TargetTest({
  target,
  children,
}: {
  readonly target: string;
  /** What is shown beside the button. */
  readonly children: ReactNode;
}) {
  const text = useTexts(TEXTS);
  const mayOperate = useMayOperate();
  const [tested, setTested] = useState<Tested>();
  const test = useAction(async () => {
    setTested(undefined);
    const { targets } = await post("/api/alerts/test", { body: { to: target } });
    setTested(targets[0]);
  });
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <div className="min-w-0 flex-1 basis-40">{children}</div>
      {mayOperate && (
        <Button
          size="small"
          icon={<Send size={13} aria-hidden />}
          aria-label={text.testOf(targetWords(target, text))}
          onPress={() => void test.run()}
          isPending={test.isRunning}
        >
          {text.test}
        </Button>
      )}
      <div role="status" className="basis-full text-xs empty:hidden">
        {tested && <Outcome tested={tested} />}
      </div>
    </div>
  );
}

function Outcome({ tested }: { readonly tested: Tested }) {
  const text = useTexts(TEXTS);
  const format = useFormat();
  const inWords = useReason();
  const icon = { size: 14, "aria-hidden": true, className: "mt-0.5 shrink-0" } as const;
  if (tested.sent) {
    return (
      <p className="flex gap-1.5 text-success">
        <CircleCheck {...icon} />
        {text.tested(format.number(tested.elapsed_ms))}
      </p>
    );
  }
  return (
    <p className="flex gap-1.5 text-failed">
      <CircleX {...icon} />
      <span className="min-w-0 break-words">
        {text.notSent}: {visible(inWords(tested.error ?? ""))}
      </span>
    </p>
  );
}
