import { useEffect, useState } from "preact/hooks";
import { usePage } from "../state/page.js";
import type { Found } from "../ui/having.js";

const typingPause = 120; // milliseconds without a key before people are requested

/** Returns the people who were found last, and the start of a name that they were found by. */
export function useFoundPeople(name: string): { readonly name: string; readonly people: readonly Found[] } {
  const { chat } = usePage();
  const [found, setFound] = useState<{ name: string; people: readonly Found[] }>({ name: "", people: [] });
  useEffect(() => {
    if (!name) return undefined;
    let stale = false;
    const show = (people: readonly Found[]) => { if (!stale) setFound({ name, people }); };
    const timer = setTimeout(() => {
      // The directory of a server may be closed; user ids still work then.
      void chat.value?.request("GET", `/people?limit=8&name=${encodeURIComponent(name)}`)
        .then(({ items }) => show(items), () => show([]));
    }, typingPause);
    return () => { stale = true; clearTimeout(timer); };
  }, [name]);
  return found;
}
