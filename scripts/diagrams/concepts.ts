import type { Locale } from "../../src/domain/locale.ts";
import { arrow, box, diagram, label, path } from "./draw.ts";

export type Diagram = { readonly name: string; readonly draw: (locale: Locale) => string };

const pick = (locale: Locale, en: string, ja: string): string => (locale === "ja" ? ja : en);

/** The diagrams of docs/concepts.md, one file per language. */
export const DIAGRAMS: readonly Diagram[] = [
  { name: "doors", draw: drawDoors },
  { name: "task", draw: drawTask },
  { name: "block", draw: drawBlock },
  { name: "restart", draw: drawRestart },
];

function drawDoors(locale: Locale): string {
  const t = (en: string, ja: string) => pick(locale, en, ja);
  const doors = [
    ["Slack", t("a thread", "スレッド")],
    [t("Browser", "ブラウザー"), t("desktop and phone", "PC とスマートフォン")],
    [t("Terminal", "端末"), "kuromajutsu run"],
    [t("Your coding agent", "あなたのエージェント"), "MCP"],
  ];
  const runners = ["Claude Code", "Codex", "Cursor", "Gemini CLI", "OpenCode"];
  return diagram(860, 420, t("One core, several doors", "1 つのコアと複数の入口"), [
    ...doors.map((lines, index) =>
      box({ x: 20 + index * 210, y: 20, width: 190, height: 70, lines, look: "you" }),
    ),
    ...doors.map((_, index) => arrow([115 + index * 210, 90], [115 + index * 210, 150])),
    box({
      x: 20,
      y: 152,
      width: 820,
      height: 100,
      look: "core",
      lines: [
        t("One daemon, one database", "デーモン 1 つ、データベース 1 つ"),
        t(
          "tasks · approvals · groups · agents · audit: every door shows the same state",
          "タスク・承認・グループ・エージェント・監査。どの入口にも同じ状態が表示されます",
        ),
      ],
    }),
    arrow([230, 252], [230, 322]),
    label(242, 292, t("starts, watches, stops", "開始・監視・停止"), "left"),
    arrow([650, 252], [650, 322]),
    label(662, 292, t("forwards allowed calls", "許可された呼び出しを転送"), "left"),
    box({
      x: 20,
      y: 324,
      width: 420,
      height: 76,
      lines: [t("Agents", "エージェント"), runners.join(" · ")],
    }),
    box({
      x: 460,
      y: 324,
      width: 380,
      height: 76,
      lines: [
        t("Your MCP servers", "あなたの MCP サーバー"),
        t("through the gateway", "ゲートウェイ経由"),
      ],
    }),
  ]);
}

/** The left edge of a box in the row of the task. */
const at = (index: number) => 20 + index * 205;

function drawTask(locale: Locale): string {
  const t = (en: string, ja: string) => pick(locale, en, ja);
  const row = [
    [t("Request", "依頼"), t("you ask", "あなたが頼む")],
    [t("Prompt", "実行方針"), t("an agent drafts it", "エージェントが下書き")],
    [t("Steps", "実行ステップ"), t("an agent drafts them", "エージェントが下書き")],
    [t("Execution", "実行"), t("agents work", "エージェントが作業")],
    [t("Result", "結果"), t("with the record", "記録つき")],
  ];
  const decisions = [
    [1, t("You approve or reject", "あなたが承認・却下")],
    [2, t("You approve or reject", "あなたが承認・却下")],
    [3, t("You check marked steps", "印のあるステップを確認")],
  ] as const;
  return diagram(1_010, 260, t("From the request to the result", "依頼から結果まで"), [
    ...row.map((lines, index) =>
      box({
        x: at(index),
        y: 20,
        width: 160,
        height: 70,
        lines,
        look: index === 0 ? "you" : "box",
      }),
    ),
    ...row.slice(1).map((_, index) => arrow([at(index) + 160, 55], [at(index + 1) - 2, 55])),
    ...decisions.flatMap(([index, text]) => [
      box({ x: at(index) - 16, y: 130, width: 192, height: 44, lines: [text], look: "you" }),
      arrow([at(index) + 80, 128], [at(index) + 80, 92]),
    ]),
    box({
      x: at(3) - 16,
      y: 200,
      width: 192,
      height: 44,
      lines: [t("You block at any time", "いつでもブロック")],
      look: "you",
    }),
    path([
      [at(3) - 16, 222],
      [at(3) - 22, 222],
      [at(3) - 22, 80],
      [at(3) - 2, 80],
    ]),
    label(
      at(1) + 80,
      228,
      t("a rejection and its reason go into the next draft", "却下の理由は次の下書きに使われます"),
    ),
  ]);
}

