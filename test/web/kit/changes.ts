import type { Page } from "@playwright/test";
import type { z } from "zod";
import type {
  changeShape,
  commentShape,
  fileChangeShape,
  filePatchShape,
  groupChangeShape,
} from "../../../src/contract/shapes/changes.ts";
import type { mergeShape } from "../../../src/contract/shapes/merges.ts";
import type { overlapShape, workspaceShape } from "../../../src/contract/shapes/workspaces.ts";

export type Change = z.infer<typeof changeShape>;
export type Comment = z.infer<typeof commentShape>;
export type ChangedFile = z.infer<typeof fileChangeShape>;
export type Patch = z.infer<typeof filePatchShape>;
export type GroupChange = z.infer<typeof groupChangeShape>;
export type Merge = z.infer<typeof mergeShape>;
export type Overlap = z.infer<typeof overlapShape>;
export type Workspace = z.infer<typeof workspaceShape>;

const AT = "2026-11-15T12:00:00.000Z";

export function aWorkspace(changes: Partial<Workspace> = {}): Workspace {
  return {
    workspaceId: "ws-1",
    agentId: "impl-code-1794733200-beef",
    groupId: "grp-1",
    taskId: null,
    status: "captured",
    outcome: "open",
    repository: "/srv/app",
    path: "/srv/worktrees/ws-1",
    branch: "kuromajutsu/grp-1/impl-code-1794733200-beef",
    base: "1".repeat(40),
    basedOn: "HEAD",
    target: "main",
    version: 1,
    head: "2".repeat(40),
    files: 1,
    added: 2,
    removed: 1,
    attention: [],
    ports: null,
    diskBytes: 12_000_000,
    createdAt: AT,
    capturedAt: AT,
    closedAt: null,
    retiredAt: null,
    ...changes,
  };
}

export function aFile(path: string, changes: Partial<ChangedFile> = {}): ChangedFile {
  return {
    path,
    from: null,
    status: "modified",
    kind: "file",
    isBinary: false,
    added: 2,
    removed: 1,
    modeChanged: false,
    lineEndingsOnly: false,
    leavesTree: false,
    ...changes,
  };
}

export function aChange(workspace: Workspace, changes: Partial<Change> = {}): Change {
  return {
    workspace,
    version: workspace.version,
    versions: Array.from({ length: workspace.version }, (_, index) => ({
      version: index + 1,
      agentId: workspace.agentId,
      commit: String(index).repeat(40),
      files: workspace.files,
      added: workspace.added,
      removed: workspace.removed,
      at: AT,
    })),
    files: [],
    overlaps: [],
    comments: [],
    merges: [],
    preview: { target: "main", isClean: true, conflicts: [] },
    pullRequest: null,
    ...changes,
  };
}

export function aComment(changes: Partial<Comment>): Comment {
  return {
    commentId: "cmt-1",
    workspaceId: "ws-1",
    version: 1,
    path: "src/greet.ts",
    side: "new",
    line: 2,
    endLine: 2,
    currentLine: 2,
    quote: "",
    body: "",
    author: "local",
    status: "draft",
    createdAt: AT,
    sentAt: null,
    sentTo: null,
    ...changes,
  };
}

export function aMerge(changes: Partial<Merge>): Merge {
  return {
    mergeId: "mrg-1",
    workspaceId: "ws-1",
    agentId: "impl-code-1794733200-beef",
    groupId: "grp-1",
    taskId: null,
    version: 1,
    target: "main",
    mode: "squash",
    message: "greet",
    status: "landed",
    approvalId: null,
    requester: "local",
    intoCheckout: false,
    result: "3".repeat(40),
    checkExit: null,
    problem: null,
    conflicts: [],
    createdAt: AT,
    endedAt: AT,
    ...changes,
  };
}

/** A patch of a file with `count` lines: every third one is replaced. */
export function aLongPatch(path: string, count: number): string {
  const rows: string[] = [];
  for (let line = 1; line <= count; line++) {
    const text = `  const value${line} = compute(${line}, "text of line ${line}");`;
    if (line % 3 === 0) rows.push(`-${text}`, `+${text.replace("compute", "derive")}`);
    else rows.push(` ${text}`);
  }
  return [
    `diff --git a/${path} b/${path}`,
    "index 1111111..2222222 100644",
    `--- a/${path}`,
    `+++ b/${path}`,
    `@@ -1,${count} +1,${count} @@`,
    ...rows,
    "",
  ].join("\n");
}

export type Answers = {
  readonly change?: (id: string, version: number | undefined) => Change;
  readonly patch?: (path: string) => Omit<Patch, "path" | "version">;
  readonly workspaces?: readonly Workspace[];
  readonly overlaps?: readonly Overlap[];
  readonly groupChange?: (id: string) => GroupChange;
  readonly maxBytes?: number | null;
  /** What is sent: answers the body, or undefined to refuse. */
  readonly post?: (method: string, path: string, body: unknown) => unknown;
};

/** Answers the routes of changes for one page: for diffs that no test can make with git in time. */
export async function answerChanges(page: Page, answers: Answers): Promise<void> {
  const { workspaces = [], overlaps = [], maxBytes = null } = answers;
  await page.route(
    /\/api\/(?:changes|workspaces|overlaps|merges|comments|groups\/[^/]+\/change)/,
    (route) => {
      const request = route.request();
      const { pathname, searchParams } = new URL(request.url());
      const [, , noun = "", id = "", verb = "", last = ""] = pathname.split("/");
      if (request.method() !== "GET")
        return route.fulfill({
          json: answers.post?.(request.method(), pathname, request.postDataJSON()) ?? {},
        });
      const version = Number(searchParams.get("version") ?? 0) || undefined;
      const path = searchParams.get("path") ?? "";
      if (noun === "overlaps") return route.fulfill({ json: { overlaps } });
      if (noun === "workspaces") {
        const wanted = workspaces.filter(
          (each) =>
            (searchParams.get("outcome") ?? each.outcome) === each.outcome &&
            (searchParams.get("status") ?? each.status) === each.status,
        );
        const openChanges = workspaces.filter(({ outcome }) => outcome === "open").length;
        const diskBytes = workspaces.reduce((sum, each) => sum + (each.diskBytes ?? 0), 0);
        const json = { workspaces: wanted, openChanges, diskBytes, maxBytes, nextCursor: null };
        return route.fulfill({ json });
      }
      if (verb === "file" || last === "file") {
        const found = answers.patch?.(path) ?? { patch: null };
        return route.fulfill({ json: { path, version: version ?? 1, ...found } });
      }
      if (noun === "groups" && answers.groupChange)
        return route.fulfill({ json: answers.groupChange(id) });
      if (noun === "changes" && answers.change)
        return route.fulfill({ json: answers.change(id, version) });
      return route.fulfill({ status: 404, json: { code: "NOT_FOUND", detail: pathname } });
    },
  );
}
