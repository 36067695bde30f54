import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { ErrorNote } from "../ui/ErrorNote";
import { Loading } from "../ui/parts";

interface LaterProps<Props> {
  /** The same function every time, so that a page is fetched once. */
  fetch(): Promise<ComponentType<Props>>;
  with: Props;
}

/** A page that few people open: fetched when somebody goes there. */
export function Later<Props extends object>({ fetch, with: props }: LaterProps<Props>) {
  const [page, setPage] = useState<{ Page: ComponentType<Props> } | null>(null);
  const [problem, setProblem] = useState<unknown>(null);
  useEffect(() => {
    fetch()
      .then((Page) => setPage({ Page }))
      .catch(setProblem);
  }, [fetch]);
  if (problem) return <ErrorNote problem={problem} />;
  return page ? <page.Page {...props} /> : <Loading />;
}
