/** What the settings about people, servers and roles mean, in Japanese. */
export const SETTINGS_OF_PEOPLE: Readonly<Record<string, string>> = {
  "alerts.locale": "アラートの文の言語。省略すると、ファイルの `locale` です。",
  "alerts.dashboardUrl":
    "アラートのリンクに使うダッシュボードのアドレス。省略すると、リンクは付きません。",
  "alerts.rules": "どのアラートを、どこへ、誰に送るか。空なら、アラートはありません。",
  "alerts.webhooks": "`webhook:<名前>` の受信先。",
  "alerts.rules[].on": "知らせる内容。",
  "alerts.rules[].to":
    "送り先: `browser`、`webhook:<名前>`、`slack:requester`、`slack:<チャンネル>`。",
  "alerts.rules[].for":
    "知らせる相手: 依頼者、全員、またはリストの人。依頼者がわからないときは、管理者に知らせます。",
  "alerts.rules[].quietHours":
    "アラートを控える時間帯。マップ 1 つ、またはリスト。終わったときにまとめて送ります。",
  "alerts.rules[].digest_ms":
    "この時間のアラートを集め、まとめて送ります。0 なら 1 つずつすぐに送ります。",
  "alerts.rules[].urgent":
    "`true` にすると、人を待っているものは、控える時間帯でも `digest_ms` を待たずにすぐ送ります。",
  "alerts.rules[].quietHours.from":
    '開始時刻。例: `"22:00"`。`to` より後の時刻は、前の日の時刻です。',
  "alerts.rules[].quietHours.to": '終了時刻。例: `"07:00"`。',
  "alerts.rules[].quietHours.timeZone":
    "タイムゾーン。例: `Asia/Tokyo`。省略すると、デーモンのマシンのものです。",
  "alerts.rules[].quietHours.days": "始まる曜日。省略すると毎日です。",
  "alerts.webhooks.<name>.url": "受信先のアドレス。",
  "alerts.webhooks.<name>.urlEnv":
    "アドレスの入った環境変数の名前。アドレスを秘密にするときに、`url` の代わりに書きます。",
  "alerts.webhooks.<name>.secretEnv":
    "すべてのメッセージに署名する鍵（`whsec_…` など、16 バイト以上）の入った環境変数の名前。",
  "alerts.webhooks.<name>.allowAddresses":
    "受信先に許すリンクローカルやクラウドのメタデータのアドレス。ほかは拒否します。",

  "mcpServers.<name>.command": "stdio: 起動するプログラム。",
  "mcpServers.<name>.args": "stdio: プログラムの引数。",
  "mcpServers.<name>.env":
    "stdio: プログラムの環境変数。`${env:NAME}` はデーモンの環境変数に置き換えます。",
  "mcpServers.<name>.cwd": "stdio: 作業ディレクトリ。このファイルからの相対パスです。",
  "mcpServers.<name>.url": "HTTP: サーバーのアドレス。",
  "mcpServers.<name>.headers":
    "HTTP: すべてのリクエストに付けるヘッダー。`${env:NAME}` は環境変数に置き換えます。",
  "mcpServers.<name>.timeout_ms": "1 回の呼び出しで、進み具合の知らせがないまま待つ時間。",
  "mcpServers.<name>.disabled": "`true` にすると、起動しません。",
  "mcpServers.<name>.placement":
    "stdio、サーバーが複数あるとき: `each` はサーバーごとに 1 つずつ、`one` は全体で 1 つだけ起動します。`one` は状態を持つプログラムに使います。",
  "mcpServers.<name>.tools": "ツールごとの設定。",
  "mcpServers.<name>.tools.<tool>.readOnly":
    "`true`: 何も変更しないツール。タスクの中断中でも呼び出せます。",
  "mcpServers.<name>.tools.<tool>.disabled": "`true` にすると、どのエージェントにも見えません。",
  "mcpServers.<name>.tools.<tool>.humanCheck":
    "送る前に人が呼び出しを確認するか。`as-planned`: タスクでは承認されたステップのとおり、タスクの外ではサーバー自身が破壊的だと示すツールだけ。`always`: タスクの内外を問わず、すべての呼び出し。`never`: 確認のないステップを下書きし、タスクの外の呼び出しも確認しません。",

  "slack.mode":
    "Slack との接続方式。`socket` には SLACK_APP_TOKEN、`http` には SLACK_SIGNING_SECRET と公開アドレスが必要です。`auto` は、SLACK_APP_TOKEN があれば `socket` です。",
  "slack.publicUrl":
    "デーモンの公開アドレス。`http` と、複数のワークスペースへのインストールに使います。",
  "slack.people":
    "Slack の利用者。`{user: U…, person: ID}` は `auth.users` の利用者、`{usergroup: S…, role}` のメンバーはそれぞれ本人として操作します。ほかの人は拒否します。",
  "slack.boards":
    "メインエージェントが動かすグループごとに、1 つのメッセージを表示するチャンネル。",
  "slack.boards[].channel": "表示するチャンネル。",
  "slack.boards[].team": "ワークスペース。複数にインストールしたときだけ必要です。",
  "slack.boards[].groups": "表示する、メインエージェントのグループの種類。",

  "auth.users":
    "サインインできる利用者。空ならサインインは不要で、このマシンのどのユーザーも利用者 `local` になります。",
  "auth.users[].id": "承認と監査に記録される利用者の ID。",
  "auth.users[].name": "表示する名前。省略すると ID です。",
  "auth.users[].role":
    "`viewer` は閲覧、`operator` は依頼・決定・停止も、`admin` は設定もできます。",
  "auth.users[].tokenHash": "利用者のトークンの sha256。トークンそのものはどこにも保存しません。",

  "roles[].id": "職種の ID。組み込みの職種の ID なら、その職種を変更します。",
  "roles[].name": "表示する名前。",
  "roles[].description": "何のための職種か。`list_roles` でメインエージェントに渡します。",
  "roles[].model":
    "モデル名、またはランナーからモデル名へのマップ。書いた名前を置き換えることはありません。フォールバックのリストで名前が 1 つなら、最初のランナーのものです。",
  "roles[].systemPrompt": "エージェントのプロンプトの最初の部分。",
  "roles[].healthCheckPrompt":
    "ヘルスチェックで尋ねる文。新しい職種では `Hello, respond with exactly: OK` です。",
  "roles[].tools": "ロールツールの ID（`textlint`、または `tools` のもの）。",
  "roles[].runner":
    "ランナー 1 つ、`auto`、または[フォールバックのリスト](#ランナー)。省略すると `agent.runner` です。",
  "roles[].mcpServers":
    "この職種のエージェントが使える上流のツール: `mcpServers` の名前、`server/tool`、すべてなら `*`。新しい職種にはなく、`executor` にはすべてあります。",
  "roles[].access": "ファイルを変更できるか。新しい職種は `read-write` です。",
  "roles[].isolation":
    "この職種のエージェントが専用の作業ツリーで作業するか。省略すると `workspace.isolation` です。",
  "roles[].labels":
    "この職種のエージェントを動かすサーバーやワーカーに必要な[ラベル](scale.ja.md#ラベル)。依頼するときに、さらに加えられます。",
  "roles[].onLost":
    "動かしていたサーバーやワーカーがなくなったエージェントの扱い。`report`（既定）なら `lost` になります。`requeue` なら、別の所で起動し直します（合わせて 3 回まで）。途中までの作業が 2 回行われることがあります。",
  "roles[].disabled": "`true` にすると、組み込みのものも含めて、職種を除きます。",

  "tools[].id": "`roles[].tools` に書く ID。組み込みのツールの ID なら、そのツールを置き換えます。",
  "tools[].name": "画面とプロンプトに表示する名前。",
  "tools[].description": "ツールの働き。",
  "tools[].promptInstructions":
    "使い方（Markdown）。このツールを持つ職種の、すべてのエージェントのプロンプトに入ります。",
  "tools[].check":
    "インストールされていれば 0 で終わるコマンドと引数。求められたときだけ実行します。",
};
