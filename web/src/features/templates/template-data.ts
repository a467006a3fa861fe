import { useQuery } from "@tanstack/react-query";
import { get } from "../../api/http.ts";

export function useTemplates() {
  return useQuery({
    queryKey: ["templates", "list"],
    queryFn: ({ signal }) => get("/api/templates", { signal }),
  });
}

export function useTemplate(id: string) {
  return useQuery({
    queryKey: ["templates", "one", id],
    enabled: id !== "",
    queryFn: ({ signal }) => get("/api/templates/{id}", { params: { id }, signal }),
  });
}
