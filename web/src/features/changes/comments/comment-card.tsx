import { Check, Pencil, RotateCcw, Trash2 } from "lucide-react";
import { type ReactNode, useState } from "react";
import type { WireComment } from "../../../../../src/contract/shapes/changes.ts";
import { patch, remove } from "../../../api/http.ts";
import { useMayOperate } from "../../../api/use-me.ts";
import { useTexts } from "../../../i18n/texts.ts";
import { visible } from "../../../text/visible.ts";
import { Button } from "../../../ui/button.tsx";
import { cx } from "../../../ui/cx.ts";
import { Ago } from "../../../ui/times.tsx";
import { useAction } from "../../../ui/use-action.ts";
import { usePersonName } from "../../people/use-person-name.ts";
import { CHANGES } from "../texts.ts";
import { CommentField } from "./comment-field.tsx";
import { isOutdated } from "./place-comments.ts";

const TONES = {
  draft: "border-pending/40 text-pending",
  sent: "border-line text-text-2",
  resolved: "border-success/40 text-success",
} as const;

export type CommentCardProps = {
  readonly comment: WireComment;
  readonly onChanged: () => void;
  /** In lists: where the comment is. */
  readonly place?: ReactNode;
};

export function CommentCard({ comment, onChanged, place }: CommentCardProps) {
  const text = useTexts(CHANGES).comments;
  const nameOf = usePersonName();
  const [isEditing, setEditing] = useState(false);
  const params = { id: comment.commentId };
  const edit = useAction(async (body: string) => {
    await patch("/api/comments/{id}", { params, body: { body } });
    setEditing(false);
    onChanged();
  });
  return (
    <article className="min-w-0 rounded-lg border border-line bg-surface p-2.5 font-sans text-sm whitespace-normal text-text">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-xs text-text-3">
        <span className="font-semibold text-text-2">{nameOf(comment.author)}</span>
        <Ago at={comment.createdAt} />
        <span className={cx("rounded-full border px-1.5", TONES[comment.status])}>
          {text.statuses[comment.status]}
        </span>
        {isOutdated(comment) && (
          <span className="rounded-full border border-timeout/40 px-1.5 text-timeout">
            {text.outdated}
          </span>
        )}
        {comment.sentTo !== null && <span>{text.sentTo(comment.sentTo)}</span>}
        {place}
      </p>
      {isOutdated(comment) && <Quote comment={comment} />}
      {isEditing ? (
        <CommentField
          label={text.body}
          initial={comment.body}
          send={text.update}
          isSending={edit.isRunning}
          onSend={(body) => void edit.run(body)}
          onCancel={() => setEditing(false)}
        />
      ) : (
        <p dir="auto" className="mt-1 break-words whitespace-pre-wrap">
          {visible(comment.body)}
        </p>
      )}
      {!isEditing && (
        <Actions comment={comment} onChanged={onChanged} onEdit={() => setEditing(true)} />
      )}
    </article>
  );
}

/** The lines as they were, because the version shown does not have them. */
function Quote({ comment }: { readonly comment: WireComment }) {
  const text = useTexts(CHANGES).comments;
  return (
    <>
      <pre
        tabIndex={0}
        className="mt-1 max-h-40 overflow-auto rounded border-l-2 border-timeout bg-base px-2 py-1 font-mono text-xs"
      >
        {visible(comment.quote)}
      </pre>
      <p className="text-xs text-text-3">{text.outdatedNote}</p>
    </>
  );
}

type ActionsProps = {
  readonly comment: WireComment;
  readonly onChanged: () => void;
  readonly onEdit: () => void;
};

function Actions({ comment, onChanged, onEdit }: ActionsProps) {
  const text = useTexts(CHANGES).comments;
  const mayOperate = useMayOperate();
  const params = { id: comment.commentId };
  const setStatus = useAction(async (status: "draft" | "resolved") => {
    await patch("/api/comments/{id}", { params, body: { status } });
    onChanged();
  });
  const discard = useAction(async () => {
    await remove("/api/comments/{id}", { params });
    onChanged();
  });
  if (!mayOperate) return null;
  const isBusy = setStatus.isRunning || discard.isRunning;
  return (
    <div className="mt-1 -ml-2 flex flex-wrap">
      {comment.status === "draft" && (
        <>
          <Act icon={<Pencil size={12} aria-hidden />} label={text.edit} onPress={onEdit} />
          <Act
            icon={<Trash2 size={12} aria-hidden />}
            label={text.remove}
            isDisabled={isBusy}
            onPress={() => void discard.run()}
          />
        </>
      )}
      {comment.status === "resolved" ? (
        <Act
          icon={<RotateCcw size={12} aria-hidden />}
          label={text.reopen}
          isDisabled={isBusy}
          onPress={() => void setStatus.run("draft")}
        />
      ) : (
        <Act
          icon={<Check size={12} aria-hidden />}
          label={text.resolve}
          isDisabled={isBusy}
          onPress={() => void setStatus.run("resolved")}
        />
      )}
    </div>
  );
}

type ActProps = {
  readonly icon: ReactNode;
  readonly label: string;
  readonly isDisabled?: boolean;
  readonly onPress: () => void;
};

function Act({ icon, label, isDisabled = false, onPress }: ActProps) {
  return (
    <Button
      look="ghost"
      size="small"
      icon={icon}
      isDisabled={isDisabled}
      onPress={onPress}
      className="!min-h-[24px]"
    >
      {label}
    </Button>
  );
}
