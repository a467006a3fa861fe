import { Link } from "@tanstack/react-router";
import { FileDiff } from "lucide-react";
import { useState } from "react";
import type { WireApproval } from "../../../../../src/contract/shapes/approvals.ts";
import { type ShownMerge, shownMerge } from "../../../../../src/contract/shown-merge.ts";
import { useFormat } from "../../../i18n/format.ts";
import { defineTexts, useTexts } from "../../../i18n/texts.ts";
import { visibleName } from "../../../text/visible.ts";
import { Button } from "../../../ui/button.tsx";
import { LongText } from "../../../ui/long-text.tsx";
import { LineCounts } from "../../changes/diff/file-status.tsx";

const TEXTS = defineTexts({
  ja: {
    review: "変更を読む",
    reviewNote:
      "承認するのは、このバージョンだけです。そのあとで変更が新しくなると、この確認は取り消されます。",
    into: "取り込み先",
    mode: "方法",
    check: "検査",
    noCheck: "なし",
    conflicts: "取り込み先と競合しています。承認しても、このままでは取り込めません。",
    files: (count: string) => `${count} ファイル`,
    message: "コミットメッセージ",
    changed: "変更されたファイル",
    more: (count: string) => `ほか ${count} ファイル`,
    checkout: "手元のチェックアウトも進めます",
    modes: {
      squash: "1 つのコミットにまとめる",
      merge: "マージコミットを作る",
      rebase: "コミットを順に載せる",
    },
  },
  en: {
    review: "Review the change",
    reviewNote:
      "You approve this version only. If the change gets a newer version, this approval is withdrawn.",
    into: "Into",
    mode: "How",
    check: "Check",
    noCheck: "none",
    conflicts: "It conflicts with the branch. An approval cannot merge it like this.",
    files: (count) => (count === "1" ? "1 file" : `${count} files`),
    message: "Commit message",
    changed: "Changed files",
    more: (count) => (count === "1" ? "and 1 more file" : `and ${count} more files`),
    checkout: "Your checkout is moved forward, too",
    modes: {
      squash: "Squash into one commit",
      merge: "Create a merge commit",
      rebase: "Rebase the commits",
    },
  },
});
type Words = (typeof TEXTS)["ja"];

const MAX_FILES = 20;

/** What a merge would bring into a branch, with a link to the review of the change. */
export function MergeContent({ approval }: { readonly approval: WireApproval }) {
  const text = useTexts(TEXTS);
  const merge = shownMerge(approval.shown);
  const agentId = merge.agentId || approval.agentId;
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1">
        <Fact name={text.into}>
          <code className="font-mono font-semibold">{visibleName(merge.target)}</code>
          {merge.intoCheckout && <span className="ml-2 text-xs text-text-3">{text.checkout}</span>}
        </Fact>
        <Fact name={text.mode}>{modeIn(merge.mode, text)}</Fact>
        <Fact name={text.check}>
          {merge.check === null ? (
            text.noCheck
          ) : (
            <code className="font-mono text-xs">{visibleName(merge.check)}</code>
          )}
        </Fact>
        <Fact name={text.changed}>
          <Numbers merge={merge} />
        </Fact>
      </dl>
      {!merge.isClean && <Conflicts paths={merge.conflicts} />}
      <div className="min-w-0">
        <p className="mb-1 text-xs font-semibold text-text-3">{text.message}</p>
        <LongText text={merge.message} full />
      </div>
      <Files merge={merge} />
      {agentId !== null && (
        <div>
          <Link
            to="/agents/$agentId"
            params={{ agentId }}
            search={{ tab: "changes", version: `v${merge.version}` }}
            className="control inline-flex items-center gap-2 rounded-lg border border-line bg-raised px-3 font-semibold hover:bg-line"
          >
            <FileDiff size={15} aria-hidden />
            {text.review}
          </Link>
          <p className="mt-1 text-xs text-text-3">{text.reviewNote}</p>
        </div>
      )}
    </div>
  );
}

function Conflicts({ paths }: { readonly paths: readonly string[] }) {
  const text = useTexts(TEXTS);
  return (
    <div className="rounded-lg border border-timeout/40 bg-timeout/10 p-3">
      <p className="text-timeout">{text.conflicts}</p>
      <ul className="font-mono text-xs">
        {paths.map((path) => (
          <li key={path} className="break-all">
            {visibleName(path)}
          </li>
        ))}
      </ul>
    </div>
  );
}

function modeIn(mode: string, text: Words): string {
  return mode === "squash" || mode === "merge" || mode === "rebase" ? text.modes[mode] : mode;
}

function Numbers({ merge }: { readonly merge: ShownMerge }) {
  const text = useTexts(TEXTS);
  const format = useFormat();
  return (
    <span className="inline-flex flex-wrap items-baseline gap-x-2">
      {text.files(format.number(merge.fileCount))}
      <LineCounts added={merge.added} removed={merge.removed} />
    </span>
  );
}

function Files({ merge: { files, fileCount } }: { readonly merge: ShownMerge }) {
  const text = useTexts(TEXTS);
  const format = useFormat();
  const [most, setMost] = useState(MAX_FILES);
  const rest = fileCount - Math.min(most, files.length);
  return (
    <ul className="flex min-w-0 flex-col font-mono text-xs">
      {files.slice(0, most).map((file) => (
        <li key={file.path} className="flex flex-wrap justify-between gap-x-4">
          <span className="min-w-0 break-all">
            {file.from !== null && <>{visibleName(file.from)} → </>}
            {visibleName(file.path)}
          </span>
          <LineCounts added={file.added} removed={file.removed} />
        </li>
      ))}
      {rest > 0 && (
        <li>
          {files.length > most ? (
            <Button look="ghost" size="small" onPress={() => setMost(files.length)}>
              {text.more(format.number(rest))}
            </Button>
          ) : (
            <span className="text-text-3">{text.more(format.number(rest))}</span>
          )}
        </li>
      )}
    </ul>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: React.ReactNode }) {
  return (
    <div className="contents">
      <dt className="text-text-3">{name}</dt>
      <dd className="min-w-0 break-words">{children}</dd>
    </div>
  );
}
