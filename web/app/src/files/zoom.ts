// The position of a picture on its stage, and how fingers, wheel and keys move it. It is pure.

/** A point, or a way, in pixels. The middle of the stage is the origin. */
export interface Point { readonly x: number; readonly y: number }

export interface Size { readonly width: number; readonly height: number }

/** How much a picture is enlarged, and where its middle is. */
export interface View extends Point { readonly scale: number }

/** The picture as it fits on its stage. */
export const fitting: View = { scale: 1, x: 0, y: 0 };

/** The largest scale, and what one key or click changes it by. */
const largest = 8;
export const step = 1.5;

/** Returns the view that is enlarged by a factor. The point stays where it is. */
export function zoomed(view: View, factor: number, { x, y }: Point = { x: 0, y: 0 }): View {
  const scale = Math.max(1, Math.min(largest, view.scale * factor));
  const by = scale / view.scale;
  return { scale, x: x - (x - view.x) * by, y: y - (y - view.y) * by };
}

export const moved = (view: View, by: Point): View => ({ ...view, x: view.x + by.x, y: view.y + by.y });

/** Returns the view whose picture covers its stage as far as it can, or is in the middle of it. */
export function kept(view: View, picture: Size, stage: Size): View {
  const most = (side: number, of: number) => Math.max(0, (side * view.scale - of) / 2);
  const within = (at: number, limit: number) => Math.max(-limit, Math.min(limit, at)) + 0; // no -0
  return {
    scale: view.scale,
    x: within(view.x, most(picture.width, stage.width)),
    y: within(view.y, most(picture.height, stage.height)),
  };
}

/** A swipe is at least so long, in pixels. */
const swipe = 48;

/**
 * Returns the meaning of a swipe over a picture that fits: it goes to the next or previous picture, or closes the
 * view.
 */
export function swiped({ x, y }: Point): "left" | "right" | "close" | undefined {
  if (Math.abs(x) >= swipe && Math.abs(x) > 2 * Math.abs(y)) return x < 0 ? "left" : "right";
  return y >= 2 * swipe && y > 2 * Math.abs(x) ? "close" : undefined;
}
