/** What the settings of the daemon mean, in Japanese. The English texts are in the schema. */
export const SETTINGS: Readonly<Record<string, string>> = {
  locale:
    "製品の文の言語。すべての利用者とクライアントに使われます。省略すると、リクエストごとに決まります（ブラウザーの言語、端末や MCP クライアントの `LC_ALL`・`LC_MESSAGES`・`LANG`、`Accept-Language`）。デーモンが自分で書く文は、デーモンのこれらの変数で決まります。",
  server: "待ち受けるアドレス。",
  dashboard: "ダッシュボードなど、HTTP で提供するもの。",
  agent: "エージェントの動かし方。",
  log: "ログの内容と出力先。",
  healthCheck: "職種とモデルの検査。",
  history: "履歴を残す期間。",
  prices: "トークンの単価。",
  tasks: "タスクの計画、承認、実行。",
  workspace: "エージェントの作業ツリーと、変更の取り込み。",
  interrupt: "人によるエージェントの中断。",
  alerts: "人へのアラート。待っているもの、終わったもの、失敗したものを知らせます。",
  mcpServers:
    "エージェントがツールを使える上流の MCP サーバー。書き方は `.cursor/mcp.json` と同じです。",
  slack: "Slack。SLACK_BOT_TOKEN か SLACK_CLIENT_ID がなければ、何も始めません。",
  store: "データの保存先。アドレスを書くまで SQLite です。",
  telemetry: "OpenTelemetry のトレースとメトリクス。アドレスを書くまで送りません。",
  auth: "サインインできる利用者。",
  roles:
    "職種。組み込みの職種と `id` で合わせます。組み込みの `id` なら、書いた項目だけを変えます。新しい職種には `name`、`description`、`model`、`systemPrompt` が必要です。",
  tools: "独自のロールツール。",

  "server.bind":
    "待ち受けるアドレス。ループバック以外では、サインインする利用者（`auth.users`）が必要です。`0.0.0.0` はこのマシンのすべてのアドレスです。",
  "server.trustedProxies":
    "デーモンの前に置いたロードバランサーのアドレスか範囲（`10.0.0.0/8`）。`X-Forwarded-For` は、ここに書いた相手からのものだけを信用します。書いておくと、誤ったトークンの制限と監査が、バランサーではなくクライアントのアドレスを使います。",

  "server.slots":
    "このサーバーが自分で動かすエージェントの数。オーケストレーターと下書きは数えません。0 なら 1 体も動かさず、すべてワーカーが動かします。省略すると、`agent.maxConcurrent` までです。",
  "server.labels":
    "このサーバーの[ラベル](scale.ja.md#ラベル)。そのラベルが必要なエージェントを、ここで動かせます。",

  "dashboard.port":
    "HTTP のポート。ダッシュボードも `/mcp` もここです。0 なら空いているポートを使います。",
  "dashboard.hosts":
    "利用者が開くときのほかのホスト名（前に置いたプロキシの名前など）。サインインを使うときに有効です。",
  "dashboard.origins":
    "デーモンを使ってよいページのほかのオリジン。スキームとポートも書きます。デーモン自身のアドレスと、`hosts` の名前に `https://` を付けたものは、書く必要がありません。",

  "agent.runner":
    "エージェントを動かす CLI。1 つ、`auto`、または `[claude, codex]` のような[フォールバックのリスト](#ランナー)。`auto` は、インストール済みでサインインしていて利用枠の残っている最初の CLI です。1 つもインストールされていなければ `rehearsal` になります。",
  "agent.rehearseWithoutCli":
    "`false` にすると、`runner: auto` で CLI が 1 つもないとき、リハーサルにせず拒否します。",
  "agent.maxConcurrent": "同時に動くエージェントの数。ほかは待ち行列で待ちます。",
  "agent.maxQueued": "待てるエージェントの数。超えると `MAX_CONCURRENT_REACHED` になります。",
  "agent.maxOrchestrators": "同時に動くオーケストレーターの数。`maxConcurrent` とは別に数えます。",
  "agent.limits":
    "[ラベル](scale.ja.md#ラベル)ごとに、同時に動くエージェントの数。すべてのサーバーとワーカーを合わせて数えます。例: `{ gpu: 2 }`。",
  "agent.defaultTimeout_ms":
    "制限時間を指定されていないエージェントの制限時間。省略すると、制限はありません。",
  "agent.hardKillAfter_ms": "エージェントを停止するとき、最初のシグナルから SIGKILL までの時間。",
  "agent.lingerAfterEnd_ms": "報告または最後のイベントの後、CLI が終了するまで待つ時間。",
  "agent.maxRetries":
    "モデルへのリクエストの失敗と再送が続けてこの回数を超えたエージェントは停止します。結果に最後の理由が残ります。0 なら制限しません。",
  "agent.maxRetryTime_ms":
    "モデルへのリクエストがこの時間失敗し続けたエージェントは停止します。0 なら制限しません。",
  "agent.maxEvents":
    "これより多くのイベント（出力の行）を書いたエージェントは停止します。文字を少しずつ出力する CLI が忙しく 1 日働いても、既定値の 3 分の 1 ほどです。0 なら制限しません。",
  "agent.maxToolCalls":
    "これより多くツールを呼んだエージェントは停止します。既定値は何時間もの作業に足り、無限ループは終わらせます。0 なら制限しません。",
  "agent.maxOutput_mb":
    "これより多く出力したエージェントは停止します（1 MB は 1,048,576 バイト）。0 なら制限しません。省略すると `maxSpool_bytes` を使います。",
  "agent.connectWithin_ms":
    "開始からこの時間内に Kuromajutsu に接続しないエージェントは、縮退と表示します。",
  "agent.maxSpool_bytes":
    "`maxOutput_mb` の古い名前（単位はバイト）。`maxOutput_mb` を省略したときに使います。",
  "agent.acpCommand":
    "`runner: acp` で起動する CLI と、Agent Client Protocol で通信させる引数。例: `[gemini, --acp]`。省略すると、gemini、opencode、claude-agent-acp、codex-acp のうち `PATH` で最初に見つかったものです。",
  "agent.env": "エージェントに渡す、デーモンのほかの環境変数の名前。",

  "log.level": "書き出す行の最低の重大度。",
  "log.format":
    "`json` にすると、1 行に 1 つの JSON オブジェクト（`time`、`level`、`message` と項目）になります。",
  "log.file":
    "標準エラー出力の代わりに書くファイル。このファイルからの相対パスです。省略すると標準エラー出力、クライアントが起動したデーモンではデータディレクトリの `daemon.log` です。",
  "log.maxSize_mb": "ログファイルをローテーションする大きさ（1 MB は 1,048,576 バイト）。",
  "log.keepFiles": "残す古いログファイルの数。`.1` がいちばん新しいものです。",

  "healthCheck.enabled": "`false` にすると、デーモンの起動時にモデルと職種を検査しません。",
  "healthCheck.cacheTtl_ms": "結果の有効期間。再起動しても引き継ぎます。0 なら毎回検査します。",
  "healthCheck.timeout_ms": "1 回の検査で CLI の応答を待つ時間。",
  "healthCheck.concurrency": "同時に行う検査の数。エージェントとは別に数えます。",

  "history.keep_days":
    "この日数より前に終わったエージェントを、トランスクリプトと一緒に削除します。グループが削除され、一覧からも外れたものだけが対象です。",

  "prices.currency": "単価の通貨（3 文字のコード）。",
  "prices.models":
    "モデル名ごとの単価。モデル名は CLI または職種での名前です。CLI が費用を報告したときは、そちらを使います。単価のないモデルの費用は 0 ではなく不明になります。",
  "prices.models.<name>.input": "入力トークン 100 万個の単価。",
  "prices.models.<name>.output": "出力トークン 100 万個の単価。",
  "prices.models.<name>.cacheRead":
    "キャッシュから読んだトークンの単価。省略すると `input` と同じです。",
  "prices.models.<name>.cacheWrite":
    "キャッシュに書いたトークンの単価。省略すると `input` と同じです。",

  "tasks.maxRegenerations":
    "1 つのタスクで下書きを却下できる回数。超えるとタスクは中止になります。",
  "tasks.holdFor_ms":
    "人の決定を待つために、エージェントの呼び出しを保留する時間。過ぎるとエージェントに終了を求め、決定の後に次のエージェントが続けます。",
  "tasks.unplannedTools": "承認されたステップにないツールが呼ばれたときの扱い。",
  "tasks.approval":
    "決定できる人: `anyone`、`requester`、`not-requester`、`{approvers: [ID]}`、`{quorum: 人数}`。",
  "tasks.approvals": "承認の種類ごとの、決定できる人。`approval` と異なるものだけを書きます。",
  "tasks.approvalExpiry_ms":
    "決定されないままこの時間が過ぎると、承認は期限切れになります。0 なら期限はありません。",
  "tasks.remindAfter_ms":
    "決定されないままこの時間が過ぎると、もう一度知らせます。その前に期限が来るなら、期限までの半分で知らせます。0 なら知らせません。",
  "tasks.types": "タスクの種類の候補。",

  "workspace.isolation":
    "エージェントが専用の git 作業ツリーで作業するか。`auto`: 別のエージェントが同じ git チェックアウトに同時に書き込みうるとき、ファイルを変更できるエージェントは専用の作業ツリーを使います。`worktree`: 作業ツリーを作れないエージェントは拒否します。`none`: ディレクトリを共有します。",
  "workspace.root":
    "作業ツリーを作る場所。このファイルからの相対パスです。リポジトリの外を選んでください。省略すると、データディレクトリの `workspaces` です。",
  "workspace.base":
    "作業の出発点。`head` はチェックアウトしているコミット、`working-tree` はそれにコミットしていない変更を加えたものです。",
  "workspace.copy":
    "git が無視するファイルのうち、新しい作業ツリーに必要なもののパターン（`.env` など）。コピーしたファイルはエージェントが読めます。",
  "workspace.setup": "新しい作業ツリーを準備するコマンド（`npm ci` など）。`sh -c` で実行します。",
  "workspace.setupTimeout_ms": "この時間で `setup` を止め、失敗とします。",
  "workspace.check":
    "変更を取り込む前に 0 で終わる必要のあるコマンド（`npm test` など）。取り込んだ結果に対して `sh -c` で実行します。",
  "workspace.checkTimeout_ms": "この時間で `check` を止め、失敗とします。",
  "workspace.merge": "変更の取り込み方。",
  "workspace.merge.mode":
    "ブランチへの入れ方。`squash` は 1 つのコミットにまとめ、`merge` はマージコミットを作り、`rebase` はコミットを 1 つずつ載せます。",
  "workspace.merge.target":
    "変更を取り込むブランチ。省略すると、依頼した場所でチェックアウトしていたブランチです。",
  "workspace.maxTotal_mb":
    "作業ツリー全体の容量がこれ（1 MB は 1,048,576 バイト）を超えると、新しい作業ツリーを作りません。0 なら制限しません。",
  "workspace.maxFile_mb": "これ（MB）より大きい新しいファイルは、変更に含めません。",
  "workspace.maxNewFiles":
    "エージェントの作った新しいファイルがこの数を超えると、それらを変更に含めません。",
  "workspace.keepDecided_hours": "変更を取り込むか破棄した後、作業ツリーを残す時間。",
  "workspace.keepOpen_days":
    "決定のないまま作業ツリーを残す日数。変更はコミットとして残り、作業ツリーは作り直せます。",
  "workspace.keepRefs_days": "取り込んだか破棄した変更のコミットを残す日数。",
  "workspace.ports": "エージェントが起動するサーバーのためのポート。",
  "workspace.ports.from": "エージェントに割り当てる最初のポート。",
  "workspace.ports.to": "最後のポート。",
  "workspace.ports.perAgent":
    "1 つのエージェントに割り当てる、連続したポートの数。`PORT`、`KUROMAJUTSU_PORT_FROM`、`KUROMAJUTSU_PORT_TO` で渡します。0 なら割り当てません。",

  "interrupt.hardStopAfter_ms":
    "停止の通知からこの時間内に報告しないエージェントを停止します。0 なら停止しません。",

  "store.url":
    "SQLite の代わりに、この PostgreSQL のデータベース（14 以降）にすべてを保存します。`postgres://user:password@host:5432/database` の形で書きます。ほかのホストには `?sslmode=verify-full` が必要です。環境変数 `KUROMAJUTSU_DATABASE_URL` があれば、そちらを使います。最初に起動する前に、一度 `kuromajutsu migrate` を実行してください。",
  "store.urlFile":
    "`url` の代わりに、そのアドレスを 1 行だけ書いたファイル。ほかの人が読めないようにしてください（モード 0600）。相対パスは、この設定ファイルのフォルダーから始まります。",
  "store.lease_ms":
    "PostgreSQL のときだけ使います。ほかのサーバーからこの時間見えないサーバーは停止したとみなされ、そのエージェントは lost になります。",
  "store.connections":
    "PostgreSQL への接続数の上限。ほかに、ライブイベント、リース、ホストの一覧、サインイン、上流サーバー、トランスクリプトのために 11 まで使います。",

  "telemetry.otlpEndpoint":
    "トレースとメトリクスの送り先（OTLP/HTTP）。書くと OpenTelemetry が有効になります。`/v1/traces` と `/v1/metrics` を付けて送ります。受信先の鍵は環境変数 `OTEL_EXPORTER_OTLP_HEADERS` に入れてください。",
  "telemetry.serviceName": "受信先に表示される名前（`service.name`）。",
  "telemetry.interval_ms": "送る間隔。",
};
