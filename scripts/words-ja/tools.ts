/** What each MCP tool does, in Japanese. The tools describe themselves to models in English. */
export const TOOL_MEANINGS: Readonly<Record<string, string>> = {
  create_group:
    "グループを作成します。エージェントは必ずどれかのグループに属するので、最初に呼び出します。",
  delete_group: "すべてのエージェントが終わったグループを削除します。結果は履歴に残ります。",
  run_agents:
    "並列のグループでエージェントを開始します。すべて受け付けるか、すべて拒否するかのどちらかです。エージェントは同時に動き、上限を超えた分は待ち行列で待ちます。続けて wait_agent を呼び出します。",
  run_sequential:
    "ステージ順のグループで、ステージを順に実行します。同じステージのエージェントは同時に動き、前のステージの結果を受け取ります。続けて、すべての agentIds を渡して wait_agent を呼び出します。",
  run_magentic:
    "オーケストレーターに仕事を任せます。計画、割り振り、評価、計画の見直しをオーケストレーター自身が行います。続けて orchestratorAgentId を渡して wait_agent を呼び出します。",
  list_agents:
    "エージェントを新しい順に返します（削除したグループのものは 20 体まで）。completed は resultReported も、failed は timedOut と lost も含みます。",
  get_agent_status:
    "1 体（agentId）または複数（agentIds）のエージェントの状態と、結果の全文を返します。",
  wait_agent:
    "エージェントが報告するか終わるまで待ちます。waitMore が true のうちは、同じ agentIds と cursor で呼び直します。前の応答のあとに終わったものを 1 行の要約で返します。結果の全文は get_agent_status で読みます。",
  get_changes:
    "エージェントが作業ツリーで行った変更の要約を返します。agentId と path を渡すと、そのファイルの差分を返します。",
  report_result: "自分の仕事の結果を報告します。成功でも失敗でも、最後に 1 度だけ呼び出します。",
  list_roles: "エージェントに与えられる職種と、その用途を返します。",
  cancel_agent:
    "エージェントと、そのエージェントが始めたプロセスをすべて止めます。オーケストレーターなら、その下で働くエージェントもすべて止めます。",
  send_message:
    "実行中のエージェントにメッセージを残します。相手には次のツール呼び出しで通知されます。",
  get_notifications:
    "自分あての通知を読みます。応答に notification が付いていたら呼び出し、その内容に従います。",
  update_ledger:
    "オーケストレーター用です。事実と計画（task）を、また反復のたびに進み具合（progress）を台帳に書きます。反復の回数、停滞の回数、助言が返ります。",
  report_completed:
    "終わったこと、止まること（blocked、cancelled）、または人を待つこと（waiting）を伝えます。そのあと終了します。",
  report_progress:
    "これから行うステップを、そのツールを呼び出す前に伝えます。利用者の画面にすぐに出ます。",
  ask_human:
    "人に質問し、回答を待ちます。APPROVAL_PENDING なら同じ質問で呼び直し、PARKED なら report_completed(result: waiting) を呼び出して終了します。",
  create_task:
    "人の承認を経て行う仕事を依頼します。実行方針と実行ステップの下書きが作られて人に示され、承認されるとエージェントが実行します。すぐに応答するので、進み具合は get_task で見ます。",
  get_task:
    "タスクを読みます。最新の実行方針と実行ステップ、進み具合、人を待っているもの、結果が返ります。",
  list_approvals: "人の決定を待っている承認を、古い順に返します。",
  decide_approval:
    "このクライアントのトークンを持つ利用者の名前で、承認を決定します。その利用者が、まさにこの承認について指示した直後にだけ使います。",
};

