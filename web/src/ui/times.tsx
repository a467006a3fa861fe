import { useFormat } from "../i18n/format.ts";
import { cx } from "./cx.ts";
import { useNow } from "./use-now.ts";

const SOON_MS = 10 * 60_000;

/** "5 minutes ago", with the exact time as its tooltip. */
export function Ago({ at, className }: { readonly at: string; readonly className?: string }) {
  const format = useFormat();
  const now = useNow();
  return (
    <time dateTime={at} title={format.dateTime(at)} className={cx("whitespace-nowrap", className)}>
      {/* The daemon's clock may be ahead of the browser's: never “in 1 min”. */}
      {format.ago(at, Math.max(now, Date.parse(at)))}
    </time>
  );
}

/** Countdown; amber when little time is left. */
export function Countdown({ at }: { readonly at: string }) {
  const format = useFormat();
  const now = useNow();
  const left = Date.parse(at) - now;
  return (
    <time
      dateTime={at}
      title={format.dateTime(at)}
      className={cx("font-mono whitespace-nowrap", left < SOON_MS && "text-timeout")}
    >
      {format.duration(left)}
    </time>
  );
}

/** Duration so far or in total, with tenths of a second where short steps must be told apart. */
export function Elapsed({
  from,
  to,
}: {
  readonly from: string | null;
  readonly to: string | null;
}) {
  if (from === null) return "—";
  if (to === null) return <Counting from={from} />;
  return <Took ms={Date.parse(to) - Date.parse(from)} />;
}

/** Duration of something that has ended. */
export function Took({ ms }: { readonly ms: number }) {
  return useFormat().took(ms);
}

function Counting({ from }: { readonly from: string }) {
  return useFormat().duration(useNow() - Date.parse(from));
}
