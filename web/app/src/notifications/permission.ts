// Whether this browser shows notifications.

/** `unsupported`: the browser has none here. An iPhone has them only for a page on its home screen. */
export type Permission = NotificationPermission | "unsupported";

/** A browser may never answer whether it allows notifications. After so many milliseconds, the page says so. */
const longest = 15_000;

export const permission = (): Permission => (globalThis.Notification?.permission ?? "unsupported");

/**
 * Asks the browser for the permission. Call it only after a click. The answer is "default" if the person or the
 * browser gave none.
 */
export async function ask(): Promise<Permission> {
  if (permission() !== "default") return permission();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<Permission>(done => { timer = setTimeout(() => done("default"), longest); });
  try {
    return await Promise.race([Notification.requestPermission(), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** The page's words for each state. */
export const words: { readonly [is in Permission]: string } = {
  granted: "Notifications are on in this browser.",
  denied: "This browser blocks notifications from this site. Allow them in its settings for the site, "
    + "and load the page again.",
  default: "The browser has not answered. If it asks no question, allow notifications in its settings for this site.",
  unsupported: "This browser shows no notifications here. On an iPhone or iPad, add the page to the home screen first.",
};
