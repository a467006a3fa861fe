import { useQueryClient } from "@tanstack/react-query";
import { post } from "../../api/http.ts";
import { forgetSessionKey } from "../../api/session-key.ts";
import { setSignedOut } from "../../live/store.ts";
import { useAction } from "../../ui/use-action.ts";

/** Ends the session and shows the sign-in page. */
export function useSignOut() {
  const queries = useQueryClient();
  return useAction(async () => {
    await post("/api/logout");
    forgetSessionKey();
    setSignedOut();
    queries.clear();
  });
}
