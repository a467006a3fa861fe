/** The orchestrator's texts in both languages: a part of the catalogue in ../texts.ts. */
export const ORCHESTRATOR_JA = {
  noLedger: (error: string) => `台帳は書けませんでした: ${error}`,
  noRoles: "任せられる職種がありません。",
  noMore: (error: string) => `これ以上は任せません: ${error}`,
  limitReached: "反復の上限に達したので、任せるのをやめました",
  cannotGoOn: "任せ続けられなくなりました",
  failedBecause: (why: string, error: string, story: string) => `${why} (${error})。${story}`,
  leftToPerson: (story: string) => `人の判断が必要という通知を受けて終わります。${story}`,
  succeeded: (story: string) => `モデルには何も尋ねていません。${story}`,
  lastFailed: (story: string) => `最後の反復が成功しませんでした。${story}`,
  story: (count: number, each: string) =>
    `反復は ${count} 回です${each === "" ? "" : ` (${each})`}。`,
  group: (id: string) => `グループ: ${id}`,
  delegating: (number: number, roles: string) => `反復 ${number}: ${roles} に任せます。`,
  iteration: (number: number, results: string) => `反復 ${number}: ${results}`,
  resultOf: (agent: string, summary: string) => `${agent} の結果: ${summary}`,
  unknownStatus: "不明",
  unreadableResult: "結果を読めませんでした。",

  youAre: (number: number, count: number, place: number, task: string) =>
    `反復 ${number} の ${count} 体のうち ${place} 体目です。依頼は「${task}」です。`,
  advisedToReplan: (advice: string) => `計画の見直しを求められました: ${advice}`,
  earlierResults: (number: number) => `反復 ${number} の結果は次のとおりでした。`,

  ledger: {
    given: (task: string, roles: string) =>
      `依頼の 1 行目は「${task}」です。任せられる職種は ${roles} です。`,
    replan: (advice: string) => `見直しを求められました: ${advice}`,
    toLookUp: "モデルに尋ねないので、調べることはありません。",
    toDerive: "各 Agent の結果の status だけから、成功したかを判断します。",
    guesses: "推測はしていません。",
    samePlan: (count: number) => `同じ職種と同じプロンプトを ${count} 回任せます (指示による)。`,
    plan: (count: number) =>
      `2 体に任せ、その結果を引用して 1 体に任せ直し、反復 ${count} 回で報告します。`,
    count: (all: number, good: number) => `${all} 体のうち ${good} 体が成功しました。`,
    onceMore: (count: string) => `${count} 計画どおり、もう一度任せます。`,
    loop: "前の反復と職種もプロンプトも同じです。",
    noLoop: "前の反復と同じ依頼はしていません。",
    nextReport: "報告する",
    nextReplan: "計画を見直して任せ直す",
    progress: (planned: number, past: number) =>
      `予定した ${planned} 回のうち ${past} 回が終わりました。`,
    instructReport: "report_result で報告する",
    instructRead: "前の結果を読んだことを報告させる",
    noThought: "モデルに尋ねないので、依頼の中身からは決めていません。",
  },
};

export const ORCHESTRATOR_EN: typeof ORCHESTRATOR_JA = {
  noLedger: (error) => `the ledger could not be written: ${error}`,
  noRoles: "There is no role to delegate to.",
  noMore: (error) => `delegating no more work: ${error}`,
  limitReached: "the iteration limit was reached, so no more work was delegated",
  cannotGoOn: "it could not continue to delegate",
  failedBecause: (why, error, story) => `${why} (${error}). ${story}`,
  leftToPerson: (story) => `a person must decide, so it ended. ${story}`,
  succeeded: (story) => `no model was asked. ${story}`,
  lastFailed: (story) => `the last iteration did not succeed. ${story}`,
  story: (count, each) => `Iterations: ${count}${each === "" ? "" : ` (${each})`}.`,
  group: (id) => `Group: ${id}`,
  delegating: (number, roles) => `iteration ${number}: delegating to ${roles}.`,
  iteration: (number, results) => `iteration ${number}: ${results}`,
  resultOf: (agent, summary) => `Result of ${agent}: ${summary}`,
  unknownStatus: "unknown",
  unreadableResult: "The result could not be read.",

  youAre: (number, count, place, task) =>
    `you are agent ${place} of ${count} in iteration ${number}. The request is “${task}”.`,
  advisedToReplan: (advice) => `advised to replan: ${advice}`,
  earlierResults: (number) => `the results of iteration ${number} were as follows.`,

  ledger: {
    given: (task, roles) =>
      `the first line of the request is “${task}”. Available roles: ${roles}.`,
    replan: (advice) => `Advised to replan: ${advice}`,
    toLookUp: "no model is asked, so there is nothing to look up.",
    toDerive: "success is judged by the status of each agent's result alone.",
    guesses: "there are no guesses.",
    samePlan: (count) => `the same roles and prompts ${count} times, as a directive asks.`,
    plan: (count) =>
      `two agents first, then one that gets their results; reports after ${count} iterations.`,
    count: (all, good) => `${good} of ${all} agents succeeded.`,
    onceMore: (count) => `${count} As planned, once more.`,
    loop: "the roles and prompts are the same as in the previous iteration.",
    noLoop: "the requests differ from those of the previous iteration.",
    nextReport: "report",
    nextReplan: "replan and delegate again",
    progress: (planned, past) => `${past} of ${planned} planned iterations are over.`,
    instructReport: "report with report_result",
    instructRead: "have it report that it has read the previous results",
    noThought: "no model is asked, so the content of the request decides nothing.",
  },
};
