// Long presses of fingers.

/** A press lasts this long, in milliseconds. */
export const pressTime = 500;

/** Ignores the click that follows a press. */
export function swallowClick(): void {
  const swallow = (e: Event) => { e.preventDefault(); e.stopPropagation(); };
  addEventListener("click", swallow, { capture: true, once: true });
  addEventListener("pointerdown", () => removeEventListener("click", swallow, { capture: true }), {
    capture: true, once: true,
  });
}

/**
 * Returns the handlers of an element that call act when a finger rests on it. Not all browsers send
 * a contextmenu for that.
 */
export function onPress(act: () => void) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const end = () => clearTimeout(timer);
  return {
    onPointerDown: (e: PointerEvent) => {
      end();
      if (e.pointerType === "touch" && e.isPrimary) timer = setTimeout(() => { swallowClick(); act(); }, pressTime);
    },
    onPointerUp: end,
    onPointerCancel: end,
  };
}
