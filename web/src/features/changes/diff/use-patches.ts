import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useEffectEvent, useRef, useState } from "react";
import { visible } from "../../../text/visible.ts";
import type { ChangedFile, FilePatch, PatchSource } from "../change-data.ts";
import { linesOf, type PatchLine } from "./patch-lines.ts";

export type Patch =
  | { readonly state: "failed" }
  | {
      readonly state: "read";
      readonly patch: FilePatch;
      /** With invisible characters made visible; null: there is nothing to show. */
      readonly text: string | null;
      readonly lines: readonly PatchLine[];
    };

export type Patches = {
  readonly found: ReadonlyMap<string, Patch>;
  /** Reads these, in this order; files that were asked for before and are not read yet are dropped. */
  readonly want: (paths: readonly string[]) => void;
  readonly retry: (path: string) => void;
};

/** Each patch is a git process in the daemon. */
const AT_ONCE = 3;

/** Patches are read one by one as their files come into view. */
export function usePatches(source: PatchSource, files: readonly ChangedFile[]): Patches {
  const client = useQueryClient();
  const [found, setFound] = useState<ReadonlyMap<string, Patch>>(new Map());
  const queue = useRef<readonly string[]>([]);
  const asked = useRef(new Set<string>());
  const reading = useRef(0);
  const end = useRef(new AbortController());
  useEffect(() => {
    // Strict mode mounts twice.
    if (end.current.signal.aborted) end.current = new AbortController();
    return () => end.current.abort();
  }, []);

  const pump = useCallback((): void => {
    while (reading.current < AT_ONCE) {
      const path = queue.current.find((each) => !asked.current.has(each));
      if (path === undefined) return;
      asked.current.add(path);
      reading.current++;
      const { signal } = end.current;
      void client
        .fetchQuery({
          queryKey: ["patch", source.key, path],
          queryFn: (context) => source.read(path, context.signal),
          staleTime: "static",
        })
        .then(patchOf, (): Patch => ({ state: "failed" }))
        .then((patch) => {
          reading.current--;
          if (!signal.aborted) {
            setFound((known) => new Map(known).set(path, patch));
            pump();
          }
          return undefined;
        });
    }
  }, [client, source]);

  const want = useCallback(
    (paths: readonly string[]) => {
      queue.current = paths;
      pump();
    },
    [pump],
  );
  // The first files are read while the viewer is loaded.
  const first = useEffectEvent(() =>
    want(
      files
        .slice(0, AT_ONCE)
        .filter(hasPatch)
        .map(({ path }) => path),
    ),
  );
  useEffect(() => first(), []);
  const retry = useCallback(
    (path: string) => {
      asked.current.delete(path);
      setFound((known) => new Map([...known].filter(([each]) => each !== path)));
      want([path]);
    },
    [want],
  );
  return { found, want, retry };
}

/** The header of other files says in words what changed. */
export function hasPatch({ isBinary, kind }: ChangedFile): boolean {
  return !isBinary && kind !== "submodule";
}

function patchOf(patch: FilePatch): Patch {
  const text = patch.patch === null ? null : visible(patch.patch);
  return { state: "read", patch, text, lines: text === null ? [] : linesOf(text) };
}
