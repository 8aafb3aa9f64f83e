import { useEffect } from "preact/hooks";
import { useValue } from "../state/cell.js";
import { type Page, usePage } from "../state/page.js";
import { useRoomPhase } from "../state/room-phase.js";
import { lazy } from "../ui/lazy.js";

const Nothing = () => ({ default: () => null });
const NewVersion = lazy(() => import("./new-version.js").catch(Nothing));
const Notifications = lazy(() => import("../notifications/notifications.js").catch(Nothing));

/** After the list and the room are shown, they are painted first, for so many milliseconds. */
const pause = 500;

/**
 * Sets page.painted, and loads the code that could not be loaded offline, again after each room. It
 * shows only that a new version is ready.
 */
export function Later() {
  const page = usePage();
  const { loaded } = useValue(page.list);
  const phase = useRoomPhase();
  const shown = loaded && phase !== "closed" && phase !== "loading";
  useEffect(() => {
    if (!shown) return undefined;
    const timer = setTimeout(() => {
      page.painted.value = true;
      load(page);
    }, pause);
    return () => clearTimeout(timer);
  }, [shown]);
  return useValue(page.painted) ? <><NewVersion /><Notifications /></> : null;
}

/** Loads menus and dialogs before they are needed: text typed after Ctrl+K then reaches the finder. */
function load(page: Page): void {
  void import("../inbox/news.js").then(m => m.followNews(page), () => undefined);
  // it is loaded when it is shown
  for (const code of [
    import("../message/menu.js"),
    import("../message/not-done.js"),
    import("../rooms/room-menu.js"),
    import("../ui/confirm.js"),
    import("./dialogs.js"),
    import("../composer/drop.js"),
  ]) {
    code.catch(() => undefined);
  }
}
