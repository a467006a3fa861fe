import { useFormat } from "../i18n/format.ts";
import { useNow } from "../lib/clock.ts";
import { cx } from "../lib/cx.ts";

const SOON_MS = 10 * 60_000;

/** "5 minutes ago"; the moment itself is in its title. */
export function Ago({ at, className }: { readonly at: string; readonly className?: string }) {
  const format = useFormat();
  const now = useNow();
  return (
    <time dateTime={at} title={format.dateTime(at)} className={cx("whitespace-nowrap", className)}>
      {format.ago(at, now)}
    </time>
  );
}

/** How long until then, as a clock; amber when little is left. */
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

/** How long it took, or has taken until now. */
export function Elapsed({
  from,
  to,
}: {
  readonly from: string | null;
  readonly to: string | null;
}) {
  const format = useFormat();
  if (from === null) return <>—</>;
  if (to === null) return <Running from={from} />;
  return <>{shortDuration(Date.parse(to) - Date.parse(from), format.duration)}</>;
}

function Running({ from }: { readonly from: string }) {
  const format = useFormat();
  const now = useNow();
  return <>{format.duration(now - Date.parse(from))}</>;
}

/** Tenths of seconds where that is what tells two steps apart. */
export function shortDuration(ms: number, duration: (ms: number) => string): string {
  return ms < 60_000 ? `${(Math.max(0, ms) / 1_000).toFixed(1)}s` : duration(ms);
}
