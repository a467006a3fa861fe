import { useMemo } from "react";
import type { WireComment } from "../../../../../src/contract/shapes/changes.ts";
import { useTexts } from "../../../i18n/texts.ts";
import { visibleName } from "../../../text/visible.ts";
import { type LineRange, rangeText } from "../diff/cursor.ts";
import { CHANGES, type ChangeWords } from "../texts.ts";
import { CommentCard } from "./comment-card.tsx";
import { isOutdated } from "./place-comments.ts";

export type CommentListProps = {
  readonly comments: readonly WireComment[];
  readonly canComment: boolean;
  readonly onGoTo: (place: LineRange | { readonly path: string }) => void;
  readonly onChanged: () => void;
};

const ORDER = { draft: 0, sent: 1, resolved: 2 } as const;

/** Every comment of the change, also those whose lines are gone. */
export function CommentList({ comments, canComment, onGoTo, onChanged }: CommentListProps) {
  const text = useTexts(CHANGES);
  const sorted = useMemo(
    () => comments.toSorted((a, b) => ORDER[a.status] - ORDER[b.status]),
    [comments],
  );
  if (comments.length === 0 && !canComment) return null;
  return (
    <section aria-label={text.comments.title}>
      <p className="mb-1 text-xs font-semibold text-text-3">
        {text.comments.title} {comments.length > 0 && comments.length}
      </p>
      {comments.length === 0 && <p className="text-xs text-text-3">{text.comments.none}</p>}
      <ul className="flex flex-col gap-2">
        {sorted.map((comment) => (
          <li key={comment.commentId}>
            <CommentCard
              comment={comment}
              onChanged={onChanged}
              place={
                <button
                  type="button"
                  onClick={() => onGoTo(placeOfComment(comment))}
                  title={`${text.comments.goTo}: ${visibleName(comment.path)}`}
                  className="font-mono text-[11px] break-all text-violet hover:underline"
                >
                  {baseName(comment.path)} {whereText(comment, text.comments)}
                </button>
              }
            />
          </li>
        ))}
      </ul>
    </section>
  );
}

function baseName(path: string): string {
  return visibleName(path.slice(path.lastIndexOf("/") + 1));
}

/** “old line 3” for lines that the change removes. */
export function whereText(
  { side, line, endLine }: Pick<WireComment, "side" | "line" | "endLine">,
  words: ChangeWords["comments"],
): string {
  if (side === null || line === null) return words.file;
  const range = rangeText({ line, endLine: endLine ?? line });
  return side === "old" ? words.oldLine(range) : words.line(range);
}

function placeOfComment(comment: WireComment): LineRange | { readonly path: string } {
  const { path, side, line, endLine, currentLine } = comment;
  if (isOutdated(comment) || side === null || line === null || currentLine === null)
    return { path };
  return { path, side, line: currentLine, endLine: currentLine + ((endLine ?? line) - line) };
}
