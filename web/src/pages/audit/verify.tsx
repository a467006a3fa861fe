import { ShieldCheck, ShieldX } from "lucide-react";
import { useState } from "react";
import { type AnswerOf, get } from "../../api/http.ts";
import { useFormat } from "../../i18n/format.ts";
import { useTexts } from "../../i18n/texts.ts";
import { Button } from "../../ui/button.tsx";
import { cx } from "../../ui/cx.ts";
import { useAction } from "../../ui/use-action.ts";
import { TEXTS } from "./texts.ts";

export type Verdict = AnswerOf<"get", "/api/audit/verify">;

export function useVerify() {
  const [verdict, setVerdict] = useState<Verdict | null>(null);
  const action = useAction(async () => {
    setVerdict(null);
    setVerdict(await get("/api/audit/verify"));
  });
  return { verdict, isRunning: action.isRunning, run: () => void action.run() };
}

export function VerifyButton({
  isRunning,
  run,
}: Pick<ReturnType<typeof useVerify>, "isRunning" | "run">) {
  const text = useTexts(TEXTS);
  return (
    <Button icon={<ShieldCheck size={14} aria-hidden />} onPress={run} isPending={isRunning}>
      {isRunning ? text.verifying : text.verify}
    </Button>
  );
}

export function VerdictNote({ verdict }: { readonly verdict: Verdict | null }) {
  const text = useTexts(TEXTS);
  const format = useFormat();
  return (
    <div role="status">
      {verdict && (
        <p
          className={cx(
            "mb-3 flex gap-2 rounded-xl border px-4 py-3",
            verdict.ok ? "border-success/50 bg-success/10" : "border-danger bg-danger/10",
          )}
        >
          {verdict.ok ? (
            <ShieldCheck size={18} aria-hidden className="mt-0.5 shrink-0 text-success" />
          ) : (
            <ShieldX size={18} aria-hidden className="mt-0.5 shrink-0 text-failed" />
          )}
          <span>
            {verdict.firstBroken ? (
              <>
                <span className="font-semibold">{text.broken(verdict.firstBroken.seq)}</span>
                <span className="block text-text-2">{verdict.firstBroken.why}</span>
              </>
            ) : (
              text.intact(format.number(verdict.entries))
            )}
          </span>
        </p>
      )}
    </div>
  );
}
