import { defineTexts, useTexts } from "../i18n/texts.ts";
import { Dialog } from "../ui/dialog.tsx";

const TEXTS = defineTexts({
  ja: {
    title: "キーボードショートカット",
    keys: [
      ["⌘ K / Ctrl K", "検索とコマンド"],
      ["?", "この一覧"],
      ["N", "新しいタスク"],
      ["G D", "ダッシュボード"],
      ["G A", "承認"],
      ["G T", "タスク"],
      ["G H", "実行履歴"],
      ["G R", "職種"],
      ["J / K", "次 / 前へ"],
      ["Enter", "開く"],
      ["A", "承認"],
      ["R", "却下"],
      ["B", "ブロック"],
      ["F", "ログの追従"],
      ["/", "絞り込み"],
      ["Esc", "閉じる"],
    ],
  },
  en: {
    title: "Keyboard shortcuts",
    keys: [
      ["⌘ K / Ctrl K", "Search and commands"],
      ["?", "This list"],
      ["N", "New task"],
      ["G D", "Dashboard"],
      ["G A", "Approvals"],
      ["G T", "Tasks"],
      ["G H", "History"],
      ["G R", "Roles"],
      ["J / K", "Next / previous"],
      ["Enter", "Open"],
      ["A", "Approve"],
      ["R", "Reject"],
      ["B", "Block"],
      ["F", "Follow the log"],
      ["/", "Filter"],
      ["Esc", "Close"],
    ],
  },
});

export function HelpDialog({ onClose }: { readonly onClose: () => void }) {
  const text = useTexts(TEXTS);
  return (
    <Dialog title={text.title} isOpen onClose={onClose}>
      <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-1.5">
        {text.keys.map(([keys, what]) => (
          <div key={keys} className="contents">
            <dt>
              <kbd className="rounded border border-line bg-raised px-1.5 py-0.5 font-mono text-xs">
                {keys}
              </kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
