import type { Observable } from "@parley/client";
import { useEffect, useState } from "preact/hooks";
import { useValue } from "./cell.js";
import { usePage } from "./page.js";

/** After the list and the room are shown, they are painted first, for so many milliseconds. */
const pause = 500;

const noRoom: Observable<{ phase: string }> = { value: { phase: "" }, subscribe: () => () => undefined };

/** Reports whether the list, and the messages of a room if one is open, have had the time to be painted. */
export function usePainted(): boolean {
  const { current, list } = usePage();
  const { loaded } = useValue(list);
  const room: Observable<{ phase: string }> = useValue(current) ?? noRoom;
  const { phase } = useValue(room);
  const [painted, setPainted] = useState(false);
  const shown = loaded && phase !== "closed" && phase !== "loading";
  useEffect(() => {
    if (!shown) return undefined;
    const timer = setTimeout(() => setPainted(true), pause);
    return () => clearTimeout(timer);
  }, [shown]);
  return painted;
}
