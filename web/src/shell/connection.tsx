import { COMMON } from "../i18n/common.ts";
import { useFormat } from "../i18n/format.ts";
import { useTexts } from "../i18n/texts.ts";
import { useLive } from "../live/store.ts";

/** Connection status at the foot of the navigation. */
export function ConnectionNote() {
  const { status, seq, eventsPerSecond } = useLive((state) => state.connection);
  const text = useTexts(COMMON);
  const format = useFormat();
  const isLive = status === "live";
  return (
    <div className="rounded-xl border border-line bg-surface px-3 py-2 text-xs">
      <p className="flex items-center gap-2">
        <span
          className={`size-2 rounded-full ${isLive ? "bg-success" : "bg-timeout"}`}
          aria-hidden
        />
        {isLive ? text.live : text.connecting}
      </p>
      <p className="text-text-3" data-seq={seq}>
        {text.updates(format.number(seq), format.number(eventsPerSecond))}
      </p>
    </div>
  );
}

/** Says how old the data is while the connection is lost. */
export function ConnectionBanner() {
  const { status, asOf } = useLive((state) => state.connection);
  const text = useTexts(COMMON);
  const format = useFormat();
  if (status === "live" || asOf === null) return null;
  return (
    <p role="status" className="bg-alarm px-4 py-1.5 text-center font-semibold text-on-alarm">
      {text.lost(format.time(asOf))}
    </p>
  );
}
