import { Link } from "@tanstack/react-router";
import { Drama } from "lucide-react";
import { useSystem } from "../../api/system.ts";
import { useTexts } from "../../i18n/texts.ts";
import { useLive } from "../../live/store.ts";
import { TEXTS } from "./texts.ts";

/** Shown while all roles only rehearse. */
export function RehearsalNote() {
  const isRehearsal = useLive(
    ({ roles }) => roles.length > 0 && roles.every(({ runner }) => runner === "rehearsal"),
  );
  return isRehearsal ? <Note /> : null;
}

function Note() {
  const text = useTexts(TEXTS);
  const { data } = useSystem();
  const clis = data?.runners.filter(({ id }) => id in text.cliNames) ?? [];
  const isMissing = data !== undefined && clis.every(({ command }) => command === null);
  return (
    <p
      role="note"
      className="mb-4 flex flex-wrap items-center gap-x-2 gap-y-1 rounded-xl border border-dashed border-field bg-surface/60 px-4 py-2 text-[13px] text-text-2"
    >
      <Drama size={15} aria-hidden className="shrink-0 text-bone" />
      <strong className="font-semibold text-bone">{text.rehearsalOnly}</strong>
      <span>
        {isMissing ? text.noCli(clis.map(({ id }) => text.cliNames[id] ?? id)) : text.rehearsalSet}
      </span>
      <Link to="/health" className="text-violet hover:underline">
        {text.rehearsalMore}
      </Link>
    </p>
  );
}
