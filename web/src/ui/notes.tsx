import { RefreshCw, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { useProblemText } from "../api/problem-text.ts";
import { COMMON } from "../i18n/common.ts";
import { useTexts } from "../i18n/texts.ts";
import { visible } from "../text/visible.ts";
import { Button } from "./button.tsx";

/** Empty state: what is missing and what to do about it. */
export function EmptyState({
  title,
  children,
  action,
}: {
  readonly title: string;
  readonly children?: ReactNode;
  readonly action?: ReactNode;
}) {
  return (
    <div className="flex flex-col items-center gap-3 rounded-xl border border-dashed border-line px-6 py-10 text-center">
      <p className="text-[15px] font-semibold">{title}</p>
      {children && <div className="max-w-xl text-text-2">{children}</div>}
      {action}
    </div>
  );
}

export function ErrorNote({
  error,
  onRetry,
}: {
  readonly error: unknown;
  readonly onRetry?: () => void;
}) {
  const text = useTexts(COMMON);
  const explain = useProblemText();
  const { title, detail } = explain(error);
  return (
    <div role="alert" className="flex gap-3 rounded-xl border border-danger/60 bg-danger/10 p-4">
      <TriangleAlert size={18} className="mt-0.5 shrink-0 text-failed" aria-hidden />
      <div className="flex-1">
        <p className="font-semibold">{title}</p>
        {detail && <p className="text-text-2">{visible(detail)}</p>}
      </div>
      {onRetry && (
        <Button size="small" icon={<RefreshCw size={13} aria-hidden />} onPress={onRetry}>
          {text.tryAgain}
        </Button>
      )}
    </div>
  );
}

export function Loading() {
  const text = useTexts(COMMON);
  return (
    <p role="status" className="animate-blink py-6 text-center text-text-3">
      {text.loading}
    </p>
  );
}
