import { createHash } from "node:crypto";
import type { DaemonStatus } from "../../contract/hello.ts";
import { escapeHtml } from "./escape-html.ts";

const STYLE = `
:root { color-scheme: dark; }
body { margin: 0; background: #0d0b14; color: #e8e4f2; font: 16px/1.7 system-ui, "Hiragino Sans", "Yu Gothic UI", "Noto Sans JP", "Noto Sans CJK JP", Meiryo, sans-serif; }
main { max-width: 44rem; margin: 0 auto; padding: 3rem 1.25rem; }
h1 { font-size: 1.75rem; letter-spacing: .04em; margin: 0; }
h2 { font-size: 1rem; color: #b9a7ea; margin: 2.5rem 0 .5rem; }
p { margin: .4rem 0; }
.lead { color: #b8b2c9; }
.live { display: inline-block; width: .65rem; height: .65rem; border-radius: 50%; background: #4ade80; margin-right: .5rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1.25rem; margin: .5rem 0; }
dt { color: #a39bb8; }
dd { margin: 0; overflow-wrap: anywhere; }
@media (max-width: 34rem) { dl { grid-template-columns: 1fr; gap: 0; } dd { margin-bottom: .6rem; } }
pre { background: #14111f; border: 1px solid #352d4d; border-radius: .5rem; padding: 1rem; overflow-x: auto; font: 14px/1.5 ui-monospace, "JetBrains Mono", Menlo, monospace; user-select: all; }
`;

/** The content security policy allows only this style block, by its hash. */
export const START_PAGE_STYLE_HASH = `sha256-${createHash("sha256").update(STYLE).digest("base64")}`;

/** Shown if the dashboard was not built: says that the daemon runs and what to do next. */
export function renderStartPage(status: DaemonStatus, snippet: string): string {
  const rows: [string, string][] = [
    ["バージョン / version", status.version],
    ["プロセス / pid", String(status.pid)],
    ["実行中・待機中 / running · queued", `${status.agents.live} · ${status.agents.waiting}`],
    ["設定 / configuration", status.configPath ?? "（既定値 / built-in defaults）"],
    ["データ / data", status.dataDir],
    ["起動 / started", status.startedAt],
  ];
  return `<!doctype html>
<html lang="ja">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>黒魔術 Kuromajutsu</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>黒魔術 <span lang="en">Kuromajutsu</span></h1>
<p><span class="live"></span>デーモンは動いています。<span class="lead" lang="en">The daemon is running.</span></p>
<dl>
${rows.map(([name, value]) => `<dt>${escapeHtml(name)}</dt><dd>${escapeHtml(value)}</dd>`).join("\n")}
</dl>
<h2>次にすること / Next</h2>
<p>次の内容を MCP クライアントの設定（Cursor なら <code>.cursor/mcp.json</code>）に加えてください。</p>
<p class="lead" lang="en">Add this to your MCP client (Cursor: <code>.cursor/mcp.json</code>).</p>
<pre>${escapeHtml(snippet)}</pre>
</main>
</body>
</html>
`;
}
