import { CircleX, Info, X } from "lucide-react";
import { create } from "zustand";
import { COMMON } from "../i18n/common.ts";
import { useTexts } from "../i18n/texts.ts";
import { visible } from "../text/visible.ts";
import { IconButton } from "./button.tsx";
import { cx } from "./cx.ts";

export type Toast = {
  readonly id: number;
  readonly kind: "info" | "error";
  readonly title: string;
  readonly detail?: string;
};

const SHOW_MS = 8_000;
const MAX_TOASTS = 4;
let lastId = 0;

const useToasts = create<{ readonly toasts: readonly Toast[] }>(() => ({ toasts: [] }));

/** Only for errors and news that the page itself does not show. */
export function toast(message: Omit<Toast, "id">): void {
  const id = ++lastId;
  useToasts.setState(({ toasts }) => ({
    toasts: [...toasts, { ...message, id }].slice(-MAX_TOASTS),
  }));
  // Errors stay until they are dismissed.
  if (message.kind === "info") setTimeout(() => dismiss(id), SHOW_MS);
}

function dismiss(id: number): void {
  useToasts.setState(({ toasts }) => ({ toasts: toasts.filter((each) => each.id !== id) }));
}

export function Toasts() {
  const toasts = useToasts((state) => state.toasts);
  const text = useTexts(COMMON);
  return (
    <div
      role="status"
      aria-live="polite"
      className="pointer-events-none fixed right-3 bottom-20 z-60 flex w-[min(26rem,calc(100vw-1.5rem))] flex-col gap-2 lg:bottom-4"
    >
      {toasts.map((each) => (
        <div
          key={each.id}
          className={cx(
            "pointer-events-auto flex animate-appear gap-2 rounded-xl border bg-float p-3 shadow-2xl",
            each.kind === "error" ? "border-danger" : "border-line",
          )}
        >
          {each.kind === "error" ? (
            <CircleX size={18} className="mt-0.5 shrink-0 text-failed" aria-hidden />
          ) : (
            <Info size={18} className="mt-0.5 shrink-0 text-violet" aria-hidden />
          )}
          <div className="min-w-0 flex-1">
            <p className="font-semibold">{visible(each.title)}</p>
            {each.detail && <p className="text-text-2">{visible(each.detail)}</p>}
          </div>
          <IconButton label={text.close} size="small" onPress={() => dismiss(each.id)}>
            <X size={14} aria-hidden />
          </IconButton>
        </div>
      ))}
    </div>
  );
}
