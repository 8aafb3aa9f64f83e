import type { Room } from "@parley/client";
import type { PanelKind } from "../store.js";

/** The panel beside the timeline. It is loaded when it is first opened. */
export default function Panel({ kind }: { room: Room; kind: PanelKind; onClose: () => void }) {
  return <aside class="panel">{kind}</aside>;
}
