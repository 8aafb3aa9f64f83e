// Opens the profile of a person from their face or name. Such an element has data-person, the user id.
import { useEffect } from "preact/hooks";
import { useValue } from "../state/cell.js";
import { type Page, usePage } from "../state/page.js";
import { lazy } from "../ui/lazy.js";

const Profile = lazy(() => import("./profile.js"));
const Presence = lazy(() => import("./presence.js"));

/** A pointer that rests this long on a face asks for the profile: one that passes does not. */
const restTime = 400;
/** A pointer may leave for this long, as on its way from the face to the profile. */
const leaveTime = 250;

/** The profile that is shown, and what opens it. It also follows who is online. */
export function Profiles() {
  const page = usePage();
  const shown = useValue(page.profile);
  const painted = useValue(page.painted);
  useEffect(() => followFaces(page), []);
  return (
    <>
      {painted && <Presence />}
      {shown && <Profile key={`${shown.user} ${shown.held}`} shown={shown} />}
    </>
  );
}

const faceOf = (e: Event): HTMLElement | null => (e.target as Element).closest<HTMLElement>("[data-person]");

/** Opens profiles on hover, click and Enter, until the returned function is called. */
function followFaces(page: Page): () => void {
  const { profile } = page;
  const listening = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let at = "";
  const open = (face: HTMLElement, held: boolean) => {
    clearTimeout(timer);
    if (face.isConnected) profile.value = { user: face.dataset.person!, face, held };
  };
  /** Reports whether the pointer has moved: otherwise the page has moved below it. */
  const moves = (e: PointerEvent) => at !== (at = `${e.screenX} ${e.screenY}`);
  const over = (e: PointerEvent) => {
    if (e.pointerType !== "mouse" || profile.value?.held) return;
    const face = faceOf(e);
    const moved = moves(e);
    if (face && !moved) return; // the page was drawn again below it: what it rests on still opens
    clearTimeout(timer);
    if (face && face !== profile.value?.face) timer = setTimeout(open, restTime, face, false);
    else if (!face && profile.value && !(e.target as Element).closest(".profile")) {
      timer = setTimeout(() => { profile.value = null; }, leaveTime);
    }
  };
  const act = (e: Event) => {
    const face = faceOf(e);
    if (!face) return;
    e.preventDefault();
    e.stopPropagation();
    open(face, true);
  };
  const key = (e: KeyboardEvent) => {
    if ((e.key === "Enter" || e.key === " ") && (e.target as Element).matches("[data-person]")) act(e);
  };
  const signal = { signal: listening.signal };
  document.addEventListener("pointerover", over, signal);
  document.addEventListener("pointermove", moves, { ...signal, passive: true });
  document.addEventListener("pointerdown", () => clearTimeout(timer), signal);
  document.addEventListener("click", act, signal);
  // before the log, in which Enter opens a menu
  document.addEventListener("keydown", key, { ...signal, capture: true });
  return () => { listening.abort(); clearTimeout(timer); profile.value = null; };
}
