import { GitPullRequest } from "lucide-react";
import { useState } from "react";
import { post } from "../../../api/http.ts";
import { COMMON } from "../../../i18n/common.ts";
import { useTexts } from "../../../i18n/texts.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { Field } from "../../../ui/field.tsx";
import { useAction } from "../../../ui/use-action.ts";
import type { Change } from "../change-data.ts";
import { CHANGES } from "../texts.ts";

export type PullRequestProps = { readonly change: Change; readonly tool: "gh" | "glab" };

/** Pushes the branch: offered only if a tool for it is installed and the repository has a remote. */
export function PullRequest({ change, tool }: PullRequestProps) {
  const words = useTexts(CHANGES).pullRequest;
  const common = useTexts(COMMON);
  const [isOpen, setOpen] = useState(false);
  const [title, setTitle] = useState("");
  const [body, setBody] = useState("");
  const [target, setTarget] = useState(change.workspace.target ?? "");
  const [url, setUrl] = useState<string | null>(null);
  const open = useAction(async () => {
    const answer = await post("/api/changes/{id}/pull-request", {
      params: { id: change.workspace.workspaceId },
      body: {
        version: change.version,
        ...(title.trim() && { title: title.trim() }),
        ...(body.trim() && { body: body.trim() }),
        ...(target.trim() && { target: target.trim() }),
      },
    });
    setUrl(answer.url);
  });
  return (
    <>
      <Button icon={<GitPullRequest size={14} aria-hidden />} onPress={() => setOpen(true)}>
        {words.button}
      </Button>
      <Dialog
        title={url === null ? words.title : words.done}
        isOpen={isOpen}
        onClose={() => setOpen(false)}
      >
        <div className="flex flex-col gap-4">
          {url === null ? (
            <>
              <p className="text-text-2">{words.body(tool)}</p>
              <Field label={words.name} value={title} onChange={setTitle} autoFocus />
              <Field label={words.text} value={body} onChange={setBody} rows={4} />
              <Field label={words.target} value={target} onChange={setTarget} mono />
              <div className="flex justify-end gap-2">
                <Button onPress={() => setOpen(false)}>{common.cancel}</Button>
                <Button look="violet" isPending={open.isRunning} onPress={() => void open.run()}>
                  {words.go}
                </Button>
              </div>
            </>
          ) : (
            <>
              <PullRequestUrl url={url} />
              {/* The button that was pressed is gone; without a focus Escape would not close. */}
              <div className="flex justify-end">
                <Button autoFocus onPress={() => setOpen(false)}>
                  {common.close}
                </Button>
              </div>
            </>
          )}
        </div>
      </Dialog>
    </>
  );
}

/** The address comes from the output of a tool: only a web address becomes a link. */
function PullRequestUrl({ url }: { readonly url: string }) {
  return /^https?:\/\//.test(url) ? (
    <a
      href={url}
      target="_blank"
      rel="noreferrer"
      className="font-mono text-xs break-all text-violet hover:underline"
    >
      {url}
    </a>
  ) : (
    <code className="font-mono text-xs break-all">{url}</code>
  );
}
