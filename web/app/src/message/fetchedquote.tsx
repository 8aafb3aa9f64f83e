import type { Message } from "@parley/client";
import { useEffect, useState } from "preact/hooks";
import { wordsOf } from "./quote.js";
import { chat } from "../state/store.js";

/** The text of a quoted message that is not loaded. */
export function FetchedQuote({ room, id }: { room: string; id: string }) {
  const [text, setText] = useState<string>();
  useEffect(() => {
    void chat.value?.request<Message>("GET", `/rooms/${[room, id].map(encodeURIComponent).join("/messages/")}`)
      .then(m => setText(m.text), () => setText(""));
  }, [room, id]);
  return <>{text === undefined ? "…" : wordsOf(text)}</>;
}
