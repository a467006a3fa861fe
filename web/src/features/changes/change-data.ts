import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { WireFileChange } from "../../../../src/contract/shapes/changes.ts";
import type { WireOverlap } from "../../../../src/contract/shapes/workspaces.ts";
import { type AnswerOf, get, type InputOf } from "../../api/http.ts";

export type Change = AnswerOf<"get", "/api/changes/{id}">;
export type FilePatch = AnswerOf<"get", "/api/changes/{id}/file">;
export type GroupChange = AnswerOf<"get", "/api/groups/{id}/change">;
export type ChangedFile = WireFileChange;
export type ChangeOverlap = WireOverlap;

/** `id` is of the workspace or of an agent that worked in it. Events that name either refresh it. */
export function useChange(id: string, version: number | undefined, isEnabled = true) {
  return useQuery({
    queryKey: ["change", id, version ?? "newest"],
    queryFn: ({ signal }) =>
      get("/api/changes/{id}", {
        params: { id },
        query: version === undefined ? {} : { version },
        signal,
      }),
    enabled: isEnabled,
    placeholderData: keepPreviousData,
    retry: false,
  });
}

/** Where the patches of a diff are read. */
export type PatchSource = {
  /** Names the content: a patch that was read under it is never stale. */
  readonly key: string;
  readonly read: (path: string, signal: AbortSignal) => Promise<FilePatch>;
};

export function usePatchesOfChange(id: string, version: number): PatchSource {
  return useMemo(
    () => ({
      key: `${id} ${version}`,
      read: (path, signal) =>
        get("/api/changes/{id}/file", { params: { id }, query: { path, version }, signal }),
    }),
    [id, version],
  );
}

export function usePatchesOfGroup(id: string, commit: string): PatchSource {
  return useMemo(
    () => ({
      key: `${id} ${commit}`,
      read: (path, signal) =>
        get("/api/groups/{id}/change/file", { params: { id }, query: { path }, signal }),
    }),
    [id, commit],
  );
}

export function useGroupChange(groupId: string) {
  return useQuery({
    queryKey: ["group", groupId, "change"],
    queryFn: ({ signal }) => get("/api/groups/{id}/change", { params: { id: groupId }, signal }),
    retry: false,
  });
}

export function useTaskChanges(taskId: string) {
  return useQuery({
    queryKey: ["task", taskId, "changes"],
    queryFn: ({ signal }) => get("/api/tasks/{id}/changes", { params: { id: taskId }, signal }),
    retry: false,
  });
}

type WorkspaceQuery = NonNullable<InputOf<"get", "/api/workspaces">["query"]>;

export function useWorkspaces(query: WorkspaceQuery) {
  return useQuery({
    queryKey: ["workspace", "list", query],
    queryFn: ({ signal }) => get("/api/workspaces", { query, signal }),
    placeholderData: keepPreviousData,
  });
}

const MAX_WAITING = 20;

/** Changes that wait for a decision, for the home page and the navigation. */
export function useOpenChanges() {
  const { data } = useWorkspaces({ outcome: "open", status: "captured", limit: MAX_WAITING });
  return useMemo(
    () => ({
      count: data?.openChanges ?? 0,
      changes: (data?.workspaces ?? []).filter(({ files, version }) => version > 0 && files > 0),
    }),
    [data],
  );
}

/** Overlaps of one agent's change; all agents share one query. */
export function useOverlapsOf(agentId: string): readonly ChangeOverlap[] | undefined {
  const { data } = useQuery({
    queryKey: ["workspace", "overlaps"],
    queryFn: ({ signal }) => get("/api/overlaps", { signal }),
    select: ({ overlaps }) => overlaps.flatMap((overlap) => seenFrom(agentId, overlap)),
    staleTime: 60_000,
  });
  return data;
}

/** The overlap with this agent first, or nothing if it is about others. */
export function seenFrom(agentId: string, overlap: ChangeOverlap): readonly ChangeOverlap[] {
  if (overlap.agentId === agentId) return [overlap];
  if (overlap.otherAgentId !== agentId) return [];
  return [
    {
      ...overlap,
      workspaceId: overlap.otherWorkspaceId,
      agentId: overlap.otherAgentId,
      otherWorkspaceId: overlap.workspaceId,
      otherAgentId: overlap.agentId,
    },
  ];
}