/** The meanings of parameters and answers, by their English text: many tools share a field. */
export const FIELD_MEANINGS: Readonly<Record<string, string>> = {
  "Its purpose in one line": "グループの目的（1 行）",
  "concurrent: run_agents; sequential: run_sequential":
    "concurrent は run_agents、sequential は run_sequential で使う",
  "Group it works for": "このグループの上にあるグループ",
  "An id from list_roles": "list_roles の ID",
  "The whole task: it does not see this conversation":
    "仕事の全文。エージェントにはこの会話は見えない",
  "Default: your own; name it over HTTP": "既定は自分のディレクトリ。HTTP では必ず指定する",
  "Stop it after this long": "この時間が過ぎたらエージェントを止める",
  "Continue this ended agent's conversation": "終わったこのエージェントの会話を続ける",
  'Made with create_group(mode: "sequential")': 'create_group(mode: "sequential") で作成したもの',
  "Tasks are as the agents of run_agents": "tasks の中身は run_agents の agents と同じ",
  "stop: a failed agent cancels later stages":
    "stop: あるステージのエージェントが失敗したら、後のステージを中止する",
  "The goal, in detail": "達成したいこと（詳しく）",
  "When the task counts as done": "完了とみなす条件",
  "What may be changed": "変更してよいファイルとディレクトリ",
  "Rules and prohibitions": "守ること、してはいけないこと",
  "Background, paths of specifications": "背景、仕様書のパス",
  "Default: all but orchestrator": "既定は orchestrator 以外のすべて",
  "Ends the whole task": "この時間で全体を終わらせる",
  "Default: your own": "既定は自分のディレクトリ",
  "Last nextCursor": "前のページの nextCursor",
  "Default: all": "既定はすべて",
  "It runs, but has not connected to Kuromajutsu, so it cannot report":
    "動いているが、Kuromajutsu に接続していないため報告できない",
  "All that match, not only this page": "条件に合うものの総数（このページだけではない）",
  "Default for agentIds: result, else status. rawOutput: the end of what its CLI wrote":
    "agentIds の既定は result、ほかは status。rawOutput は CLI の出力の末尾",
  "The end of what its CLI wrote": "CLI の出力の末尾",
  "For agentIds, in the same order": "agentIds と同じ順",
  "Over all chunks. Default: no limit": "呼び直しを含めた全体の時間。既定は制限なし",
  "From the last answer": "前の応答のもの",
  "Limit of one call": "この 1 回の呼び出しが待つ最長の時間",
  "With a cursor: only those not listed before": "cursor があれば、まだ返していないものだけ",
  "Only if it is not success": "success でないときだけ",
  "One line, at most 200 characters; why it failed": "1 行、200 文字まで。失敗ならその理由",
  "Your own Agent ID": "自分のエージェント ID",
  "One or two sentences": "1〜2 文",
  "What was done, outcome, why, cautions, hand-over":
    "構造化した報告: 行ったこと、結果、理由、注意点、引き継ぎ",
  "On failure": "失敗したとき",
  "Why it is not available": "使えない理由",
  "Why its agents wait, or run with a fallback":
    "エージェントが待っている理由、またはフォールバックで動く理由",
  "Why roles or tools are not as configured, and what a person can do":
    "職種やツールが設定どおりでない理由と、人にできること",
  "Becomes cancelled when its processes are gone": "プロセスがなくなると cancelled になる",
  "Orchestrators leave it out": "magentic のグループ。オーケストレーター自身は省略する",
  "What was done, what was not, why": "行ったこと、行わなかったこと、その理由",
  "Such as step-2": "step-2 など",
  "Left out: running": "省略すると running",
  "Left out: a free answer": "省略すると自由回答",
  "What is to be done, in any words": "してほしいこと（自由な文）",
  "Default: the analysis decides": "既定では分析が決める",
  "What waits for a person": "人を待っているもの",
  "The agents that work on it now": "いま担当しているエージェント",
  "decide_approval wants it": "decide_approval に渡す",
  "Show all of it to the person": "すべて利用者に見せる",
  "The agent that asked": "尋ねたエージェント",
  "This person may decide it": "この利用者が決定できるか",
  "Version that the person saw": "利用者が見た承認のバージョン",
  "Needed to reject a draft": "実行方針や実行ステップの却下に必要",
  "Question: the answer; outcome: done or repeat": "question なら回答、outcome なら done か repeat",
  "Step: what the yes is for": "step のとき、承認の及ぶ範囲",
  "Step: skip goes on without it": "step のとき、skip ならこのステップを飛ばして続ける",
  "pending: more people must say yes": "pending: ほかの利用者の承認も必要",
  "How many have said yes": "承認した人数",
  "Own git worktree? Default auto":
    "専用の git 作業ツリーで作業するか。省略時は auto（ほかにも書き込むエージェントがいれば分ける）",
  "HEAD, working-tree, ref or ended agentId":
    "作業ツリーの始点。HEAD、working-tree、ref、終わったエージェントの agentId のどれか",
  "Labels its host needs": "動かすサーバーやワーカーに必要なラベル",
  "Last nextOffset": "前の応答の nextOffset",
  "Your Agent ID if you have no token": "自分の Agent ID（トークンを渡されていないとき）",
};
