import type { RoleTool } from "./role.ts";

export const BUILTIN_TOOLS: readonly RoleTool[] = [
  {
    id: "textlint",
    name: "textlint",
    description: "文章の品質チェックツール。日本語の文法・表現ルールに基づいて問題を検出する",
    check: ["npx", "--no-install", "textlint", "--version"],
    promptInstructions: `textlint は、日本語の Markdown やテキストの文法・表現をルールに基づいて検査するコマンドです。

**実行方法**（作業ディレクトリで実行する）:

\`\`\`bash
npx --no-install textlint "README.md"            # 1 ファイル
npx --no-install textlint "docs/**/*.md"         # まとめて（glob は必ず引用符で囲む）
npx --no-install textlint --format json "docs/**/*.md"   # 機械的に読み取りたいとき
\`\`\`

- ルールは \`.textlintrc.json\` などの設定ファイルで決まる。textlint 自体は既定のルールを持たないため、設定ファイルがなければ何も検出されない。
- コマンドや設定ファイルが見つからないときは、勝手にインストールや作成をせず、「textlint は実行できなかった」ことと理由を報告し、目視でレビューを続ける。

**結果の読み方:**

- 指摘は「行:列、重大度（error / warning）、メッセージ、ルール名」の順に並ぶ。✓ の付いた指摘は自動修正できる。
- 終了コード 0 は指摘なし。0 以外は、指摘があるか、実行そのものに失敗している。出力を読んで区別する。

**指摘への対応:**

- ファイルを編集する役割の場合: 意味を変えない指摘だけを直す。\`--fix\` を使うときは、先に \`--fix --dry-run\` で変更内容を確かめる。直した後にもう一度実行し、残った指摘を報告する。
- レビューだけを行う役割の場合: ファイルを変更しない（\`--fix\` も使わない）。ファイル名・行・ルール名・修正案を一覧にして報告する。
- 固有名詞やコード、引用などの誤検出は直さず、そう判断した理由を添えて報告する。
- ルールを無効にするコメントや設定の変更で指摘を消さない。
`,
  },
];
