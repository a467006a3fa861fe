import { Link } from "@tanstack/react-router";
import { ArrowRight, PlugZap, ShieldAlert } from "lucide-react";
import type { ReactNode } from "react";
import { useReason } from "../../i18n/reasons.ts";
import { defineTexts, useTexts } from "../../i18n/texts.ts";
import { visible, visibleName } from "../../text/visible.ts";
import { Card } from "../../ui/card.tsx";
import { useTroubles } from "./use-troubles.ts";

const TEXTS = defineTexts({
  ja: {
    title: "MCP サーバーの確認が必要です",
    failed: (name: string) => `${name} に接続できません`,
    failedNote: "このサーバーのツールは、いま使えません。",
    quarantined: (name: string) => `${name} の定義が変わったため、隔離しています`,
    quarantinedNote: "変更を確認して受け入れるまで使えません。",
    more: (count: number) => `ほか ${count} 件`,
    open: "ゲートウェイを開く",
  },
  en: {
    title: "MCP servers need attention",
    failed: (name) => `${name} cannot be reached`,
    failedNote: "Its tools cannot be used now.",
    quarantined: (name) => `${name} is quarantined: its definition has changed`,
    quarantinedNote: "It cannot be used until an admin has reviewed and accepted the change.",
    more: (count) => `${count} more`,
    open: "Open the gateway",
  },
});

const MAX_LINES = 4;

/** For the home page: failed upstream servers and quarantined tools. Nothing if all is well. */
export function TroublesCard() {
  const text = useTexts(TEXTS);
  const inWords = useReason();
  const { failed, quarantined, count } = useTroubles();
  if (count === 0) return null;
  const icon = { size: 15, "aria-hidden": true, className: "mt-0.5 shrink-0" } as const;
  const lines = [
    ...failed.map(({ name, error }) => ({
      id: `server ${name}`,
      icon: <PlugZap {...icon} />,
      title: text.failed(visibleName(name)),
      note: error ? visible(inWords(error)) : text.failedNote,
    })),
    ...quarantined.map(({ server, tool }) => ({
      id: `tool ${server} ${tool}`,
      icon: <ShieldAlert {...icon} />,
      title: text.quarantined(visibleName(`${server}/${tool}`)),
      note: text.quarantinedNote,
    })),
  ];
  return (
    <Card bar="timeout" aria-labelledby="troubles" className="mb-5 py-3 pr-4 pl-5">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h2 id="troubles" className="text-[15px] font-bold">
          {text.title}
          <span className="ml-2 font-mono text-sm font-normal text-timeout">{count}</span>
        </h2>
        <Link to="/system" className="inline-flex items-center gap-1 text-violet hover:underline">
          {text.open}
          <ArrowRight size={13} aria-hidden />
        </Link>
      </div>
      <ul className="mt-1 grid gap-x-6 sm:grid-cols-2">
        {lines.slice(0, MAX_LINES).map(({ id, ...line }) => (
          <Line key={id} {...line} />
        ))}
      </ul>
      {lines.length > MAX_LINES && (
        <p className="text-xs text-text-3">{text.more(lines.length - MAX_LINES)}</p>
      )}
    </Card>
  );
}

type LineProps = { readonly icon: ReactNode; readonly title: string; readonly note: string };

function Line({ icon, title, note }: LineProps) {
  return (
    <li className="flex min-w-0 gap-2 py-1.5 text-timeout">
      {icon}
      <div className="min-w-0">
        <p className="font-semibold">{title}</p>
        <p className="line-clamp-2 text-xs text-text-2">{note}</p>
      </div>
    </li>
  );
}