/** The middle of a lane of the sequence. */
const lane = (index: number) => 130 + index * 300;

function drawBlock(locale: Locale): string {
  const t = (en: string, ja: string) => pick(locale, en, ja);
  const lanes = [t("You", "あなた"), "Kuromajutsu", t("Agent", "エージェント")];
  const messages: readonly (readonly [number, number, string])[] = [
    [0, 1, t("block, with a reason", "理由を添えてブロック")],
    [2, 1, t("its next tool call", "次のツール呼び出し")],
    [1, 2, t("answer + “you have a notification”", "応答に「通知があります」を付与")],
    [2, 1, "get_notifications"],
    [1, 2, t("stop, and why", "中断の指示と理由")],
    [2, 1, "report_completed (blocked)"],
    [1, 0, t("stopped, with proof", "停止の確認")],
  ];
  return diagram(860, 470, t("How a block reaches an agent", "ブロックがエージェントに届くまで"), [
    ...lanes.map((name, index) =>
      box({
        x: lane(index) - 90,
        y: 16,
        width: 180,
        height: 44,
        lines: [name],
        look: index === 0 ? "you" : "core",
      }),
    ),
    ...lanes.map((_, index) => `<path d="M${lane(index)} 60 L${lane(index)} 400" class="dashed"/>`),
    ...messages.map(([from, to, text], index) =>
      arrow(
        [lane(from), 104 + index * 44],
        [lane(to) + (to > from ? -4 : 4), 104 + index * 44],
        text,
      ),
    ),
    label(
      430,
      432,
      t(
        "From the block on, no call of the task is forwarded. An agent that makes no call",
        "ブロックした時点から、このタスクの呼び出しは転送されません。ツールを呼ばない",
      ),
    ),
    label(
      430,
      452,
      t(
        "is stopped with all its processes after 120 s (interrupt.hardStopAfter_ms).",
        "エージェントは 120 秒後に全プロセスを停止します（interrupt.hardStopAfter_ms）。",
      ),
    ),
  ]);
}

function drawRestart(locale: Locale): string {
  const t = (en: string, ja: string) => pick(locale, en, ja);
  return diagram(860, 300, t("Agents survive the daemon", "デーモンが落ちてもエージェントは続く"), [
    box({
      x: 20,
      y: 20,
      width: 220,
      height: 70,
      look: "off",
      lines: [t("Daemon", "デーモン"), t("kill -9, crash, update", "kill -9・クラッシュ・更新")],
    }),
    box({
      x: 620,
      y: 20,
      width: 220,
      height: 70,
      look: "core",
      lines: [
        t("Next daemon", "次のデーモン"),
        t("started by the next call", "次の呼び出しが起動"),
      ],
    }),
    arrow([242, 55], [618, 55], t("rows in the database", "データベースの行")),
    box({
      x: 20,
      y: 200,
      width: 220,
      height: 70,
      lines: [t("Agents", "エージェント"), t("continue to work", "作業を続ける")],
    }),
    box({
      x: 320,
      y: 200,
      width: 220,
      height: 70,
      lines: [t("Spool", "スプール"), t("their output, on disk", "出力をディスクに保存")],
    }),
    arrow([242, 235], [318, 235]),
    path([
      [540, 235],
      [730, 235],
      [730, 92],
    ]),
    label(640, 226, t("reads what it missed", "未読分を読む")),
  ]);
}
